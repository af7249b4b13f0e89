/* SPDX-License-Identifier: MIT */
/* What servers are given on a command line: options, names, settings. */
#include "lab/server_int.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

const struct opt server_opts[] = {
    OPT_STR(struct server_spec, bindir, "bindir", 0, NULL, "DIR",
            "folder of the server's programs, of any build"),
    OPT_CHOICE(struct server_spec, preset, "preset", 0, "oltp",
               server_preset_names, "stock|oltp|nosync",
               "settings made for this machine"),
    OPT_STRS(struct server_spec, settings, "set", 0, "NAME=VALUE",
             "a setting of the server; may be repeated"),
    OPT_STR(struct server_spec, config, "server-config", 0, NULL, "FILE",
            "settings in the server's own form, weaker than --set"),
    OPT_STR(struct server_spec, base, "servers", 0, NULL, "DIR",
            "folder of dyno's servers and snapshots"),
    OPT_STR(struct server_spec, run_as, "run-as", 0, NULL, "USER",
            "as root: the user that runs the server"),
    OPT_U64(struct server_spec, port, "port", 0, NULL, 1, UINT16_MAX, "N",
            "of 127.0.0.1; default is a free one"),
    OPT_END,
};

/* ---- names ---- */

enum rc server_check_name(const char *name, struct err *err)
{
    const size_t len = strlen(name);
    bool good =
        len > 0 && len <= SERVER_NAME_MAX && *name != '.' && *name != '-';

    for (size_t i = 0; good && i < len; i++)
        good = isalnum((unsigned char)name[i]) || strchr("._-", name[i]);
    if (good)
        return RC_OK;
    return err_set(err, RC_USAGE,
                   "'%.64s' cannot be the name of a server: letters, digits, "
                   "'.', '_' and '-', at most %d, not beginning with '.' or "
                   "'-'",
                   name, SERVER_NAME_MAX);
}

const char *server_base(struct arena *arena)
{
    /* NOLINTBEGIN(concurrency-mt-unsafe): nobody changes the environment */
    const char *own = getenv("DYNO_SERVERS");
    const char *state = getenv("XDG_STATE_HOME");
    const char *home = getenv("HOME");
    /* NOLINTEND(concurrency-mt-unsafe) */

    if (own && *own)
        return arena_strdup(arena, own);
    if (geteuid() == 0)
        return "/var/lib/dyno";
    if (state && *state == '/')
        return arena_printf(arena, "%s/dyno", state);
    return home && *home ? arena_printf(arena, "%s/.local/state/dyno", home)
                         : NULL;
}

/* ---- settings ---- */

/* Whatever its case, and with '-' as well as '_'. */
static bool is_among(const char *const *names, const char *name, size_t len)
{
    char plain[128];

    if (len >= sizeof(plain))
        return false;
    for (size_t i = 0; i < len; i++)
        plain[i] = name[i] == '-' ? '_' : name[i];
    plain[len] = '\0';
    for (size_t i = 0; names[i]; i++) {
        if (strcasecmp(names[i], plain) == 0)
            return true;
    }
    return false;
}

bool server_setting_shapes(const struct kind *kind, const char *text)
{
    return is_among(kind->shaping, text, strcspn(text, "="));
}

enum rc server_check_setting(const struct kind *kind, const char *text,
                             struct err *err)
{
    const char *eq = strchr(text, '=');
    const size_t len = eq ? (size_t)(eq - text) : 0;
    bool good =
        len > 0 && len < 100 && (isalpha((unsigned char)*text) || *text == '_');

    for (size_t i = 0; good && i < len; i++)
        good = isalnum((unsigned char)text[i]) || strchr("._-", text[i]);
    if (!good)
        return err_set(err, RC_USAGE,
                       "--set: '%.100s' is not NAME=VALUE, as in '%s'", text,
                       kind->setting);
    for (const char *c = eq; *c; c++) {
        if ((unsigned char)*c < 0x20)
            return err_set(err, RC_USAGE,
                           "--set: the value of '%.*s' has a character that "
                           "cannot be printed",
                           (int)len, text);
    }
    if (is_among(kind->reserved, text, len))
        return err_set(err, RC_USAGE,
                       "--set: '%.*s' is dyno's own matter for its servers",
                       (int)len, text);
    return RC_OK;
}

/* SPDX-License-Identifier: MIT */
#include "lab/venue.h"

#include "base/log.h"
#include "base/mem.h"
#include "lab/venue_int.h"

#include <string.h>

enum rc venue_new(const struct venue_args *args, struct venue **out,
                  struct err *err)
{
    struct venue *v = MEM_NEW(struct venue);

    if (!v)
        return err_set(err, RC_NOMEM, "out of memory");
    v->args = *args;
    v->workload = workload_find(args->workload);
    *out = v;
    return RC_OK;
}

void venue_free(struct venue *v)
{
    if (!v)
        return;
    for (size_t i = 0; i < v->n_places; i++) {
        venue_own_destroy(&v->places[i]);
        mem_free(v->places[i].data);
        mem_free(v->places[i].settings);
    }
    mem_free(v);
}

/* Of options that do not shape the data too: a load that was not needed costs
 * time, one that was forgotten costs the result. */
char *venue_data_key(const struct venue_want *want)
{
    struct buf key = BUF_INIT(KEY_BYTES_MAX);
    char *text = NULL;

    for (size_t i = 0; i < want->n_load; i++) {
        const struct variant_text *o = &want->load[i];
        bool again = false;

        /* The last one of a name counts. */
        for (size_t k = i + 1; k < want->n_load; k++)
            again = again || !strcmp(want->load[k].name, o->name);
        if (!again)
            buf_printf(&key, "%s=%s\n", o->name, o->value);
    }
    if (!buf_rc(&key))
        text = mem_strdup(buf_str(&key));
    buf_release(&key);
    return text;
}

char *venue_settings_key(const struct venue_want *want)
{
    struct buf key = BUF_INIT(KEY_BYTES_MAX);
    char *text = NULL;

    buf_printf(&key, "preset=%s\n", want->preset ? want->preset : "");
    for (size_t i = 0; i < want->n_settings; i++)
        buf_printf(&key, "%s=%s\n", want->settings[i].name,
                   want->settings[i].value);
    if (!buf_rc(&key))
        text = mem_strdup(buf_str(&key));
    buf_release(&key);
    return text;
}

static struct place *place_of(struct venue *v,
                              const struct matrix_server *server)
{
    for (size_t i = 0; i < v->n_places; i++) {
        if (v->places[i].server == server)
            return &v->places[i];
    }
    v->places[v->n_places] = (struct place){.server = server};
    return &v->places[v->n_places++];
}

/* The run loads it: anew when it must be fresh, or has other data of ours. */
static void guest_ready(const struct venue *v, const struct venue_want *want,
                        const struct place *p, const char *data,
                        bool *out_replace)
{
    *out_replace = v->workload->scale_name &&
                   (want->fresh || (p->data && strcmp(p->data, data) != 0));
}

/* Only one is at work while something is measured, and only one has its data
 * there when there are snapshots to restore it from. */
static enum rc rest_others(struct venue *v, const struct place *but, bool fresh,
                           struct err *err)
{
    enum rc rc = RC_OK;

    for (size_t i = 0; !rc && i < v->n_places; i++) {
        struct place *p = &v->places[i];

        if (p == but || !p->own)
            continue;
        if (fresh)
            venue_own_destroy(p);
        else
            rc = server_stop(p->own, err);
    }
    return rc;
}

enum rc venue_check(struct venue *v, const struct venue_want *want,
                    struct err *err)
{
    struct place p = {.server = want->server};
    enum rc rc;

    if (want->server->url)
        return RC_OK;
    rc = venue_own_make(v, &p, want, err);
    venue_own_destroy(&p);
    return rc;
}

enum rc venue_ready(struct venue *v, const struct venue_want *want,
                    const char **out_url, bool *out_replace, struct err *err)
{
    struct place *p = place_of(v, want->server);
    char *data = venue_data_key(want);
    enum rc rc;

    *out_replace = false;
    v->kept = NULL;
    if (!data)
        return err_set(err, RC_NOMEM, "out of memory");
    rc = rest_others(v, p, want->fresh, err);
    if (rc) {
        mem_free(data);
        return rc;
    }
    if (want->server->url) {
        *out_url = want->server->url;
        guest_ready(v, want, p, data, out_replace);
    } else {
        rc = venue_own_ready(v, p, want, data, err);
        *out_url = rc ? NULL : server_url(p->own);
    }
    /* What is restored before the next run has no logs of this one. */
    v->kept = !rc && !want->fresh ? p->own : NULL;
    mem_free(p->data);
    p->data = rc ? NULL : data;
    if (rc)
        mem_free(data);
    return rc;
}

enum rc venue_done(struct venue *v, struct err *err)
{
    return v->kept ? server_purge_logs(v->kept, err) : RC_OK;
}

/* SPDX-License-Identifier: MIT */
#include "support/maria_fixture.h"

int maria_group_setup(void **state)
{
    return server_group_setup(state, MARIA_SCRIPT);
}

void maria_url(const struct pg_fixture *f, char *out, size_t out_len)
{
    snprintf(out, out_len, "mysql://dyno@localhost/test?socket=%s/socket",
             f->dir);
}

void maria_open_default(struct pg_fixture *f)
{
    char url[256];

    maria_url(f, url, sizeof(url));
    pg_open(f, url);
}

const char *maria_tcp_url(struct pg_fixture *f, const char *user,
                          const char *params)
{
    return arena_printf(&f->arena, "mysql://%s@127.0.0.1:%s/test%s", user,
                        f->port, params);
}

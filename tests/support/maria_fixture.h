/* SPDX-License-Identifier: MIT */
/*
 * A MariaDB server of the tests' own (maria_cluster.py).  The fixture is that
 * of pg_fixture.h, which serves any server whose script knows its commands.
 */
#ifndef SUPPORT_MARIA_FIXTURE_H
#define SUPPORT_MARIA_FIXTURE_H

#include "support/pg_fixture.h"

#define MARIA_SCRIPT "maria_cluster.py"

int maria_group_setup(void **state);
/* The server's unix socket, as the owner, database "test". */
void maria_url(const struct pg_fixture *f, char *out, size_t out_len);
void maria_open_default(struct pg_fixture *f);
/* Of 127.0.0.1; params begins with "?" or is "". */
const char *maria_tcp_url(struct pg_fixture *f, const char *user,
                          const char *params);

#endif

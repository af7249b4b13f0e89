/* SPDX-License-Identifier: MIT */
/*
 * Where and as whom to connect: what the target's URL says.  What it does not
 * say is left to the library: ~/.my.cnf and the other option files, groups
 * [client], [client-server], [client-mariadb] and [dyno]; MYSQL_PWD,
 * MYSQL_TCP_PORT, MYSQL_UNIX_PORT.
 *
 * Counted, for the threads that send cancels may outlive the database.
 */
#ifndef DRIVER_MYSQL_LOGIN_H
#define DRIVER_MYSQL_LOGIN_H

#include "base/arena.h"
#include "driver/target.h"

#include <mysql.h>

#include <stdatomic.h>

enum maria_tls {
    MARIA_TLS_DEFAULT, /* as the option files say */
    MARIA_TLS_DISABLED,
    MARIA_TLS_PREFERRED,
    MARIA_TLS_REQUIRED,
    MARIA_TLS_VERIFY_CA,
    MARIA_TLS_VERIFY_IDENTITY, /* the chain and the host's name */
};

struct maria_login {
    atomic_uint refs;
    struct arena arena;
    /* NULL: not said. */
    const char *host, *user, *password, *database, *socket;
    const char *ssl_ca, *ssl_cert, *ssl_key, *plugin_dir, *defaults_file;
    unsigned port; /* 0: not said */
    unsigned timeout_s;
    enum maria_tls tls;
};

MUST_USE enum rc maria_login_new(const struct target *t,
                                 struct maria_login **out, struct err *err);
struct maria_login *maria_login_share(struct maria_login *login);
void maria_login_release(struct maria_login *login); /* NULL is fine */

/* Sets the options of a handle that has not connected. */
void maria_login_options(const struct maria_login *login, MYSQL *my);
/* Connects; false: the handle has the reason. */
bool maria_login_connect(const struct maria_login *login, MYSQL *my,
                         const char *database, unsigned long flags);

#endif

/* SPDX-License-Identifier: MIT */
#include "driver/mysql/mysql.h"

#include "base/mem.h"
#include "driver/mysql/maria_int.h"

static void mysql_driver_close(struct db *db)
{
    struct maria_db *mdb = maria_db_of(db);

    if (mdb->claim)
        maria_disconnect(&mdb->claim->base);
    maria_login_release(mdb->login);
    mem_free(mdb);
}

static enum rc mysql_driver_open(const struct target *t, struct db **out,
                                 struct err *err)
{
    struct maria_db *db = MEM_NEW(struct maria_db);
    enum rc rc;

    if (!db || mysql_library_init(0, NULL, NULL)) {
        mem_free(db);
        return err_set(err, RC_NOMEM, "out of memory");
    }
    db->base.driver = &mysql_driver;
    db->base.target = t;
    rc = maria_login_new(t, &db->login, err);
    if (rc)
        mysql_driver_close(&db->base);
    else
        *out = &db->base;
    return rc;
}

const struct driver mysql_driver = {
    .name = "mysql",
    .alias = "mariadb",
    .summary = "MariaDB, MySQL and what speaks their protocol",
    .url = "mysql://USER:PASSWORD@HOST:PORT/DATABASE?ssl-mode=…, or "
           "mysql://USER@localhost/DATABASE?socket=PATH",
    .dialect = "mysql",
    .caps = DRIVER_UNPREPARED | DRIVER_STATEMENT_TIMEOUT | DRIVER_PIPELINE |
            DRIVER_TEXT,
    .isolations = ~0U,
    .placeholder = PLACEHOLDER_QUESTION,
    .open = mysql_driver_open,
    .close = mysql_driver_close,
    .claim = maria_claim,
    .create = maria_create,
    .connect = maria_connect,
    .limit_statements = maria_limit_statements,
    .disconnect = maria_disconnect,
    .cancel = maria_cancel,
    .error = maria_error,
    .prepare = maria_prepare,
    .exec = maria_exec,
    .exec_text = maria_exec_text,
    .in_txn = maria_in_txn,
    .begin = maria_begin,
    .commit = maria_commit,
    .rollback = maria_rollback,
    .flight_begin = maria_flight_begin,
    .flight_exec = maria_flight_exec,
    .flight_end = maria_flight_end,
    .flight_wait = maria_flight_wait,
    .scan_open = maria_scan_open,
    .scan_next = maria_scan_next,
    .scan_close = maria_scan_close,
    .script = maria_script,
    .has_table = maria_has_table,
    .limits = maria_limits,
    .bulk_begin = maria_bulk_begin,
    .bulk_cell = maria_bulk_cell,
    .bulk_row = maria_bulk_row,
    .bulk_end = maria_bulk_end,
    .facts = maria_facts,
    .free_space = maria_free_space,
};

/* SPDX-License-Identifier: MIT */
/*
 * Transactions.
 *
 * A transaction that writes runs with autocommit off.  Prepared statements are
 * sent several in one flight, and the server goes on behind one that fails; a
 * deadlock has rolled the whole transaction back by then, so what follows
 * would be committed by itself, were autocommit on.  With it off it begins
 * another transaction, which the rollback ends.  The setting stays until a
 * statement outside a transaction needs it on, and travels in its flight.
 */
#include "driver/mysql/maria_int.h"

#define SNAPSHOT_LEVEL "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ"
#define AUTOCOMMIT_OFF "SET autocommit = 0"

size_t maria_begin_texts(struct maria_conn *mc, enum txn_mode mode,
                         const char **texts)
{
    size_t n = 0;

    switch (mode) {
    case TXN_WRITE:
    case TXN_BULK:
        /* In text a flight ends at the first failure. */
        if (!mc->autocommit_off && !mc->base.db->unprepared) {
            texts[n++] = AUTOCOMMIT_OFF;
            mc->autocommit_off = true;
        }
        /* Keys are made unchecked, and without a copy of the table: MySQL loses
         * sight of one while another connection makes its keys. */
        if (mode == TXN_BULK)
            texts[n++] = "SET foreign_key_checks = 0";
        texts[n++] = "START TRANSACTION";
        break;
    case TXN_READ:
        texts[n++] = "START TRANSACTION READ ONLY";
        break;
    case TXN_SNAPSHOT:
        texts[n++] = SNAPSHOT_LEVEL;
        texts[n++] = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";
        break;
    }
    return n;
}

enum rc maria_begin(struct conn *c, enum txn_mode mode)
{
    struct maria_conn *mc = maria_conn_of(c);
    const char *texts[MARIA_BEGIN_MAX];

    return maria_command(mc, texts, maria_begin_texts(mc, mode, texts));
}

enum rc maria_commit(struct conn *c)
{
    return maria_run(maria_conn_of(c), "COMMIT");
}

enum rc maria_rollback(struct conn *c)
{
    return maria_run(maria_conn_of(c), "ROLLBACK");
}

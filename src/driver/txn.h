/* SPDX-License-Identifier: MIT */
/* What is wished of a transaction, and of the rows that it adds in bulk. */
#ifndef DRIVER_TXN_H
#define DRIVER_TXN_H

/* What a transaction will do; a driver may begin them differently. */
enum txn_mode {
    TXN_WRITE,
    TXN_READ,     /* only reads */
    TXN_SNAPSHOT, /* only reads, all from one snapshot: for the audit */
    TXN_BULK,     /* writes a whole load; nobody else uses the database */
};

/* What is known of the table before rows are added to it. */
enum bulk_state {
    BULK_ANY,
    /* It holds nothing that anybody committed, and this transaction is the
     * only one to use it: with DRIVER_BULK_FRESH that is the fastest way. */
    BULK_FRESH,
};

/* Of transactions; DEFAULT leaves it to the server.  A driver whose database
 * has only one level (SQLite: serializable) refuses the weaker ones. */
enum isolation {
    ISOLATION_DEFAULT,
    ISOLATION_READ_COMMITTED,
    ISOLATION_REPEATABLE_READ,
    ISOLATION_SERIALIZABLE,
};

/* "default", "read-committed", …; NULL-terminated, in the order of the enum. */
extern const char *const isolation_names[];

#endif

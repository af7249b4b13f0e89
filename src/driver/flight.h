/* SPDX-License-Identifier: MIT */
/*
 * Flights, for drivers with DRIVER_PIPELINE: several statements, one round
 * trip.
 *
 *   conn_flight_begin_txn(c, TXN_WRITE);
 *   conn_flight_exec(c, insert, args, n_args);
 *   conn_flight_commit(c);
 *   rc = conn_flight_wait(c, NULL, 0);
 *
 * All but the wait only queue, and cannot fail.  The wait, the only call
 * allowed behind them, sends everything and waits once.  A statement that fails
 * stops those behind it up to the next sync, a COMMIT too.  A flight holds at
 * most one BEGIN and, behind it, one end of the transaction.
 */
#ifndef DRIVER_FLIGHT_H
#define DRIVER_FLIGHT_H

#include "driver/driver.h"

void conn_flight_begin_txn(struct conn *c, enum txn_mode mode);
/* What args points to lives until the wait. */
void conn_flight_exec(struct conn *c, struct stmt *s, const struct value *args,
                      size_t n_args);
void conn_flight_commit(struct conn *c);
void conn_flight_rollback(struct conn *c);
/* What stands before it and what stands behind are flights of their own for the
 * database, sent and waited for as one.  False: this driver cannot. */
bool conn_flight_sync(struct conn *c);
/* rows[i] are those of exec i, for the first n_rows; all live until the next
 * call on the connection.  Returns the first failure, behind which
 * conn_rollback() ends the transaction if there is one.  A connection lost in
 * a flight that commits is RC_DB_UNKNOWN. */
MUST_USE CORO_FN enum rc conn_flight_wait(struct conn *c, struct rowset *rows,
                                          size_t n_rows);

#endif

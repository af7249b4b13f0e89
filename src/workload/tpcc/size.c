/* SPDX-License-Identifier: MIT */
/* What a load needs, before it is begun: disk and time. */
#include "workload/tpcc/tpcc.h"

/*
 * Measured with one and with five warehouses, indexes included, by
 *
 *   dyno load tpcc -w N --db …; then pg_database_size() less that of
 *   template1 (PostgreSQL 15), the size of the file (SQLite 3.40), du -sb of
 *   the folder (csv), or of the database's folder in the data directory
 *   (MariaDB 10.11, whose files grow in steps)
 *
 * The time is that of two streams on two cores, for ten warehouses
 * (tests/perf/run_loading); MariaDB: for three.  log_bytes: what the server
 * writes beside the data before it can throw it away, with its default settings
 * (max_wal_size). InnoDB's redo log has its size before the load; a binary log,
 * where there is one, is not counted.
 *
 * txn_bytes: what 20,000 transactions of a run added to two warehouses (SQLite:
 * to one), logs apart.
 */
static const struct {
    const char *dialect;
    uint64_t warehouse_bytes, item_bytes, log_bytes;
    uint64_t warehouse_ms, txn_bytes;
} sizes[] = {
    {"postgres", 104312832, 14790656, UINT64_C(1) << 30, 1800, 1400},
    {"mysql", 92442624, 54005529, 0, 4500, 1400},
    {"sqlite", 73811968, 7387136, 0, 2000, 330},
    {"csv", 70591037, 7578270, 0, 600, 0},
};

bool tpcc_load_needs(const struct dataset *ds, struct load_needs *out)
{
    const char *dialect = ds->db->driver->dialect;

    if (db_can(ds->db, DRIVER_DISCARDS))
        return false;
    for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
        uint64_t data;

        if (strcmp(sizes[i].dialect, dialect) != 0)
            continue;
        data = ds->scale * sizes[i].warehouse_bytes + sizes[i].item_bytes;
        out->data_bytes = data;
        out->log_bytes = data < sizes[i].log_bytes ? data : sizes[i].log_bytes;
        out->txn_bytes = sizes[i].txn_bytes;
        out->seconds = 1 + ds->scale * sizes[i].warehouse_ms / 1000;
        return true;
    }
    return false;
}

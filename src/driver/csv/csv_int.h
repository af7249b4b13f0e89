/* SPDX-License-Identifier: MIT */
/* Shared by the files of this folder. */
#ifndef DRIVER_CSV_CSV_INT_H
#define DRIVER_CSV_CSV_INT_H

#include "base/buf.h"
#include "base/mem.h"
#include "driver/bulk.h"
#include "driver/csv/csv.h"

#include <pthread.h>

#define CSV_PATH_MAX 4096
#define CSV_FILES_MAX 64
#define CSV_ERROR_TEXT 256
#define CSV_BUFFER_BYTES (256 * 1024)
/* Of a row, at most. */
#define CSV_ROW_MAX (1U << 30)

/* A file that is complete, for the manifest. */
struct csv_file {
    char name[64];
    uint64_t n_rows, n_bytes;
    uint32_t cksum; /* as cksum(1) prints it */
};

struct csv_db {
    struct db base;
    struct arena arena; /* of the folder's name */
    const char *folder;
    int fd; /* of the folder, locked; -1: not claimed */
    bool created;
    pthread_mutex_t lock; /* guards what follows */
    struct csv_file files[CSV_FILES_MAX];
    size_t n_files;
};

struct csv_writer {
    const struct table_def *table; /* NULL: none is open */
    int fd;
    struct buf rows; /* written when there are CSV_BUFFER_BYTES */
    size_t col;      /* of the next cell */
    uint32_t crc;
    struct csv_file file;
};

struct csv_conn {
    struct conn base;
    struct csv_writer writer;
    enum rc last_rc;
    char last_text[CSV_ERROR_TEXT];
};

static inline struct csv_db *csv_db_of(struct db *db)
{
    return CONTAINER_OF(db, struct csv_db, base);
}

static inline struct csv_conn *csv_conn_of(struct conn *c)
{
    return CONTAINER_OF(c, struct csv_conn, base);
}

/* ---- cksum.c: the checksum of cksum(1), POSIX ---- */

/* Goes on with crc, 0 at the start. */
uint32_t csv_crc(uint32_t crc, const char *bytes, size_t len);
/* At the end: the length belongs to it. */
uint32_t csv_crc_end(uint32_t crc, uint64_t n_bytes);

/* ---- writer.c ---- */

enum rc csv_bulk_begin(struct conn *c, const struct table_def *table,
                       enum bulk_state state, struct err *err);
void csv_bulk_cell(struct conn *c, const struct value *v);
enum rc csv_bulk_row(struct conn *c, struct err *err);
enum rc csv_bulk_end(struct conn *c, struct err *err);
/* Removes what is not complete. */
void csv_give_up(struct csv_conn *cc);
/* A whole file; one of that name is an error. */
enum rc csv_put_file(struct conn *c, const char *name, const char *text,
                     size_t len, struct err *err);

/* ---- reader.c ---- */

enum rc csv_scan_open(struct conn *c, const struct step *step,
                      const struct value *args, size_t n_args,
                      struct scan **out, struct err *err);
enum rc csv_scan_next(struct scan *s, const struct value **row,
                      struct err *err);
void csv_scan_close(struct scan *s);

#endif

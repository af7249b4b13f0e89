/* SPDX-License-Identifier: MIT */
/*
 * A matrix file (docs/matrix.md): which servers, which axes, what each run is
 * given.  Read and checked as a whole; errors read "FILE:LINE: KEY: …".
 */
#ifndef LAB_MATRIX_FILE_H
#define LAB_MATRIX_FILE_H

#include "base/yaml_tree.h"
#include "lab/variant.h"

#define MATRIX_NAME_MAX 40 /* bytes of a server's or a matrix' name */
#define MATRIX_AXES_MAX 24
#define MATRIX_VALUES_MAX 64
#define MATRIX_SERVERS_MAX 64

/* A server's part of the file: one of dyno's own, or a URL of one that is
 * not. */
struct matrix_server {
    const char *name;
    size_t line;
    const char *url; /* NULL: dyno's own, of */
    const char *kind;
    const char *bindir, *preset, *config, *run_as; /* NULL: default */
    const struct variant_text *settings;
    size_t n_settings;
    const struct variant_text *options; /* of runs on it */
    size_t n_options;
};

enum axis_kind {
    AXIS_SERVER,
    AXIS_PRESET,
    AXIS_SETTING, /* of the server: "set.shared_buffers" */
    AXIS_OPTION,  /* of `dyno run` */
};

struct matrix_axis {
    enum axis_kind kind;
    const char *key;  /* as in the file */
    const char *name; /* of the option ("ramp-up") or the setting */
    size_t line;
    const char *const *values; /* those of `axes:`; none for one that only
                                * `include:` knows */
    size_t n_values;
};

/* An entry of `include:` or `exclude:`: some axes, each with some values. */
struct matrix_rule {
    size_t line;
    size_t n_values[MATRIX_AXES_MAX]; /* 0: the axis is not in it */
    const char *const *values[MATRIX_AXES_MAX];
};

enum matrix_order { MATRIX_GROUPED, MATRIX_INTERLEAVED, MATRIX_RANDOM };

struct matrix_hooks {
    const char *before, *after, *around; /* NULL: none */
    size_t before_line, after_line, around_line;
};

struct matrix {
    struct ytree tree; /* owns the texts */
    const char *name, *workload;
    struct matrix_server servers[MATRIX_SERVERS_MAX];
    size_t n_servers;
    struct matrix_axis axes[MATRIX_AXES_MAX];
    size_t n_axes;
    const struct matrix_rule *include, *exclude;
    size_t n_include, n_exclude;
    struct matrix_rule base; /* what the others are relative to */
    uint64_t repeat;
    enum matrix_order order;
    bool order_given;
    uint64_t seed; /* of the random order; also an option of the runs */
    bool fresh;    /* each run on data as loaded */
    struct matrix_hooks hooks;
    const struct variant_text *options; /* of all runs */
    size_t n_options;
};

/* path outlives *out. */
MUST_USE enum rc matrix_read(const char *path, struct matrix **out,
                             struct err *err);
/* As matrix_read(), from memory; path only for messages and the name. */
MUST_USE enum rc matrix_parse(const char *text, size_t len, const char *path,
                              struct matrix **out, struct err *err);
void matrix_free(struct matrix *m); /* NULL is fine */

/* RC_USAGE for what cannot be a part of a file's name, an SQL name and a
 * label: letters, digits, '_', '-' and '.', not first one of the last two. */
MUST_USE enum rc matrix_check_name(const char *name, struct err *err);
/* NULL when there is none. */
const struct matrix_server *matrix_server_find(const struct matrix *m,
                                               const char *name);

#endif

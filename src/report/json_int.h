/* SPDX-License-Identifier: MIT */
/*
 * Building a JSON tree without looking at each step: the first failure sticks
 * and is asked for once, at the end.  Failure is always lack of memory: texts
 * are cleaned and numbers that are not finite become null.
 */
#ifndef REPORT_JSON_INT_H
#define REPORT_JSON_INT_H

#include "run/result.h"

#include <jansson.h>

struct json_out {
    bool failed;
};

/* New member of obj, borrowed; NULL after a failure, which the others take. */
json_t *json_put_object(struct json_out *o, json_t *obj, const char *key);
json_t *json_put_array(struct json_out *o, json_t *obj, const char *key);
json_t *json_add_object(struct json_out *o, json_t *array);
void json_add_text(struct json_out *o, json_t *array, const char *text);

void json_put_null(struct json_out *o, json_t *obj, const char *key);
void json_put_bool(struct json_out *o, json_t *obj, const char *key,
                   bool value);
/* NULL becomes null. */
void json_put_text(struct json_out *o, json_t *obj, const char *key,
                   const char *text);
/* null instead of "". */
void json_put_text_if(struct json_out *o, json_t *obj, const char *key,
                      const char *text);
void json_put_i64(struct json_out *o, json_t *obj, const char *key,
                  int64_t value);
/* Above INT64_MAX, which jansson has not: INT64_MAX. */
void json_put_u64(struct json_out *o, json_t *obj, const char *key,
                  uint64_t value);
/* Rounded to 6 decimals. */
void json_put_real(struct json_out *o, json_t *obj, const char *key,
                   double value);
/* n / of; null when of is 0. */
void json_put_ratio(struct json_out *o, json_t *obj, const char *key, double n,
                    uint64_t of);
/* ns as microseconds with 3 decimals, and as seconds. */
void json_put_us(struct json_out *o, json_t *obj, const char *key, double ns);
void json_put_s(struct json_out *o, json_t *obj, const char *key, int64_t ns);

/* Takes root; the text is allocated with base/mem.h. */
MUST_USE enum rc json_finish(struct json_out *o, json_t *root, char **out_text,
                             struct err *err);

/* Parts of the summary, as members of root. */
void json_transactions(struct json_out *o, json_t *root,
                       const struct run_result *r);
void json_load_shape(struct json_out *o, json_t *root,
                     const struct run_result *r);
/* Empty unless --statement-stats was on. */
void json_statements(struct json_out *o, json_t *root,
                     const struct run_result *r);
/* passed is null when !audited. */
void json_audit(struct json_out *o, json_t *root, const struct audit *audit,
                bool audited);

void json_preflight(struct json_out *o, json_t *root, const char *key,
                    const struct preflight *p);
/* Members of client and of server; host and telemetry are of root. */
void json_client_telemetry(struct json_out *o, json_t *client,
                           const struct run_result *r);
void json_server_telemetry(struct json_out *o, json_t *server,
                           const struct run_result *r);
void json_host(struct json_out *o, json_t *root, const struct run_result *r);
void json_telemetry(struct json_out *o, json_t *root,
                    const struct run_result *r);

#endif

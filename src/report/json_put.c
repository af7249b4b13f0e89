/* SPDX-License-Identifier: MIT */
#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "report/json_int.h"

#include <math.h>

#define JSON_TEXT_MAX ((size_t)16 << 20)
#define JSON_VALUE_MAX ((size_t)1 << 20)

static void put(struct json_out *o, json_t *obj, const char *key, json_t *value)
{
    if (json_object_set_new(obj, key, value))
        o->failed = true;
}

json_t *json_put_object(struct json_out *o, json_t *obj, const char *key)
{
    put(o, obj, key, json_object());
    return json_object_get(obj, key);
}

json_t *json_put_array(struct json_out *o, json_t *obj, const char *key)
{
    put(o, obj, key, json_array());
    return json_object_get(obj, key);
}

json_t *json_add_object(struct json_out *o, json_t *array)
{
    json_t *obj = json_object();

    if (json_array_append_new(array, obj)) {
        o->failed = true;
        return NULL;
    }
    return obj;
}

static json_t *clean_text(const char *text)
{
    struct buf clean = BUF_INIT(JSON_VALUE_MAX);
    json_t *value = NULL;

    utf8_add(&clean, text);
    if (!buf_rc(&clean))
        value = json_string(buf_str(&clean));
    buf_release(&clean);
    return value;
}

void json_add_text(struct json_out *o, json_t *array, const char *text)
{
    if (json_array_append_new(array, clean_text(text)))
        o->failed = true;
}

void json_put_null(struct json_out *o, json_t *obj, const char *key)
{
    put(o, obj, key, json_null());
}

void json_put_bool(struct json_out *o, json_t *obj, const char *key, bool value)
{
    put(o, obj, key, json_boolean(value));
}

void json_put_text(struct json_out *o, json_t *obj, const char *key,
                   const char *text)
{
    put(o, obj, key, text ? clean_text(text) : json_null());
}

void json_put_text_if(struct json_out *o, json_t *obj, const char *key,
                      const char *text)
{
    json_put_text(o, obj, key, text[0] ? text : NULL);
}

void json_put_i64(struct json_out *o, json_t *obj, const char *key,
                  int64_t value)
{
    put(o, obj, key, json_integer(value));
}

void json_put_u64(struct json_out *o, json_t *obj, const char *key,
                  uint64_t value)
{
    json_put_i64(o, obj, key, value > INT64_MAX ? INT64_MAX : (int64_t)value);
}

static void put_rounded(struct json_out *o, json_t *obj, const char *key,
                        double value, double unit)
{
    const double rounded = round(value * unit) / unit;

    if (isfinite(rounded))
        value = rounded;
    put(o, obj, key, isfinite(value) ? json_real(value) : json_null());
}

void json_put_real(struct json_out *o, json_t *obj, const char *key,
                   double value)
{
    put_rounded(o, obj, key, value, 1e6);
}

void json_put_ratio(struct json_out *o, json_t *obj, const char *key, double n,
                    uint64_t of)
{
    if (of > 0)
        json_put_real(o, obj, key, n / (double)of);
    else
        json_put_null(o, obj, key);
}

void json_put_us(struct json_out *o, json_t *obj, const char *key, double ns)
{
    put_rounded(o, obj, key, ns / (double)NS_PER_US, 1e3);
}

void json_put_s(struct json_out *o, json_t *obj, const char *key, int64_t ns)
{
    json_put_real(o, obj, key, (double)ns / (double)NS_PER_S);
}

static int append(const char *data, size_t len, void *arg)
{
    struct buf *text = arg;

    buf_add(text, data, len);
    return buf_rc(text) ? -1 : 0;
}

enum rc json_finish(struct json_out *o, json_t *root, char **out_text,
                    struct err *err)
{
    struct buf text = BUF_INIT(JSON_TEXT_MAX);
    bool failed = o->failed || !root;

    if (!failed)
        failed = json_dump_callback(root, append, &text,
                                    JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    buf_putc(&text, '\n');
    json_decref(root);
    if (failed || buf_rc(&text)) {
        buf_release(&text);
        return err_set(err, RC_NOMEM, "no memory for the summary");
    }
    *out_text = text.data;
    return RC_OK;
}

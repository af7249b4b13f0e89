/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"
#include "report/html_int.h"

#include <math.h>
#include <string.h>

void html_escape(struct buf *out, const char *text)
{
    struct buf clean = BUF_INIT(HTML_BYTES_MAX);

    utf8_add(&clean, text);
    if (buf_rc(&clean))
        out->rc = buf_rc(&clean);
    for (const char *p = buf_str(&clean); *p; p++) {
        switch (*p) {
        case '&':
            buf_puts(out, "&amp;");
            break;
        case '<':
            buf_puts(out, "&lt;");
            break;
        case '>':
            buf_puts(out, "&gt;");
            break;
        case '"':
            buf_puts(out, "&quot;");
            break;
        case '\'':
            buf_puts(out, "&#39;");
            break;
        default:
            buf_putc(out, *p);
        }
    }
    buf_release(&clean);
}

/* "<" is in JSON only inside of texts, where it may be written so. */
static int append(const char *data, size_t len, void *arg)
{
    struct buf *out = arg;

    while (len > 0) {
        const char *at = memchr(data, '<', len);
        const size_t n = at ? (size_t)(at - data) : len;

        buf_add(out, data, n);
        if (at)
            buf_puts(out, "\\u003c");
        data += at ? n + 1 : n;
        len -= at ? n + 1 : n;
    }
    return buf_rc(out) ? -1 : 0;
}

enum rc html_put_json(struct buf *out, struct json_out *o, json_t *root,
                      struct err *err)
{
    bool failed = o->failed || !root;

    if (!failed)
        failed = json_dump_callback(root, append, out,
                                    JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(root);
    if (failed || buf_rc(out))
        return err_set(err, RC_NOMEM, "no memory for the report");
    return RC_OK;
}

void html_add_number(struct json_out *o, json_t *array, double value)
{
    json_t *one = NULL;

    if (isfinite(value) && fabs(value) > 1e-12) {
        const double unit = pow(10, 3 - floor(log10(fabs(value))));
        const double rounded = round(value * unit) / unit;

        if (rounded == floor(rounded) && fabs(rounded) < 1e15)
            one = json_integer((json_int_t)rounded);
        else
            one = json_real(rounded);
    } else {
        one = isfinite(value) ? json_integer(0) : json_null();
    }
    if (json_array_append_new(array, one))
        o->failed = true;
}

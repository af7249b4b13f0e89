/* SPDX-License-Identifier: MIT */
#include "report/check.h"

#include "report/doc.h"
#include "report/json.h"
#include "report/json_int.h"
#include "report/text_int.h"

static size_t count_warnings(const struct preflight *p)
{
    size_t n = 0;

    for (size_t i = 0; i < p->n; i++)
        n += p->items[i].warning;
    return n;
}

static void warnings(struct doc *d, const struct preflight *p)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct finding *f = &p->items[i];

        if (f->warning)
            doc_item(d, "%s (%s): %s; %s", f->name, f->value, f->why,
                     f->advice);
    }
}

void report_check_text(const struct preflight *p, const char *target, FILE *out)
{
    const size_t n = count_warnings(p);
    struct doc d;

    doc_init(&d, out, DOC_TEXT);
    if (n > 0)
        doc_title(&d, "%zu of %zu findings distort a measurement", n, p->n);
    else
        doc_title(&d, "nothing found that distorts a measurement");
    doc_heading(&d, "Found");
    doc_pair(&d, "target", "%s", target ? target : "none: the machine alone");
    for (size_t i = 0; i < p->n; i++)
        doc_pair(&d, p->items[i].name, "%s", p->items[i].value);
    if (n == 0)
        return;
    doc_heading(&d, "Warnings");
    warnings(&d, p);
}

void text_preflight(struct doc *d, const struct run_result *r)
{
    if (count_warnings(&r->preflight) == 0)
        return;
    doc_heading(d, "Found before the run ('dyno check' says what to do)");
    for (size_t i = 0; i < r->preflight.n; i++) {
        const struct finding *f = &r->preflight.items[i];

        if (f->warning)
            doc_item(d, "%s (%s): %s", f->name, f->value, f->why);
    }
}

void json_preflight(struct json_out *o, json_t *root, const char *key,
                    const struct preflight *p)
{
    json_t *list = json_put_array(o, root, key);

    for (size_t i = 0; i < p->n; i++) {
        const struct finding *f = &p->items[i];
        json_t *one = json_add_object(o, list);

        json_put_text(o, one, "name", f->name);
        json_put_text(o, one, "value", f->value);
        json_put_bool(o, one, "warning", f->warning);
        json_put_text_if(o, one, "why", f->why);
        json_put_text_if(o, one, "advice", f->advice);
    }
}

enum rc report_check_json(const struct preflight *p, const char *target,
                          char **out_text, struct err *err)
{
    struct json_out o = {0};
    json_t *root = json_object();

    json_put_i64(&o, root, "schema_version", REPORT_SCHEMA_VERSION);
    json_put_text(&o, root, "target", target);
    json_put_u64(&o, root, "warnings", count_warnings(p));
    json_preflight(&o, root, "findings", p);
    return json_finish(&o, root, out_text, err);
}

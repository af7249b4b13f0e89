/* SPDX-License-Identifier: MIT */
#include "run/preflight.h"

#include "driver/driver.h"
#include "run/preflight_int.h"
#include "run/session.h"

#include <stdarg.h>
#include <stdio.h>

struct finding *preflight_add(struct preflight *p, const char *name,
                              const char *fmt, ...)
{
    struct finding *f = &p->items[p->n];
    va_list ap;

    if (p->n == FINDINGS_MAX) {
        p->not_listed++;
        return NULL;
    }
    *f = (struct finding){.warning = false};
    snprintf(f->name, sizeof(f->name), "%s", name);
    va_start(ap, fmt);
    vsnprintf(f->value, sizeof(f->value), fmt, ap);
    va_end(ap);
    p->n++;
    return f;
}

void preflight_warn(struct finding *f, const char *why, const char *advice)
{
    if (!f)
        return;
    f->warning = true;
    snprintf(f->why, sizeof(f->why), "%s", why);
    snprintf(f->advice, sizeof(f->advice), "%s", advice);
}

enum rc preflight_look(const struct preflight_args *args, struct preflight *out,
                       struct err *err)
{
    *out = (struct preflight){.n = 0};
    preflight_machine(args, out);
    if (!args->session || db_can(args->session->db, DRIVER_DISCARDS))
        return RC_OK;
    return preflight_database(args, out, err);
}

/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/composition.h"

const struct composition *composition_find(const char *name)
{
    static const struct composition *const all[] = {
        &literal_composition, &batched_composition, &pipelined_composition,
        &single_composition,  &procs_composition,
    };

    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        if (!strcmp(all[i]->name, name))
            return all[i];
    }
    return NULL;
}

enum rc composition_check(const struct composition *how, const struct db *db,
                          struct err *err)
{
    if ((db->driver->caps & how->needs) == how->needs)
        return RC_OK;
    return err_set(err, RC_UNSUPPORTED,
                   "--composition: '%s' needs %s, which %s has not; use "
                   "literal or batched",
                   how->name, how->needs_text, db->driver->name);
}

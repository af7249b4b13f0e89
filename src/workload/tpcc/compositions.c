/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/composition.h"

const struct composition *composition_find(const char *name)
{
    static const struct composition *const all[] = {
        &literal_composition,
        &batched_composition,
    };

    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        if (!strcmp(all[i]->name, name))
            return all[i];
    }
    return NULL;
}

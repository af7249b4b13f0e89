/* SPDX-License-Identifier: MIT */
#include "base/asset.h"

#include <string.h>

const struct asset *asset_find(const char *name)
{
    const struct asset *own = asset_override_find(name);
    size_t lo = 0, hi = asset_count;

    if (own)
        return own;
    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;
        const int cmp = strcmp(name, asset_table[mid].name);

        if (cmp == 0)
            return &asset_table[mid];
        if (cmp < 0)
            hi = mid;
        else
            lo = mid + 1;
    }
    return NULL;
}

/* SPDX-License-Identifier: MIT */
#include "workload/tpcc/vu.h"

static bool line_before(const struct order_line_input *a,
                        const struct order_line_input *b)
{
    if (a->supply_w_id != b->supply_w_id)
        return a->supply_w_id < b->supply_w_id;
    return a->i_id < b->i_id;
}

void sort_lines(struct new_order_input *in)
{
    const int32_t n = in->n_lines - in->rollback;

    for (int32_t i = 1; i < n; i++) {
        const struct order_line_input line = in->lines[i];
        int32_t j = i;

        for (; j > 0 && line_before(&line, &in->lines[j - 1]); j--)
            in->lines[j] = in->lines[j - 1];
        in->lines[j] = line;
    }
}

size_t history_data(const struct value *w_name, const struct value *d_name,
                    char out[24])
{
    const size_t w_len = w_name->len > 10 ? 10 : w_name->len;
    const size_t d_len = d_name->len > 10 ? 10 : d_name->len;

    memcpy(out, w_name->s, w_len);
    memset(out + w_len, ' ', 4);
    memcpy(out + w_len + 4, d_name->s, d_len);
    return w_len + 4 + d_len;
}

struct value keep_name(const struct value *name, char out[10])
{
    const size_t len = name->len > 10 ? 10 : name->len;

    memcpy(out, name->s, len);
    return v_textn(out, len);
}

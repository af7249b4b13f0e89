/* SPDX-License-Identifier: MIT */
/*
 * As much of JSON Schema (draft 7) as docs/summary.schema.json uses: $ref to
 * definitions, type, const, enum, required, properties, additionalProperties,
 * items, minimum, maximum.
 */
#ifndef SUPPORT_JSON_SCHEMA_H
#define SUPPORT_JSON_SCHEMA_H

#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>

/* Says in why what is wrong when it returns false. */
bool json_schema_check(const json_t *schema, const json_t *value, char *why,
                       size_t why_len);

#endif

/* SPDX-License-Identifier: MIT */
#include "support/json_schema.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

struct checker {
    const json_t *root;
    char *why;
    size_t why_len;
};

static bool check_value(const struct checker *c, const json_t *schema,
                        const json_t *value, const char *key);

static bool wrong(const struct checker *c, const char *key, const char *what)
{
    snprintf(c->why, c->why_len, "'%s': %s", key, what);
    return false;
}

static bool has_type(const json_t *value, const char *type)
{
    return (!strcmp(type, "object") && json_is_object(value)) ||
           (!strcmp(type, "array") && json_is_array(value)) ||
           (!strcmp(type, "string") && json_is_string(value)) ||
           (!strcmp(type, "integer") && json_is_integer(value)) ||
           (!strcmp(type, "number") && json_is_number(value)) ||
           (!strcmp(type, "boolean") && json_is_boolean(value)) ||
           (!strcmp(type, "null") && json_is_null(value));
}

static bool check_type(const json_t *type, const json_t *value)
{
    if (!type)
        return true;
    if (json_is_string(type))
        return has_type(value, json_string_value(type));
    for (size_t i = 0; i < json_array_size(type); i++) {
        if (has_type(value, json_string_value(json_array_get(type, i))))
            return true;
    }
    return false;
}

static bool check_enum(const json_t *list, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_equal(json_array_get(list, i), value))
            return true;
    }
    return !list;
}

static bool check_range(const json_t *schema, const json_t *value)
{
    const json_t *min = json_object_get(schema, "minimum");
    const json_t *max = json_object_get(schema, "maximum");
    const double number = json_number_value(value);

    return !json_is_number(value) ||
           ((!min || number >= json_number_value(min)) &&
            (!max || number <= json_number_value(max)));
}

static bool check_required(const struct checker *c, const json_t *required,
                           const json_t *value)
{
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *key = json_string_value(json_array_get(required, i));

        if (!json_object_get(value, key))
            return wrong(c, key, "is missing");
    }
    return true;
}

static bool check_members(const struct checker *c, const json_t *schema,
                          const json_t *value)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *others = json_object_get(schema, "additionalProperties");

    for (void *it = json_object_iter((json_t *)(uintptr_t)value); it;
         it = json_object_iter_next((json_t *)(uintptr_t)value, it)) {
        const char *key = json_object_iter_key(it);
        const json_t *one = json_object_get(properties, key);

        if (!one && json_is_false(others))
            return wrong(c, key, "is not in the schema");
        if (!one)
            one = others;
        if (json_is_object(one) &&
            !check_value(c, one, json_object_iter_value(it), key))
            return false;
    }
    return true;
}

static bool check_items(const struct checker *c, const json_t *schema,
                        const json_t *value, const char *key)
{
    const json_t *items = json_object_get(schema, "items");

    for (size_t i = 0; items && i < json_array_size(value); i++) {
        if (!check_value(c, items, json_array_get(value, i), key))
            return false;
    }
    return true;
}

static const json_t *resolve(const struct checker *c, const json_t *schema)
{
    static const char prefix[] = "#/definitions/";
    const char *ref = json_string_value(json_object_get(schema, "$ref"));

    if (!ref)
        return schema;
    if (strncmp(ref, prefix, sizeof(prefix) - 1) != 0)
        return NULL;
    return json_object_get(json_object_get(c->root, "definitions"),
                           ref + sizeof(prefix) - 1);
}

static bool check_value(const struct checker *c, const json_t *schema,
                        const json_t *value, const char *key)
{
    const json_t *constant;

    schema = resolve(c, schema);
    if (!schema)
        return wrong(c, key, "has a $ref that leads nowhere");
    constant = json_object_get(schema, "const");
    if (!check_type(json_object_get(schema, "type"), value))
        return wrong(c, key, "is of the wrong type");
    if (constant && !json_equal(constant, value))
        return wrong(c, key, "is not the constant");
    if (!check_enum(json_object_get(schema, "enum"), value))
        return wrong(c, key, "is none of the values allowed");
    if (!check_range(schema, value))
        return wrong(c, key, "is out of range");
    if (json_is_array(value))
        return check_items(c, schema, value, key);
    if (!json_is_object(value))
        return true;
    return check_required(c, json_object_get(schema, "required"), value) &&
           check_members(c, schema, value);
}

bool json_schema_check(const json_t *schema, const json_t *value, char *why,
                       size_t why_len)
{
    const struct checker c = {.root = schema, .why = why, .why_len = why_len};

    return check_value(&c, schema, value, "(all)");
}

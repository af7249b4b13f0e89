/* SPDX-License-Identifier: MIT */
/*
 * Build-time tool: writes the files named on its command line as the table
 * that base/asset.h declares.  Usage: embed OUT.c [NAME=]FILE...; a file
 * without a NAME is called as it is found.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_PER_LINE 16

struct item {
    const char *name, *path;
    long len;
};

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct item *)a)->name,
                  ((const struct item *)b)->name);
}

/* Cuts "NAME=FILE" in two. */
static struct item item_of(char *arg)
{
    char *equals = strchr(arg, '=');

    if (!equals)
        return (struct item){.name = arg, .path = arg};
    *equals = '\0';
    return (struct item){.name = arg, .path = equals + 1};
}

/* One array with the bytes of the file and a NUL.  Bytes rather than a string
 * literal, whose length the standard limits.  -1 when it cannot be read. */
static long write_bytes(FILE *out, const char *path, int index)
{
    FILE *in = fopen(path, "rb");
    long len = 0;
    int c;

    if (!in)
        return -1;
    fprintf(out, "static const unsigned char data_%d[] = {", index);
    while ((c = getc(in)) != EOF) {
        fprintf(out, "%s%d,", len % BYTES_PER_LINE ? "" : "\n    ", c);
        len++;
    }
    fprintf(out, "\n    0};\n\n");
    if (ferror(in))
        len = -1;
    fclose(in);
    return len;
}

static int write_rows(FILE *out, struct item *items, int n)
{
    for (int i = 0; i < n; i++) {
        items[i].len = write_bytes(out, items[i].path, i);
        if (items[i].len < 0) {
            fprintf(stderr, "embed: %s: %s\n", items[i].path, strerror(errno));
            return -1;
        }
    }
    /* C has no empty arrays: without a file there is one row, not counted. */
    fprintf(out, "const struct asset asset_table[] = {\n");
    for (int i = 0; i < n; i++)
        fprintf(out,
                "    {.name = \"%s\",\n"
                "     .data = (const char *)data_%d,\n"
                "     .len = %ld},\n",
                items[i].name, i, items[i].len);
    fprintf(out, "%s};\n\nconst size_t asset_count = %d;\n",
            n ? "" : "    {.name = NULL}\n", n);
    return 0;
}

int main(int argc, char **argv)
{
    int n = argc - 2;
    struct item *items = NULL;
    FILE *out = NULL;
    int rc = -1;

    if (argc < 2) {
        fprintf(stderr, "usage: embed OUT.c [NAME=]FILE...\n");
        return 2;
    }
    out = fopen(argv[1], "w");
    items = calloc((size_t)n + 1, sizeof(*items));
    if (out && items) {
        for (int i = 0; i < n; i++)
            items[i] = item_of(argv[2 + i]);
        qsort(items, (size_t)n, sizeof(*items), compare_names);
        fprintf(out, "/* Made by tools/embed.c. */\n"
                     "#include \"base/asset.h\"\n\n");
        rc = write_rows(out, items, n);
        if (ferror(out))
            rc = -1;
    }
    if (out && fclose(out))
        rc = -1;
    free(items);
    if (rc) {
        fprintf(stderr, "embed: cannot make %s\n", argv[1]);
        /* A half-written file must not look up to date. */
        remove(argv[1]);
    }
    return rc ? 1 : 0;
}

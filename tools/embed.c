/* SPDX-License-Identifier: MIT */
/*
 * Build-time tool: writes the files named on its command line as the table
 * that base/asset.h declares.  Usage: embed OUT.c FILE...
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES_PER_LINE 16

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* One array with the bytes of the file and a NUL.  Bytes rather than a string
 * literal, whose length the standard limits.  -1 when it cannot be read. */
static long write_bytes(FILE *out, const char *name, int index)
{
    FILE *in = fopen(name, "rb");
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

static int write_rows(FILE *out, char **names, int n, long *lens)
{
    for (int i = 0; i < n; i++) {
        lens[i] = write_bytes(out, names[i], i);
        if (lens[i] < 0) {
            fprintf(stderr, "embed: %s: %s\n", names[i], strerror(errno));
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
                names[i], i, lens[i]);
    fprintf(out, "%s};\n\nconst size_t asset_count = %d;\n",
            n ? "" : "    {.name = NULL}\n", n);
    return 0;
}

int main(int argc, char **argv)
{
    int n = argc - 2;
    long *lens = NULL;
    FILE *out = NULL;
    int rc = -1;

    if (argc < 2) {
        fprintf(stderr, "usage: embed OUT.c FILE...\n");
        return 2;
    }
    out = fopen(argv[1], "w");
    lens = calloc((size_t)n + 1, sizeof(*lens));
    if (out && lens) {
        qsort(argv + 2, (size_t)n, sizeof(*argv), compare_names);
        fprintf(out, "/* Made by tools/embed.c from sql/ and assets/. */\n"
                     "#include \"base/asset.h\"\n\n");
        rc = write_rows(out, argv + 2, n, lens);
        if (ferror(out))
            rc = -1;
    }
    if (out && fclose(out))
        rc = -1;
    free(lens);
    if (rc) {
        fprintf(stderr, "embed: cannot make %s\n", argv[1]);
        /* A half-written file must not look up to date. */
        remove(argv[1]);
    }
    return rc ? 1 : 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * A document of headings, paragraphs, lists and tables, written as it is
 * built: for a terminal (no line above DOC_WIDTH columns, whatever the texts)
 * or as Markdown.  What is in a report is decided once, over this.
 *
 * Texts may hold anything: they are cleaned, cut at DOC_TEXT_MAX bytes and,
 * for Markdown, escaped.
 */
#ifndef REPORT_DOC_H
#define REPORT_DOC_H

#include "base/base.h"

#include <stdio.h>

#define DOC_WIDTH 80
#define DOC_TEXT_MAX 2048

enum doc_style { DOC_TEXT, DOC_MARKDOWN };

enum doc_block {
    DOC_NOTHING,
    DOC_HEADING,
    DOC_PARA,
    DOC_LIST,
    DOC_TABLE,
};

struct doc {
    FILE *out;
    enum doc_style style;
    enum doc_block last;
};

void doc_init(struct doc *d, FILE *out, enum doc_style style);
/* The first line of all. */
void doc_title(struct doc *d, const char *fmt, ...) PRINTF_LIKE(2, 3);
void doc_heading(struct doc *d, const char *title);
void doc_para(struct doc *d, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "- text" */
void doc_item(struct doc *d, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* "name   value" */
void doc_pair(struct doc *d, const char *name, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

#define DOC_ROWS_MAX 52
#define DOC_COLS_MAX 10
#define DOC_CELL_BYTES 40

/* The first row is the head, the first column is left-aligned. */
struct doc_table {
    size_t n_rows;
    size_t n_cells[DOC_ROWS_MAX];
    char cells[DOC_ROWS_MAX][DOC_COLS_MAX][DOC_CELL_BYTES];
};

void doc_table_init(struct doc_table *t);
void doc_table_row(struct doc_table *t);
/* Into the current row; cut when it does not fit. */
void doc_cell(struct doc_table *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
void doc_table_print(struct doc *d, const struct doc_table *t);

#endif

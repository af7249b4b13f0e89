/* SPDX-License-Identifier: MIT */
/*
 * Texts of databases are bytes of any kind, and what is cut to fit may end
 * inside a character; a report holds whole ones only.
 */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include "base/buf.h"

/* Bytes of the character at s, 1 to 4; 0 when it is not valid UTF-8 or the
 * text ends. */
size_t utf8_len(const char *s);
bool utf8_valid(const char *text);
/* Appends text with '?' for each byte that is not valid. */
void utf8_add(struct buf *out, const char *text);
/* Copies as much as fits, for a line of a terminal: as utf8_add(), and control
 * characters become blanks. */
void utf8_line(const char *text, char *out, size_t out_len);
/* Characters of a valid text. */
size_t utf8_width(const char *text);

#endif

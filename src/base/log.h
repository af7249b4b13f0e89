/* SPDX-License-Identifier: MIT */
/*
 * Log lines for people, on stderr: "dyno: warning: text".  Never called on the
 * run path.  The sink and level are the module's only globals.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/err.h"

enum log_level { LOG_ERROR, LOG_WARN, LOG_INFO, LOG_DEBUG };

void log_set_level(enum log_level level); /* LOG_INFO at start */
bool log_enabled(enum log_level level);
void log_msg(enum log_level level, const char *fmt, ...) PRINTF_LIKE(2, 3);

#define log_error(...) log_msg(LOG_ERROR, __VA_ARGS__)
#define log_warn(...) log_msg(LOG_WARN, __VA_ARGS__)
#define log_info(...) log_msg(LOG_INFO, __VA_ARGS__)
#define log_debug(...)                       \
    do {                                     \
        if (log_enabled(LOG_DEBUG))          \
            log_msg(LOG_DEBUG, __VA_ARGS__); \
    } while (0)

/* A progress line: on a terminal it is redrawn in place, elsewhere printed as
 * a line of its own.  log_progress_end() ends a redrawn line. */
void log_progress(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_progress_end(void);
bool log_is_terminal(void);

#endif

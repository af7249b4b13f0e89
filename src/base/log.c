/* SPDX-License-Identifier: MIT */
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define LINE_BYTES 2048
#define COLUMNS_DEFAULT 80
#define ERASE_LINE "\r\033[K"

static atomic_int max_level = LOG_INFO;
static pthread_mutex_t sink_lock = PTHREAD_MUTEX_INITIALIZER;
static bool progress_shown; /* guarded by sink_lock */

void log_set_level(enum log_level level)
{
    /* Partner: log_enabled().  Relaxed: a late line does no harm. */
    atomic_store_explicit(&max_level, (int)level, memory_order_relaxed);
}

bool log_enabled(enum log_level level)
{
    /* Partner: log_set_level(). */
    return (int)level <= atomic_load_explicit(&max_level, memory_order_relaxed);
}

bool log_is_terminal(void)
{
    return isatty(STDERR_FILENO) == 1;
}

static const char *prefix(enum log_level level)
{
    switch (level) {
    case LOG_ERROR:
        return "dyno: error: ";
    case LOG_WARN:
        return "dyno: warning: ";
    case LOG_INFO:
        return "dyno: ";
    case LOG_DEBUG:
        return "dyno: debug: ";
    }
    return "dyno: ";
}

/* Without a line end; too long a text is cut. */
static void compose(char line[LINE_BYTES], enum log_level level,
                    const char *fmt, va_list ap) PRINTF_LIKE(3, 0);
static void compose(char line[LINE_BYTES], enum log_level level,
                    const char *fmt, va_list ap)
{
    const int len = snprintf(line, LINE_BYTES, "%s", prefix(level));

    vsnprintf(line + len, LINE_BYTES - (size_t)len, fmt, ap);
}

static size_t terminal_columns(void)
{
    struct winsize size = {0};

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
        return COLUMNS_DEFAULT;
    return size.ws_col;
}

void log_msg(enum log_level level, const char *fmt, ...)
{
    char line[LINE_BYTES];
    va_list ap;

    if (!log_enabled(level))
        return;
    va_start(ap, fmt);
    compose(line, level, fmt, ap);
    va_end(ap);
    pthread_mutex_lock(&sink_lock);
    if (progress_shown)
        fputs(ERASE_LINE, stderr);
    progress_shown = false;
    fprintf(stderr, "%s\n", line);
    pthread_mutex_unlock(&sink_lock);
}

void log_progress(const char *fmt, ...)
{
    char line[LINE_BYTES];
    va_list ap;

    if (!log_enabled(LOG_INFO))
        return;
    va_start(ap, fmt);
    compose(line, LOG_INFO, fmt, ap);
    va_end(ap);
    pthread_mutex_lock(&sink_lock);
    progress_shown = log_is_terminal();
    if (progress_shown) {
        /* A line that wraps could not be erased. */
        const int columns = (int)terminal_columns() - 1;

        fprintf(stderr, ERASE_LINE "%.*s", columns, line);
    } else {
        fprintf(stderr, "%s\n", line);
    }
    pthread_mutex_unlock(&sink_lock);
}

void log_progress_end(void)
{
    pthread_mutex_lock(&sink_lock);
    if (progress_shown)
        fputc('\n', stderr);
    progress_shown = false;
    pthread_mutex_unlock(&sink_lock);
}

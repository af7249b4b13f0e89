# SPDX-License-Identifier: MIT
#
# The rules behind check-style.  With -v plain=1 the files are not C: only
# line lengths and blanks are looked at.  Run in the C locale.

BEGIN {
    edge = "(^|[^A-Za-z0-9_.>])"
    advice["strcpy"] = advice["strcat"] = advice["sprintf"] = \
        advice["vsprintf"] = "use buf or snprintf()"
    advice["strtok"] = "use strchr() or strtok_r()"
    advice["atoi"] = advice["atol"] = advice["atof"] = "use base/parse.h"
    advice["gets"] = "use fgets()"
    advice["gmtime"] = "use gmtime_r()"
    advice["localtime"] = "use localtime_r()"
    advice["rand"] = advice["srand"] = "use base/rng.h"
    advice["sleep"] = advice["usleep"] = "wait for the event, or use a timer"
    advice["alloca"] = "coroutine stacks are small: use the arena"
    n_heap = split("malloc calloc realloc reallocarray free strdup strndup " \
                   "aligned_alloc posix_memalign asprintf vasprintf", heap, " ")

    # Any of these words: most lines have none, and need no closer look.
    words = "float|driver->"
    for (name in advice)
        words = words "|" name
    for (i = 1; i <= n_heap; i++)
        words = words "|" heap[i]

    # Where a client library may be seen, below src/.
    home["sqlite3.h"] = "^src/(driver/sqlite|store)/"
    home["libpq-fe.h"] = "^src/driver/postgres/"
    home["mysql.h"] = "^src/driver/mysql/"
    home["mysql.h"] = home["mysql/mysql.h"] = home["mariadb/mysql.h"] = \
        "^src/driver/(mysql|mariadb)/"
    home["sql.h"] = home["sqlext.h"] = "^src/driver/odbc/"
    home["jansson.h"] = "^src/(report|store)/"
    home["yaml.h"] = "^src/base/"
    home["cmocka.h"] = "^$"
}

function complain(line, text) {
    printf "%s:%d: %s\n", file, line, text
    bad = 1
}

# The line without comments and without what is between quotes.
function code_of(s,    out, c, two, quote) {
    if (!in_comment && s !~ /[\/"']/)
        return s
    out = ""
    quote = ""
    while (s != "") {
        c = substr(s, 1, 1)
        two = substr(s, 1, 2)
        if (in_comment) {
            if (two == "*/") {
                in_comment = 0
                s = substr(s, 3)
                continue
            }
        } else if (quote != "") {
            if (c == "\\") {
                s = substr(s, 3)
                continue
            }
            if (c == quote) {
                quote = ""
                out = out c
            }
        } else if (two == "/*") {
            in_comment = 1
            s = substr(s, 3)
            continue
        } else if (two == "//") {
            complain(FNR, "comment with //: write /* */")
            return out
        } else {
            if (c == "\"" || c == "'")
                quote = c
            out = out c
        }
        s = substr(s, 2)
    }
    return out
}

# Lengths are in characters: continuation bytes of UTF-8 do not count.
function check_layout(    s) {
    s = $0
    gsub(/[\200-\277]/, "", s)
    if (length(s) > 80)
        complain(FNR, length(s) " columns: break the line at 80")
    if ($0 ~ /[ \t]$/)
        complain(FNR, "blank at the end of the line: remove it")
    if ($0 ~ /(TODO|FIXME)/ && $0 !~ /#[0-9]/ && file !~ /check-style/)
        complain(FNR, "TODO without an issue: name it (#12) or do it now")
}

function check_calls(code,    name, i) {
    for (name in advice)
        if (code ~ edge name "[ \t]*\\(")
            complain(FNR, name "() is banned: " advice[name])
    if (!in_src)
        return
    if (file != "src/base/mem.c")
        for (i = 1; i <= n_heap; i++)
            if (code ~ edge heap[i] "[ \t]*\\(")
                complain(FNR, heap[i] "() outside base/mem.c: use " \
                         "base/mem.h, base/arena.h or base/buf.h")
    if (file !~ /^src\/driver\// &&
        code ~ /(->|\.)driver->[a-z0-9_]+[ \t]*\(/)
        complain(FNR, "call of a driver's slot: use the wrapper of " \
                 "driver/driver.h")
    if (code ~ edge "float[ \t*]")
        complain(FNR, "float: use int64_t, or double where shares are needed")
}

function check_include(    name) {
    if (!in_src || $0 !~ /^[ \t]*#[ \t]*include[ \t]*</)
        return
    name = $0
    sub(/^[^<]*</, "", name)
    sub(/>.*$/, "", name)
    if (name in home && file !~ home[name])
        complain(FNR, "<" name "> does not belong here: client libraries " \
                 "stay in their own folder")
}

function check_guard(    want) {
    want = file
    sub(/^src\//, "", want)
    gsub(/[^A-Za-z0-9]/, "_", want)
    want = toupper(want)
    if (guard != want)
        complain(1, "include guard is " (guard == "" ? "missing" : guard) \
                 ": name it " want)
}

function finish_file(    max) {
    if (file == "" || plain)
        return
    max = file ~ /\.h$/ ? 300 : 800
    if (n_lines > max)
        complain(n_lines, n_lines " lines, " max " allowed: split the file")
    if (in_src && file ~ /\.h$/)
        check_guard()
}

FNR == 1 {
    finish_file()
    file = FILENAME
    in_src = file ~ /^src\//
    in_comment = 0
    guard = ""
    if (!plain && $0 != "/* SPDX-License-Identifier: MIT */")
        complain(1, "first line: write /* SPDX-License-Identifier: MIT */")
}

{
    n_lines = FNR
    check_layout()
}

!plain {
    if ($0 ~ /\t/)
        complain(FNR, "tab: indent with four spaces")
    if (guard == "" && $1 == "#ifndef")
        guard = $2
    check_include()
    code = code_of($0)
    if (code ~ words)
        check_calls(code)
}

END {
    finish_file()
    exit bad
}

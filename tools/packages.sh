# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Sourced by run and test.  need_packages installs the Debian packages that are
# missing; without a missing one it touches neither network nor root.

packages_log=build/packages.log

# Is the package installed, completely?
package_is_installed()
{
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = \
        installed ]
}

# Runs a command as root, without questions where that is possible.
as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@" </dev/null
    elif sudo -n true 2>/dev/null; then
        sudo -n "$@" </dev/null
    else
        sudo "$@"
    fi
}

apt()
{
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" \
        >>"$packages_log" 2>&1
}

install_packages()
{
    if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
        echo "dyno: these packages are missing; install them as root:" >&2
        echo "  apt-get install $*" >&2
        return 1
    fi
    echo "dyno: installing $*" >&2
    mkdir -p build
    : >"$packages_log"
    # Old lists may do: installing decides whether an update was needed.
    apt update || true
    if ! apt install --no-install-recommends "$@"; then
        cat "$packages_log" >&2
        echo "dyno: cannot install $*" >&2
        return 1
    fi
}

# Elsewhere nothing is installed: the tools and libraries are looked for by
# name, "command:gcc", "library:sqlite3", "header:cmocka.h".
find_by_name()
{
    case $1 in
    command:*) command -v "${1#*:}" >/dev/null ;;
    file:*) [ -e "${1#*:}" ] ;;
    library:*) pkg-config --exists "${1#*:}" 2>/dev/null ;;
    python:*) "${PYTHON:-python3}" -c "import ${1#*:}" 2>/dev/null ;;
    esac
}

# Each argument is "package=kind:name": what Debian calls it, and how to see
# elsewhere that it is there.
need_packages()
{
    missing=
    for need in "$@"; do
        if command -v apt-get >/dev/null && command -v dpkg-query >/dev/null
        then
            package_is_installed "${need%%=*}" || \
                missing="$missing ${need%%=*}"
        else
            find_by_name "${need#*=}" || missing="$missing ${need#*:}"
        fi
    done
    [ -n "$missing" ] || return 0
    if command -v apt-get >/dev/null; then
        # A list of words.
        # shellcheck disable=SC2086
        install_packages $missing
        return
    fi
    echo "dyno: only Debian's apt-get is known here; please install:" >&2
    echo " $missing" >&2
    return 1
}

need_build_packages()
{
    need_packages gcc=command:gcc libc6-dev=command:gcc \
        cmake=command:cmake ninja-build=command:ninja \
        pkg-config=command:pkg-config libsqlite3-dev=library:sqlite3 \
        libpq-dev=library:libpq libmariadb-dev=library:libmariadb \
        unixodbc-dev=library:odbc \
        libjansson-dev=library:jansson libyaml-dev=library:yaml-0.1 \
        zlib1g-dev=library:zlib libluajit-5.1-dev=library:luajit \
        libjs-dygraphs=file:/usr/share/javascript/dygraphs/dygraph.min.js
}

# The package of the server would make a cluster and start it; the tests make
# their own.
no_main_cluster()
{
    conf=/etc/postgresql-common/createcluster.conf
    if ! command -v dpkg-query >/dev/null || package_is_installed postgresql ||
        [ -e $conf ]; then
        return
    fi
    as_root mkdir -p ${conf%/*} &&
        as_root sh -c "echo 'create_main_cluster = false' >$conf"
}

# The programs of MariaDB without the service that mariadb-server would start.
need_test_packages()
{
    no_main_cluster
    need_packages clang=command:clang clang-format=command:clang-format \
        clang-tidy=command:clang-tidy cppcheck=command:cppcheck \
        shellcheck=command:shellcheck valgrind=command:valgrind \
        libcmocka-dev=library:cmocka sqlite3=command:sqlite3 \
        python3-pytest=python:pytest \
        python3-pytest-xdist=python:xdist \
        python3-jsonschema=python:jsonschema \
        postgresql=command:initdb pgbouncer=command:pgbouncer \
        mariadb-server-core=command:mariadbd \
        mariadb-client-core=command:mariadb \
        chromium=command:chromium chromium-driver=command:chromedriver \
        python3-selenium=python:selenium sysbench=command:sysbench || return
    # What they hold has no name to look for elsewhere; tests say what they
    # skip.
    if command -v apt-get >/dev/null; then
        need_packages odbc-postgresql odbc-mariadb libsqliteodbc
    fi
}

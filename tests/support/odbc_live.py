# SPDX-License-Identifier: MIT
"""Targets of the ODBC drivers that Debian has, for the servers of the live
tests.  Drivers are named by their files, so that no odbcinst.ini is read or
changed; a driver that is not installed skips the test."""
import glob

import pytest


def library(name):
    found = glob.glob(f"/usr/lib/*/odbc/{name}")
    return found[0] if found else pytest.skip(f"{name} is not installed")


def maria_odbc(server, dbname="shop", user="dyno", more=""):
    return f"odbc:Driver={library('libmaodbc.so')};SOCKET={server.socket};" \
           f"Database={dbname};UID={user};{more}"


def pg_odbc(server, dbname, user="dyno", more=""):
    return f"odbc:Driver={library('psqlodbcw.so')};Servername={server.dir};" \
           f"Port={server.port};Database={dbname};UID={user};{more}"


def sqlite_odbc(path):
    return f"odbc:Driver={library('libsqlite3odbc.so')};Database={path}"

# SPDX-License-Identifier: MIT
"""A private MySQL server, like that of maria_cluster.py, from a folder that
DYNO_MYSQL_DIR names: the one with mysqld in it, or in its "bin".

Where the folder has no "data" with a server's first tables to copy, the server
makes them (MySQL 5.7 and later can).  docs/drivers.md says how to get one.
"""
import os
from pathlib import Path

from maria_cluster import MariaCluster
from pg_cluster import Unavailable

VARIABLE = "DYNO_MYSQL_DIR"


class MysqlCluster(MariaCluster):
    USERS = """
        CREATE USER dyno@'%';
        GRANT ALL ON *.* TO dyno@'%' WITH GRANT OPTION;
        CREATE DATABASE own;
    """

    def find_server(self):
        named = os.environ.get(VARIABLE)
        if not named:
            raise Unavailable(f"{VARIABLE} names no folder of a MySQL server "
                              "(see docs/drivers.md)")
        self.base = Path(named).resolve()
        for program in (self.base / "mysqld", self.base / "bin" / "mysqld"):
            if os.access(program, os.X_OK):
                return str(program)
        raise Unavailable(f"{VARIABLE}: there is no mysqld in {self.base}")

    def environment(self):
        """Libraries that came with it are beside it."""
        return {**os.environ, "LD_LIBRARY_PATH": str(self.base)}

    def arguments(self):
        folder = [f"--basedir={self.base}"]
        if (self.base / "share").is_dir():
            folder.append(f"--lc-messages-dir={self.base}/share")
        return ["--no-defaults", *folder, f"--datadir={self.data}"]

    def _init(self):
        made = self.base / "data" / "mysql"
        if not (made / "mysql").is_dir():
            self._run(self.program, *self.arguments(),
                      "--initialize-insecure")
            return
        self._run("cp", "-r", made, self.data)
        (self.data / "auto.cnf").unlink(missing_ok=True)
        self.start()
        # Accounts without a name stand before those with one.
        self.sql("DELETE FROM mysql.user WHERE user = ''; FLUSH PRIVILEGES")
        self.stop()

# SPDX-License-Identifier: MIT
"""A private MariaDB server in a temporary folder, for the tests.

It listens on a unix socket in that folder and on a free port of 127.0.0.1,
nowhere else, does not sync to disk, and goes with its folder when it is
closed.  Root runs it as the user "mysql", or "nobody" where there is none.

    with MariaCluster() as server:
        dyno.run("load", "tpcc", "--db", server.url("shop"))

Users, all from anywhere: "dyno" may do everything; "secret" has the password
"sesame"; "guest" may connect and read nothing; "single" has one connection;
"tls" is let in over TLS only.

As a program it serves another one (C tests): see serve() of pg_cluster.py.
"""
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pg_cluster import Unavailable, free_port

OWNER = "dyno"
USERS = """
    CREATE USER dyno@'%'; GRANT ALL ON *.* TO dyno@'%' WITH GRANT OPTION;
    CREATE USER secret@'%' IDENTIFIED BY 'sesame';
    GRANT ALL ON test.* TO secret@'%';
    CREATE USER guest@'%'; GRANT USAGE ON *.* TO guest@'%';
    CREATE USER single@'%' WITH MAX_USER_CONNECTIONS 1;
    GRANT ALL ON *.* TO single@'%';
    CREATE USER tls@'%' REQUIRE SSL; GRANT ALL ON *.* TO tls@'%';
    CREATE DATABASE test;
"""
SETTINGS = {
    "bind-address": "127.0.0.1",
    "skip-name-resolve": "1",
    "innodb-flush-method": "nosync",
    "innodb-flush-log-at-trx-commit": "0",
    "innodb-doublewrite": "0",
    "innodb-buffer-pool-size": "256M",
    "innodb-log-file-size": "256M",
    "max-connections": "60",
    "transaction-isolation": "READ-COMMITTED",
    "local-infile": "1",
    "tmpdir": ".",
    "default-time-zone": "+00:00",
}


def find_program(name):
    found = shutil.which(name) or f"/usr/sbin/{name}"
    if not os.access(found, os.X_OK):
        raise Unavailable(f"MariaDB is not installed ({name})")
    return found


def run_as():
    """The user that root's server has."""
    try:
        return pwd.getpwnam("mysql")
    except KeyError:
        return pwd.getpwnam("nobody")


def as_user(command):
    """For setpriv: without root's rights, and dead when this process is."""
    user = []
    if os.geteuid() == 0:
        user = [f"--reuid={run_as().pw_uid}", f"--regid={run_as().pw_gid}",
                "--clear-groups"]
    return ["setpriv", *user, "--pdeathsig=QUIT", *command]


class MariaCluster:
    """Started when made; close() stops and removes it."""

    USERS = USERS

    def __init__(self, template=None, **settings):
        """template: a data folder that was made before, to be copied."""
        self.program = self.find_server()
        self.dir = Path(tempfile.mkdtemp(prefix="dyno-maria.", dir="/tmp"))
        self.data = self.dir / "data"
        self.socket = self.dir / "socket"
        self.port = free_port()
        self.settings = {**SETTINGS, **settings}
        self.server = None
        self.dir.chmod(0o755)
        if os.geteuid() == 0:
            shutil.chown(self.dir, run_as().pw_uid, run_as().pw_gid)
        try:
            if template:
                self._run("cp", "-r", template, self.data)
            else:
                self._init()
            self.start()
            if not template:
                self.sql(self.USERS)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def find_server(self):
        return find_program("mariadbd")

    def environment(self):
        """Of the server; None: this process's own."""
        return None

    def arguments(self):
        """Those that come first."""
        return ["--no-defaults", f"--datadir={self.data}"]

    def _run(self, program, *args):
        done = subprocess.run(as_user([program, *map(str, args)]),
                              capture_output=True, text=True, cwd=self.dir,
                              env=self.environment(), check=False)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")

    def _init(self):
        self._run(find_program("mariadb-install-db"), "--no-defaults",
                  f"--datadir={self.data}", "--skip-test-db",
                  "--auth-root-authentication-method=normal",
                  "--innodb-log-file-size=8M", "--innodb-flush-method=nosync",
                  "--skip-name-resolve")

    def start(self):
        """Starts the server and waits until it takes connections."""
        options = [f"--{name}={value}"
                   for name, value in self.settings.items()]
        with open(self.dir / "log", "ab") as log:
            self.server = subprocess.Popen(
                as_user([self.program, *self.arguments(),
                         f"--port={self.port}", f"--socket={self.socket}",
                         f"--pid-file={self.dir}/pid", *options]),
                stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                cwd=self.dir, env=self.environment())
        for _ in range(600):
            if self.server.poll() is not None:
                raise RuntimeError((self.dir / "log").read_text())
            try:
                self.sql("SELECT 1", user="root")
                return
            except RuntimeError:
                time.sleep(0.05)
        raise RuntimeError("the server does not start")

    def stop(self, how=signal.SIGTERM):
        """SIGTERM: in order; SIGKILL: as after a crash."""
        if self.server and self.server.poll() is None:
            self.resume()
            self.server.send_signal(how)
            self.server.wait(60)
        self.server = None

    def pause(self):
        """The server stops answering, as a machine that hangs."""
        os.kill(self.server.pid, signal.SIGSTOP)

    def resume(self):
        os.kill(self.server.pid, signal.SIGCONT)

    def sql(self, text, dbname="", user="root"):
        """Runs SQL as root; the rows, a line each."""
        done = subprocess.run(
            [find_program("mariadb"), "--no-defaults", "-N", "-B", "-u", user,
             f"--socket={self.socket}", dbname], input=text,
            capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.splitlines()

    def url(self, dbname="test", user=OWNER, tcp=False, params=""):
        """Of the unix socket, or of 127.0.0.1."""
        if tcp:
            return f"mysql://{user}@127.0.0.1:{self.port}/{dbname}" + \
                (f"?{params}" if params else "")
        return f"mysql://{user}@localhost/{dbname}?socket={self.socket}" + \
            (f"&{params}" if params else "")

    def certificate(self):
        """Settings of a server with TLS: a certificate of its own."""
        if not shutil.which("openssl"):
            raise Unavailable("openssl is not installed")
        self._run("openssl", "req", "-new", "-x509", "-days", "2", "-nodes",
                  "-subj", "/CN=localhost", "-out", self.dir / "cert",
                  "-keyout", self.dir / "key")
        return {"ssl-cert": self.dir / "cert", "ssl-key": self.dir / "key"}

    def tls(self):
        """Starts again, with TLS."""
        self.stop()
        self.settings.update(self.certificate())
        self.start()

    def close(self):
        self.stop(signal.SIGKILL)
        shutil.rmtree(self.dir, ignore_errors=True)


def obey(cluster, line):
    """One command of the served program; returns what follows "ok"."""
    name, _, rest = line.partition(" ")
    if name == "sql":
        return " ".join(cluster.sql(rest))
    if name == "tls":
        return cluster.tls()
    if name == "stop":
        return cluster.stop(getattr(signal, rest or "SIGTERM"))
    if name in ("start", "pause", "resume"):
        return getattr(cluster, name)()
    raise ValueError(f"unknown command '{name}'")


def serve():
    # Ctrl-C is for whoever started this; the end of the input says it too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        cluster = MariaCluster()
    except Unavailable as why:
        print(f"unavailable={why}\n", flush=True)
        return
    with cluster:
        print(f"dir={cluster.dir}\nport={cluster.port}\n", flush=True)
        for line in sys.stdin:
            try:
                result = obey(cluster, line.rstrip("\n"))
                print("ok" if result is None else f"ok {result}", flush=True)
            except Exception as why:  # whatever it is, it is the answer
                print("error", " ".join(str(why).split()), flush=True)


if __name__ == "__main__":
    serve()

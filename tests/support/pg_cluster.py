# SPDX-License-Identifier: MIT
"""A private PostgreSQL cluster in a temporary folder, for the tests.

It listens on a unix socket in that folder and on a free port of 127.0.0.1,
nowhere else, does not sync to disk, and goes with its folder when it is
closed.  PostgreSQL refuses root, so root runs it as the user "postgres".

    with PgCluster() as pg:
        dyno.run("load", "tpcc", "--db", pg.url())

Roles: "dyno" owns everything; "secret" has the password "sesame" over TCP;
"guest" may connect and nothing else; "single" has one connection; "tls" is
let in over TLS only.

As a program it serves another one (C tests): it prints what the cluster is
as NAME=VALUE lines and an empty one, then obeys a command a line and answers
"ok …" or "error …".  The end of its input ends the cluster too, so that it
never outlives the tests.
"""
import glob
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

OWNER = "dyno"
ROLES = """
    SET password_encryption = 'scram-sha-256';
    CREATE ROLE secret LOGIN PASSWORD 'sesame';
    CREATE ROLE guest LOGIN;
    CREATE ROLE single LOGIN CONNECTION LIMIT 1;
    CREATE ROLE tls LOGIN;
"""
HBA = """
local   all secret              scram-sha-256
local   all all                 trust
host    all secret 127.0.0.1/32 scram-sha-256
hostssl all tls    127.0.0.1/32 trust
host    all tls    127.0.0.1/32 reject
host    all all    127.0.0.1/32 trust
"""
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "64MB",
    "max_connections": "40",
    # Serializable runs ended with "out of shared memory" (53200) without it.
    "max_pred_locks_per_transaction": "2048",
    "superuser_reserved_connections": "1",
    "max_wal_size": "1GB",
    "logging_collector": "off",
    "log_min_messages": "warning",
    "lc_messages": "C",
    "timezone": "UTC",
}


class Unavailable(Exception):
    """PostgreSQL, or a part of it, is not installed."""


def find_programs():
    """The folder of initdb and postgres, the newest version."""
    folders = glob.glob("/usr/lib/postgresql/*/bin")
    folders.sort(key=lambda name: int(name.split("/")[-2]))
    for folder in folders[::-1]:
        if os.access(f"{folder}/initdb", os.X_OK):
            return folder
    found = shutil.which("initdb")
    if found:
        return os.path.dirname(os.path.realpath(found))
    raise Unavailable("PostgreSQL is not installed (initdb)")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def give_away(folder):
    """To the user as whom servers run."""
    if os.geteuid() == 0:
        shutil.chown(folder, "postgres", "postgres")


def as_user(command):
    """For setpriv: without root's rights, and dead when this process is."""
    user = []
    if os.geteuid() == 0:
        user = ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
    return ["setpriv", *user, "--pdeathsig=QUIT", *command]


def is_running(pid):
    """Not what has ended and nobody has waited for."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"


class PgCluster:
    """Started when made; close() stops and removes it.

    With "base", what save() left in that folder, it begins as a copy.
    """

    def __init__(self, base=None, **settings):
        self.programs = find_programs()
        self.dir = Path(tempfile.mkdtemp(prefix="dyno-pg.", dir="/tmp"))
        self.data = self.dir / "data"
        self.port = free_port()
        self.settings = {**SETTINGS, **settings}
        self.server = None
        self.poolers = []
        give_away(self.dir)
        try:
            if base:
                self._copy(base, self.data)
            else:
                self._init()
            self._configure()
            self.start()
            if not base:
                self.sql(ROLES)
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _init(self):
        self._run("initdb", "-D", self.data, "-U", OWNER, "-A", "trust",
                  "-E", "UTF8", "--locale=C", "--no-sync")

    def _copy(self, source, target):
        subprocess.run(as_user(["cp", "-a", str(source), str(target)]),
                       check=True, cwd=self.dir)

    def save(self, folder):
        """Stops, and leaves the data there for others to begin with."""
        self.stop()
        self._copy(self.data, folder)

    def _configure(self):
        lines = [f"{name} = '{value}'\n"
                 for name, value in self.settings.items()]
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as f:
            f.writelines(lines)
        (self.data / "pg_hba.conf").write_text(HBA, encoding="utf-8")

    def _run(self, program, *args):
        done = subprocess.run(
            as_user([f"{self.programs}/{program}", *map(str, args)]),
            capture_output=True, text=True, cwd=self.dir, check=False)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stdout}{done.stderr}")
        return done.stdout

    def start(self):
        """Starts the server and waits until it takes connections."""
        with open(self.dir / "log", "ab") as log:
            self.server = subprocess.Popen(
                as_user([f"{self.programs}/postgres", "-D", str(self.data),
                         "-p", str(self.port), "-k", str(self.dir)]),
                stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                cwd=self.dir)
        for _ in range(600):
            if self.server.poll() is not None:
                raise RuntimeError((self.dir / "log").read_text())
            ready = subprocess.run(
                [f"{self.programs}/pg_isready", "-q", "-h", self.dir,
                 "-p", str(self.port)], check=False)
            if ready.returncode == 0:
                return
            time.sleep(0.05)
        raise RuntimeError("the server does not start")

    def stop(self, how=signal.SIGINT):
        """SIGINT: connections are ended; SIGQUIT: as after a crash."""
        if self.server and self.server.poll() is None:
            self.resume()
            self.server.send_signal(how)
            self.server.wait(60)
        self.server = None

    def processes(self):
        """The server's, the first one first."""
        if not self.server:
            return []
        pids = [self.server.pid]
        for name in glob.glob("/proc/[0-9]*/stat"):
            try:
                fields = Path(name).read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == self.server.pid:
                pids.append(int(name.split("/")[2]))
        return pids

    def _signal_all(self, number):
        """The processes that it was sent to."""
        pids = self.processes()
        for pid in pids:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass
        return pids

    def kill(self):
        """As a machine that loses power; start() recovers."""
        # A server that stands still begins no more processes.
        os.kill(self.server.pid, signal.SIGSTOP)
        pids = self._signal_all(signal.SIGKILL)
        self.server.wait(20)
        self.server = None
        # The memory that they share is in use until the last one is gone.
        for pid in pids:
            while is_running(pid):
                time.sleep(0.01)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def pause(self):
        """The server stops answering, as a machine that hangs."""
        self._signal_all(signal.SIGSTOP)

    def resume(self):
        self._signal_all(signal.SIGCONT)

    def sql(self, text, dbname="postgres"):
        """Runs SQL as the owner; the rows, a line each."""
        done = subprocess.run(
            [f"{self.programs}/psql", "-X", "-q", "-A", "-t", "-v",
             "ON_ERROR_STOP=1", "-h", self.dir, "-p", str(self.port), "-U",
             OWNER, dbname], input=text, capture_output=True, text=True,
            check=False)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.splitlines()

    def copy(self, template, dbname):
        """Of files: through the log it costs three times as much."""
        self.sql(f"CREATE DATABASE {dbname} TEMPLATE {template}"
                 " STRATEGY file_copy")

    def url(self, dbname="postgres", user=OWNER, tcp=False, port=None):
        """Of the unix socket, or of 127.0.0.1."""
        port = port or self.port
        if tcp:
            return f"postgres://{user}@127.0.0.1:{port}/{dbname}"
        return f"postgres:host={self.dir} port={port} user={user} " \
               f"dbname={dbname}"

    def tls(self, on):
        """Switches TLS on, with a certificate of its own, or off."""
        if on and not (self.data / "server.key").exists():
            if not shutil.which("openssl"):
                raise Unavailable("openssl is not installed")
            subprocess.run(
                as_user(["openssl", "req", "-new", "-x509", "-days", "2",
                         "-nodes", "-subj", "/CN=localhost", "-out",
                         f"{self.data}/server.crt", "-keyout",
                         f"{self.data}/server.key"]),
                check=True, capture_output=True, cwd=self.dir)
        self.sql(f"ALTER SYSTEM SET ssl = '{'on' if on else 'off'}'")
        self.server.send_signal(signal.SIGHUP)
        want = "on" if on else "off"
        for _ in range(200):
            if self.sql("SHOW ssl") == [want]:
                return
            time.sleep(0.05)
        raise RuntimeError("the setting 'ssl' does not change")

    def pooler(self, mode, **settings):
        """A PgBouncer in front; returns its port."""
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        if not os.access(program, os.X_OK):
            raise Unavailable("PgBouncer is not installed")
        port = free_port()
        options = {
            "listen_addr": "127.0.0.1", "listen_port": port,
            "unix_socket_dir": self.dir, "auth_type": "any",
            "pool_mode": mode, "default_pool_size": 10,
            "max_client_conn": 200, **settings}
        lines = [f"{name} = {value}\n" for name, value in options.items()]
        config = self.dir / f"pgbouncer-{port}.ini"
        config.write_text(
            f"[databases]\n* = host={self.dir} port={self.port} "
            f"user={OWNER}\n[pgbouncer]\n{''.join(lines)}")
        config.chmod(0o644)
        with open(self.dir / "pgbouncer.log", "ab") as log:
            self.poolers.append(subprocess.Popen(
                as_user([program, str(config)]), stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, cwd=self.dir))
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return port
            except OSError:
                time.sleep(0.05)
        raise RuntimeError((self.dir / "pgbouncer.log").read_text())

    def close(self):
        for pooler in self.poolers:
            pooler.kill()
            pooler.wait()
        self.poolers = []
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.dir, ignore_errors=True)


def obey(cluster, line):
    """One command of the served program; returns what follows "ok"."""
    name, _, rest = line.partition(" ")
    if name == "pooler":
        return cluster.pooler(rest)
    if name == "sql":
        return " ".join(cluster.sql(rest))
    if name == "tls":
        return cluster.tls(rest == "on")
    if name == "stop":
        return cluster.stop(getattr(signal, rest or "SIGINT"))
    if name in ("start", "pause", "resume"):
        return getattr(cluster, name)()
    raise ValueError(f"unknown command '{name}'")


def serve():
    # Ctrl-C is for whoever started this; the end of the input says it too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        cluster = PgCluster()
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

# SPDX-License-Identifier: MIT
"""Stored runs that differ by what a test says, made from one real run.

    make = MadeRuns(folder_of_results)
    make("a1", tps=1000, labels={"build": "a"}, composition="batched")

A run made so has the rows of the real one; its summary and its series say that
it went on at the throughput given, and response times are inversely so.
"""
import itertools
import json
import sqlite3
import uuid

COUNTS = ("committed", "rolled_back")


class MadeRuns:
    def __init__(self, folder):
        self.db = sqlite3.connect(folder / "dyno.db", isolation_level=None)
        self.db.row_factory = sqlite3.Row
        self.db.execute("PRAGMA synchronous = OFF")
        self.original, = self.db.execute("SELECT * FROM runs ORDER BY id "
                                         "LIMIT 1")
        self.places = itertools.count(1)
        # The machine's own noise is not what is tested.
        self.db.execute("UPDATE interval_transactions SET rolled_back = 0, "
                        "committed = 1000 + 10 * (number % 5)")
        self.db.execute("UPDATE intervals SET length_us = 100000")

    def close(self):
        self.db.close()

    def tables(self):
        return [name for name, in self.db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT "
            "LIKE 'sqlite_%'") if name != "runs"]

    def copy_rows(self, run, factor):
        for table in self.tables():
            for row in self.db.execute(f"SELECT * FROM {table} WHERE run = ?",
                                       [self.original["id"]]).fetchall():
                values = dict(row, run=run)
                if table == "interval_transactions":
                    values |= {name: round(row[name] * factor)
                               for name in COUNTS}
                self.insert(table, values)

    def insert(self, table, values):
        names = ", ".join(f'"{name}"' for name in values)
        marks = ", ".join("?" * len(values))
        return self.db.execute(f"INSERT INTO {table} ({names}) VALUES "
                               f"({marks})", list(values.values())).lastrowid

    def summary(self, factor, changes):
        text = json.loads(self.original["summary"])
        for key in text["throughput"]:
            if text["throughput"][key]:
                text["throughput"][key] *= factor
        for txn in text["transactions"].values():
            times = txn["response_us"]
            for key, value in times.items():
                if value and key != "over_an_hour":
                    times[key] = value / factor
        text.update(changes)
        return json.dumps(text)

    def __call__(self, name, factor=1, labels=None, summary=None, **columns):
        """factor: of the real run's throughput; columns: of the run's row."""
        values = dict(self.original, id=None, uuid=str(uuid.uuid4()),
                      name=name, number=None,
                      started_us=self.original["started_us"] +
                      next(self.places) * 1_000_000,
                      summary=self.summary(factor, summary or {}))
        values |= columns
        self.db.execute("BEGIN")
        run = self.insert("runs", values)
        self.copy_rows(run, factor)
        for key, value in (labels or {}).items():
            self.insert("labels", {"run": run, "key": key, "value": value})
        self.db.execute("COMMIT")
        return run

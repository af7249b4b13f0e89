# SPDX-License-Identifier: MIT
"""Every statement of a transaction reaches its rows through an index, with all
of the key that it is given, whatever the values of its parameters."""
import json
import re

import pytest

from conftest import ROOT

SQL = ROOT / "sql" / "tpcc" / "postgres"
STEPS = sorted(p for folder in ("literal", "batched", "single", "lookup")
               for p in (SQL / folder).glob("*.sql"))
PARAMETER = re.compile(r"(?<![:\w]):([a-z]\w*)")
# Tables of a few rows are rightly read from end to end.
SMALL = {"warehouse", "district"}
WHOLE = {"smallint", "integer", "bigint"}

COLUMNS = """
    SELECT json_build_object('columns',
        (SELECT json_object_agg(attname, format_type(atttypid, NULL))
         FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
         WHERE relkind = 'r' AND attnum > 0
           AND relnamespace = 'public'::regnamespace),
      'indexes',
        (SELECT json_object_agg(i.relname, (
             SELECT json_agg(attname ORDER BY attnum) FROM pg_attribute
             WHERE attrelid = i.oid))
         FROM pg_index JOIN pg_class i ON i.oid = indexrelid
         WHERE i.relnamespace = 'public'::regnamespace))
"""


@pytest.fixture(scope="module")
def catalog(pg, template):
    return json.loads("".join(pg.sql(COLUMNS, template)))


def statements_of(path):
    """As the driver sends them: the text and the names of $1, $2, …"""
    text = re.sub(r"^--.*\n", "", path.read_text(), flags=re.M)
    for statement in re.split(r";\s*\n", text):
        if not statement.strip():
            continue
        names = list(dict.fromkeys(PARAMETER.findall(statement)))
        yield statement, PARAMETER.sub(
            lambda m: f"${names.index(m.group(1)) + 1}", statement), names


def prepared(pg, template, sql, names, settings):
    """The types of the parameters, and the plan."""
    args = ", ".join(["NULL"] * len(names))
    out = "\n".join(pg.sql(
        f"SET plan_cache_mode = force_generic_plan; {settings}"
        f"PREPARE p AS {sql};\n"
        "SELECT to_json(parameter_types::text[]) FROM pg_prepared_statements;"
        f"EXPLAIN (FORMAT JSON) EXECUTE p{f'({args})' if args else ''}",
        template))
    types, plan = out.split("\n", 1)
    return dict(zip(names, json.loads(types))), json.loads(plan)[0]["Plan"]


def scans(node):
    if "Relation Name" in node and node["Node Type"] != "ModifyTable":
        yield node
    for child in node.get("Plans", []):
        yield from scans(child)


def mentioned(columns, text):
    return {c for c in columns if re.search(rf"\b{c}\b", text)}


def compared(columns, scan, statement):
    """Those that the statement gives a value, or bounds, in this place."""
    table = scan["Relation Name"]
    # EXPLAIN numbers a table that occurs twice by one name.
    alias = re.sub(rf"^{table}_\d+$", table, scan["Alias"])
    where = rf"\b{alias}\." if alias != table else rf"(?<!\.)\b({table}\.)?"
    return {c for c in columns
            if re.search(rf"{where}{c}\s*(=|<|>|<=|>=)\s", statement)}


def assert_uses_its_key(scan, statement, indexes):
    what = f"{scan['Node Type']} of {scan['Relation Name']}"
    assert scan["Node Type"] in ("Index Scan", "Index Only Scan"), what
    index = indexes[scan["Index Name"]]
    given = compared(index, scan, statement)
    assert given, what
    used = mentioned(index, scan.get("Index Cond", ""))
    assert used == given, f"{what} by {scan['Index Name']}"
    # The key comes first, without a gap: nothing is read and thrown away.
    assert set(index[:len(used)]) == used, what
    keys = {c for columns in indexes.values() for c in columns}
    assert not mentioned(keys, scan.get("Filter", "")), what


def inserted(statement):
    """Pairs of column and parameter of INSERT … VALUES."""
    m = re.search(r"\((.*?)\)\s*VALUES\s*\((.*)\)", statement, re.S)
    if not m:
        return []
    pairs = zip(*([x.strip() for x in part.split(",")] for part in m.groups()))
    return [(c, v[1:]) for c, v in pairs if v.startswith(":")]


def fitting(column_type, is_sum):
    """Types of a parameter that do not cost the use of an index."""
    if column_type == "character varying":
        return {column_type, "text"}
    return WHOLE if is_sum and column_type in WHOLE else {column_type}


def assert_types_of_columns(types, statement, columns):
    met = [(column, "=", name) for column, name in inserted(statement)]
    met += re.findall(r"(\w+)\s*([-+]|[<>]?=|[<>])\s*:(\w+)(?!\w|::)",
                      statement)
    checked = set()
    for column, operator, name in met:
        if column not in columns:
            continue
        assert types[name] in fitting(columns[column], operator in "+-"), \
            f":{name} for {column}"
        checked.add(name)
    for name, cast in re.findall(r":(\w+)::(\w+(?:\[\])?)", statement):
        full = {"int": "integer", "int[]": "integer[]",
                "timestamp": "timestamp without time zone"}.get(cast, cast)
        assert types[name] == full, f":{name}::{cast}"
        checked.add(name)
    assert checked == set(types)


def test_there_are_steps():
    assert len(STEPS) > 40


@pytest.mark.parametrize("path", STEPS,
                         ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_a_step_uses_the_whole_key(pg, template, catalog, path):
    for statement, sql, names in statements_of(path):
        types, plan = prepared(pg, template, sql, names,
                               "SET enable_seqscan = off;")
        assert_types_of_columns(types, statement, catalog["columns"])
        for scan in scans(plan):
            assert_uses_its_key(scan, statement, catalog["indexes"])
        # As it will be planned in a run.
        _, plan = prepared(pg, template, sql, names, "")
        for scan in scans(plan):
            if scan["Relation Name"] not in SMALL:
                assert_uses_its_key(scan, statement, catalog["indexes"])

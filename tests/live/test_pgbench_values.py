# SPDX-License-Identifier: MIT
"""Expressions have the values that pgbench gives them: one script, run by
both, evaluates each and keeps it in a table."""
import shutil
import subprocess

import pytest

# What is the same each time; each gets a variable and a row.
EXPRESSIONS = """
1 + 2 * 3
(1 + 2) * 3
7 / 2
-7 / 2
-7 % 3
7 % -3
7 / -1
7 % -1
1 - 2 - 3
7.5 / 2
1 / 3.0
2 * 1.5 + 1
-0.0
- 9223372036854775808
9223372036854775807
0.1 + 0.2
1e300 * 1e10
1.0 / 0
-1.0 / 0
.5e1 + 1.e3
5 & 3 | 8
5 # 3 & 2 | 8
~5
~ -1 + 1
~5 & 3
3 * ~5 + 1
not null is null
not 1 < 2 and true
- 2 * 3
-(-3) - -3
1 << 62
1 << 65
-8 >> 1
1 << 2 + 1
1 = 1.0
1 <> 2
1 != 1
2 < 1
2 <= 2
2.5 > 2
2 >= 2.5
not true
not 1 = 2
true and false
true or false
null and false
false and null
null or true
true or null
null = 1
null is null
1 is null
1 isnull
1 notnull
true is true
false is not true
5 is true
null is not null
null + 1
abs(-17)
abs(-1.5)
abs(-9223372036854775807 - 1)
double(5432)
double(5432) / 10
int(5.4 + 3.8)
int(2.5)
int(3.5)
int(-2.5)
exp(1.0)
ln(2.718281828459045)
ln(-1)
mod(54, 32)
mod(7.5, 4)
pi()
pow(2.0, 10)
power(2.0, 0.5)
sqrt(2.0)
sqrt(-1)
least(5, 4, 3, 2)
least(5, 4.5, 3, 2)
greatest(5, 4, 3, 2)
greatest(1, 2.5)
greatest(null, 1)
debug(5)
case when 1 then 2 else 3 end
case when 0 then 2 else 3 end
case when 0.0 then 2 when 0.1 then 4 end
case when null then 2 end
case when true then null else 1 end
hash(10)
hash(10, 5432)
hash(-10, 0)
hash_fnv1a(10)
hash_fnv1a(10, 5432)
hash_fnv1a(-9223372036854775807, -1)
hash_murmur2(10)
hash_murmur2(10, 5432)
hash_murmur2(9223372036854775807, 17)
hash(null)
hash(1.7)
permute(0, 4)
permute(1, 4)
permute(2, 4)
permute(3, 4)
permute(5, 1000, 3)
permute(999999, 1000000, -5)
permute(-1, 7, 5)
permute(12345, 1)
permute(0, 2, 1)
permute(17, 9223372036854775807, 3)
:number + 1
:text_double * 2
:text_bool
:text_null
:scale * 2
:default_seed
((((1 + 1))))
1 + case when true then 1 end * 5
random(5, 5)
random_gaussian(7, 7, 2.5)
random_exponential(8, 8, 2.5)
random_zipfian(9, 9, 1.5)
""".strip().splitlines()

DEFINES = ["number=41", "text_double=2.5", "text_bool=yes", "text_null=null",
           "scale=7", "default_seed=42"]

# Evaluations that fail, and a word of why.
FAILURES = {
    "1 / 0": "division by zero",
    "1 % 0": "division by zero",
    "9223372036854775807 + 1": "bigint add out of range",
    "-9223372036854775807 - 2": "bigint sub out of range",
    "9223372036854775807 * 2": "bigint mul out of range",
    "(-9223372036854775807 - 1) / -1": "bigint div out of range",
    "int(1e300)": "double to int overflow",
    "true + 1": "cannot coerce boolean to int",
    "1 and true": "cannot coerce int to boolean",
    "true = true": "cannot coerce boolean to int",
    "random(2, 1)": "empty range given to random",
    "random(-9223372036854775807, 9223372036854775807)":
        "random range is too large",
    "random_gaussian(1, 10, 1.5)": "gaussian parameter must be at least",
    "random_exponential(1, 10, 0)": "exponential parameter must be greater",
    "random_zipfian(1, 10, 1.0)": "zipfian parameter must be in range",
    "permute(1, 0)": "permute size parameter must be greater than zero",
}


def pgbench(pg, dbname, *args, code=0):
    program = shutil.which("pgbench", path=pg.programs) or \
        f"{pg.programs}/pgbench"
    done = subprocess.run(
        [program, "-h", pg.dir, "-p", str(pg.port), "-U", "dyno", "-n",
         *map(str, args), dbname], capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == bool(code), done.stderr
    return done.stderr


def defines():
    return [word for d in DEFINES for word in ("-D", d)]


def script_of(expressions):
    lines = []
    for i, expression in enumerate(expressions):
        lines += [f"\\set v {expression}",
                  f"INSERT INTO results VALUES ({i}, $$:v$$);"]
    return "\n".join(lines)


@pytest.fixture
def table(pg, db):
    pg.sql("CREATE TABLE results (i int, v text)", "test")
    return db


def results(pg):
    rows = pg.sql("SELECT i, v FROM results ORDER BY i", "test")
    pg.sql("TRUNCATE results", "test")
    return dict(row.split("|", 1) for row in rows)


def test_all_deterministic_functions_have_the_values_of_pgbench(
        dyno, pg, table):
    path = dyno.dir / "values.sql"
    path.write_text(script_of(EXPRESSIONS), encoding="utf-8")
    pgbench(pg, "test", "-t", 1, "-f", path, *defines())
    theirs = results(pg)
    assert len(theirs) == len(EXPRESSIONS)
    result = dyno.run("run", "-f", path, "--db", table, "-u", 1,
                      "--iterations", 1, *defines())
    assert result.code == 0, result.err + result.out
    ours = results(pg)
    different = {EXPRESSIONS[int(i)]: (ours.get(i), v)
                 for i, v in theirs.items() if ours.get(i) != v}
    assert not different


def test_what_fails_in_pgbench_fails_for_the_same_reason(dyno, pg, table):
    for expression, why in FAILURES.items():
        path = dyno.dir / "fails.sql"
        path.write_text(f"SELECT 1;\n\\set v {expression}\n",
                        encoding="utf-8")
        assert why in pgbench(pg, "test", "-t", 1, "-f", path, code=2)
        # By its name alone: a long path is broken into lines.
        d = dyno.run("run", "-f", path.name, "--db", table, "-u", 1,
                     "--iterations", 1, "-q")
        assert d.code == 3, expression
        # Words may be cut at the ends of lines.
        assert why in " ".join(d.out.split()), expression
        assert "fails.sql:2:" in d.out


DISTRIBUTIONS = {
    "random(1, 10)": 10,
    "random_gaussian(1, 10, 2.5)": 10,
    "random_exponential(1, 10, 3.0)": 10,
    "random_zipfian(1, 10, 1.5)": 10,
    "random_zipfian(1, 10, 1.05)": 10,
}


@pytest.mark.parametrize("expression", DISTRIBUTIONS)
def test_random_values_are_distributed_as_pgbench_s(
        dyno, pg, table, expression):
    """Chi-square of two samples over ten values: 27.9 is its 0.1 % point
    with nine degrees of freedom; the seeds are fixed."""
    path = dyno.dir / "draws.sql"
    path.write_text("".join(f"\\set v{i} {expression}\n" for i in range(50)) +
                    "INSERT INTO results VALUES (0, unnest(ARRAY[" +
                    ",".join(f":v{i}" for i in range(50)) + "]));\n",
                    encoding="utf-8")
    count = "SELECT v, count(*) FROM results GROUP BY v ORDER BY v::int"
    counts = []
    for who in "pgbench", "dyno":
        if who == "pgbench":
            pgbench(pg, "test", "-t", 200, "--random-seed=7", "-f", path)
        else:
            r = dyno.run("run", "-f", path, "--db", table, "-u", 2,
                         "--iterations", 200, "--seed", 7, "-q")
            assert r.code == 0, r.err + r.out
        rows = pg.sql(count, "test")
        counts.append(dict(row.split("|") for row in rows))
        pg.sql("TRUNCATE results", "test")
    chi_square = 0
    for v in map(str, range(1, DISTRIBUTIONS[expression] + 1)):
        a, b = int(counts[0].get(v, 0)), int(counts[1].get(v, 0))
        assert a + b > 20
        chi_square += (a - b) ** 2 / (a + b)
    assert set(counts[1]) <= set(map(str, range(1, 11)))
    assert chi_square < 27.9

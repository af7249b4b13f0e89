# SPDX-License-Identifier: MIT
"""The audit as a command and as a part of a run: choosing checks, and data
that was altered or is not what the options say."""
import json

import pytest

from conftest import query


def verdicts(checks):
    return {check["name"]: check["verdict"] for check in checks}


def test_the_list_names_every_check_that_a_run_makes(dyno, run, loaded):
    names = [line.split()[0] for line in
             run("audit", "tpcc", "--list").out.splitlines()]
    assert len(names) == len(set(names))
    d = dyno.summary("--db", f"sqlite:{loaded}", "--iterations", "40")
    assert {check["name"] for check in d["audit"]["checks"]} == set(names)


def test_only_the_checks_asked_for_are_made(dyno, loaded):
    args = ("--db", f"sqlite:{loaded}", "--format", "json", "--checks")
    result = dyno.run("audit", "tpcc", *args, "condition_1,population_item")
    assert result.code == 0
    found = verdicts(json.loads(result.out)["audit"]["checks"])
    assert found == {"condition_1": "passed", "population_item": "passed",
                     "population_item_original": "passed"}
    d = dyno.summary("--db", f"sqlite:{loaded}", "--iterations", "200",
                     "--checks", "inputs,accounting", "--checks", "outputs")
    groups = {name.split("_")[0] for name in
              verdicts(d["audit"]["checks"])}
    assert groups == {"inputs", "accounting", "outputs"}


def test_a_check_that_does_not_exist_is_refused(run):
    for command in ("run", "audit"):
        result = run(command, "tpcc", "--checks", "inputs,state_stocks")
        assert result.code == 2
        assert "'state_stocks' is no check" in result.err
        assert "did you mean 'state_stock'?" in result.err


def test_what_transactions_show_is_compared_with_the_tables(dyno, loaded):
    d = dyno.summary("--db", f"sqlite:{loaded}", "-u", "2", "--iterations",
                     "1200", "--checks", "outputs")
    assert d["valid"] is True
    checks = {check["name"]: check for check in d["audit"]["checks"]}
    for name in ("outputs_by_name", "outputs_customer", "outputs_district",
                 "outputs_item", "outputs_order", "outputs_delivery",
                 "outputs_warehouse", "outputs_name_rows"):
        assert checks[name]["verdict"] == "passed", name
    assert checks["outputs_customer"]["n_checked"] > 500


def test_a_database_without_data_has_its_inputs_audited(dyno):
    d = dyno.summary("--db", "noop:", "-w", "4", "--iterations", "60000")
    found = verdicts(d["audit"]["checks"])
    assert d["audit"]["passed"] is True
    assert set(found.values()) == {"passed"}
    assert all(name.startswith("inputs_") for name in found)


@pytest.mark.parametrize("option, stored, wanted", [
    ("foreign_keys", "on", "off"), ("unlogged", "on", "off")])
def test_schema_options_that_were_not_loaded_are_refused(dyno, loaded, option,
                                                         stored, wanted):
    name = "--" + option.replace("_", "-")
    if name not in dyno.run("run", "tpcc", "--help").out:
        pytest.skip(f"there is no option {name}")
    query(loaded, "INSERT OR REPLACE INTO dyno_tpcc (name, value) VALUES"
                  f" ('{option}', '{stored}')")
    args = ("run", "tpcc", "--db", f"sqlite:{loaded}", "--iterations", "10",
            "--audit", "off")
    result = dyno.run(*args, name, wanted)
    assert result.code == 1
    assert f"{name}: '{wanted}' is asked for" in result.err
    assert f"loaded with '{stored}'" in result.err
    assert "--replace" in result.err
    assert dyno.run(*args).code == 0
    assert dyno.run(*args, name, stored).code != 0  # not on SQLite

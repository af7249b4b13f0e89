# SPDX-License-Identifier: MIT
"""The documentation keeps up with the program."""
import re
import shlex

import pytest

from conftest import ROOT

COMMANDS = ["run", "load", "audit", "drop", "exec", "check", "runs",
            "compare", "report", "flip", "server", "matrix", "baseline",
            "drivers", "workloads"]
README_LINES_MAX = 60
SKIPPED_FOLDERS = {"build", ".git", "dyno-results"}


def documents():
    return sorted(path for path in ROOT.rglob("*.md")
                  if not SKIPPED_FOLDERS & set(path.relative_to(ROOT).parts))


def name_of(path):
    return str(path.relative_to(ROOT))


def workloads(run):
    return re.findall(r"^([\w:-]+)", run("workloads").out, re.M)


def help_texts(run, command):
    """The help of the command, and with each workload that it may take."""
    texts = [run(command, "--help").out]
    if "WORKLOAD" in texts[0].splitlines()[0]:
        texts += [run(command, name, "--help").out for name in workloads(run)]
    return texts


def long_options(text):
    return set(re.findall(
        r"^ {2,}(?:-\w, )?--(?:\[no-\])?([a-z][a-z-]*)", text, re.M))


def sh_lines(text):
    """The lines of the code blocks marked sh, without comments."""
    for block in re.findall(r"^```sh\n(.*?)^```", text, re.M | re.S):
        yield from block.replace("\\\n", " ").splitlines()


def commands_in(path):
    for line in sh_lines(path.read_text(encoding="utf-8")):
        words = shlex.split(line, comments=True)
        if words and words[0] in ("dyno", "./run"):
            yield line, words


def as_dyno_arguments(words):
    """./run passes its arguments to "dyno run tpcc"."""
    return ["run", "tpcc", *words[1:]] if words[0] == "./run" else words[1:]


def test_the_list_of_commands_here_is_the_program_s(run):
    listed = re.findall(r"^  (\w+) +\w", run("--help").out, re.M)
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_usage_explains_each_option(run, command):
    usage = (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"`(?:-\w`, `)?--([a-z][a-z-]*)", usage))
    options = set().union(*map(long_options, help_texts(run, command)))
    assert options, "the help lists no option"
    assert not options - documented


def test_usage_has_no_option_that_the_program_lacks(run):
    usage = (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")
    in_tables = set(re.findall(r"^\| (?:`-\w`, )?`--([a-z][a-z-]*)", usage,
                               re.M))
    options = set()
    for command in COMMANDS:
        options.update(*map(long_options, help_texts(run, command)))
    assert not in_tables - options


@pytest.mark.parametrize("command", COMMANDS)
def test_usage_has_a_heading_for_each_command(command):
    usage = (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")
    assert re.search(rf"^## .*\bdyno {command}\b", usage, re.M)


@pytest.mark.parametrize(
    "folder", sorted(path for path in (ROOT / "src").iterdir()
                     if path.is_dir()), ids=lambda path: path.name)
def test_each_folder_of_src_has_a_page_at_most(folder):
    readme = folder / "README.md"
    assert readme.is_file()
    lines = readme.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= README_LINES_MAX


@pytest.mark.parametrize("path", documents(), ids=name_of)
def test_commands_in_documents_are_understood(run, path):
    """With --help an option must still be known and its value right."""
    for line, words in commands_in(path):
        result = run(*as_dyno_arguments(words), "--help")
        assert result.code == 0, f"{line}\n{result.err}"
        assert result.out.startswith(("usage: dyno", "dyno")), line


@pytest.mark.parametrize("path", documents(), ids=name_of)
def test_links_between_documents_lead_somewhere(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def without_numbers(text):
    """Each number as "#", and all blanks alike."""
    return re.sub(r"\d[\d,.]*([num]?s\b)?", "#", " ".join(text.split()))


@pytest.mark.slow
def test_the_report_in_the_readme_reads_like_the_program_s(run):
    """Each line is of a real report, but for its numbers, on whose width it
    depends where lines break."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    excerpt = re.search(r"^```\n(\S+: valid\n.*?)^```", readme, re.M | re.S)
    # So many that some roll back, for the column of the roll-backs.
    result = run("run", "tpcc", "--iterations", 2000, "-q", timeout=120)
    assert result.code == 0, result.err
    shown = [without_numbers(line) for line in excerpt.group(1).splitlines()
             if line.strip() not in ("", "…")]
    assert len(shown) > 15
    report = without_numbers(result.out)
    assert [line for line in shown if line not in report] == []

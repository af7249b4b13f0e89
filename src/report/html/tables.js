/* SPDX-License-Identifier: MIT */
/* What is known of a run in tables: transactions, errors, settings, audit. */
"use strict";

(() => {
    const {el, format} = dyno;
    const list = (object) => Object.entries(object || {});
    const text = (name, key) => ({name, text: true, get: (r) => r[key]});

    /* ---- transactions ---- */

    const time = (kind, key) => ({
        name: key === "p999" ? "p99.9" : key, get: (r) => r[kind] &&
            dyno.known(r[kind][key]) ? r[kind][key] / 1000 : null,
        show: format.ms, title: "ms"});
    const count = (name, key) => ({name, get: (r) => r[key],
                                   show: format.count});

    const transactionColumns = (kind) => [
        {name: "transaction", text: true, get: (r) => r.name,
         show: dyno.words},
        count("committed", "committed"), count("rolled back", "rolled_back"),
        count("failed", "failed"), count("unknown", "unknown"),
        count("retries", "retries"),
        {name: "share", get: (r) => r.share, show: format.share},
        ...["mean", "p50", "p90", "p95", "p99", "p999", "max"]
            .map((key) => time(kind, key)),
        {name: "statements", get: (r) => r.statements_per_transaction,
         show: format.number, title: "for each transaction, first tries"},
        {name: "round trips", get: (r) => r.round_trips_per_transaction,
         show: format.number, title: "for each transaction, first tries"},
    ];

    dyno.transactionsSection = (run) => {
        const rows = list(run.summary.transactions).map(
            ([name, t]) => ({name, ...t}));
        const place = el("div", {});
        const show = (kind) => place.replaceChildren(
            ...dyno.tableWithCsv(`${run.name} transactions (${kind})`,
                                 transactionColumns(kind), rows));

        if (rows.length === 0)
            return null;
        show("response_us");
        return dyno.section(
            "Transactions",
            el("div", {class: "choices"}, dyno.select(
                "Times are", [["response_us", "response times: from the " +
                               "intended start to the end, retries included"],
                              ["service_us", "service times: without waiting " +
                               "in dyno's own queues"]],
                "response_us", show)), place);
    };

    dyno.statementsSection = (run) => {
        const rows = run.summary.statements || [];

        if (rows.length === 0)
            return null;
        return dyno.section("Statements", ...dyno.tableWithCsv(
            `${run.name} statements`,
            [text("transaction", "transaction"), text("call", "call"),
             text("statement", "name"), count("count", "count"),
             ...["mean", "p50", "p99", "max"].map(
                 (key) => time("time_us", key))], rows));
    };

    /* ---- errors ---- */

    dyno.errorsSection = (run) => {
        const rows = run.summary.errors || [];
        const more = run.summary.errors_not_listed;

        return dyno.section(
            "Errors",
            rows.length === 0 && dyno.note(run.status === "complete"
                ? "No error was seen."
                : "Errors by kind are stored at the end of a run; this one " +
                  "has none yet. Failures are among the charts over time."),
            rows.length > 0 && dyno.tableWithCsv(`${run.name} errors`, [
                text("transaction", "transaction"), text("class", "class"),
                {name: "code", text: true,
                 get: (r) => r.sqlstate || r.native},
                count("count", "count"), text("first text", "text")], rows),
            more > 0 && dyno.note(`${format.count(more)} errors of further ` +
                                  "kinds are not listed."));
    };

    /* ---- settings ---- */

    const settingColumns = [text("setting", "name"),
        {name: "value", text: true, get: (r) => r.value},
        text("from", "source")];

    dyno.settingsSection = (run) => {
        const rows = list(run.summary.settings).map(
            ([name, s]) => ({name, ...s}));
        const facts = list((run.summary.server || {}).facts).map(
            ([name, value]) => ({name, value}));
        const place = el("div", {});
        const show = (all) => place.replaceChildren(...dyno.tableWithCsv(
            `${run.name} settings`, settingColumns, rows.filter(
                (r) => all || r.source !== "default")));

        show(false);
        return dyno.section(
            "Settings",
            el("div", {class: "choices"}, dyno.checkbox(
                "with those left at their default", false, show)), place,
            facts.length > 0 && [
                el("h3", {}, "What the server said of itself"),
                dyno.tableWithCsv(`${run.name} server`, [
                    text("name", "name"), text("value", "value")], facts)]);
    };

    /* ---- proof ---- */

    function accounting(run)
    {
        const rows = list(run.summary.accounting).filter(([, a]) => a).map(
            ([name, a]) => ({name, ...a}));

        if (rows.length === 0)
            return null;
        return [el("h3", {}, "Accounting"), dyno.table("Accounting", [
            {name: "transaction", text: true, get: (r) => r.name,
             show: dyno.words},
            count("seen by the client", "client"), count("in the database", "db"),
            count("outcome unknown", "unknown"),
            count("difference", "difference")], rows)];
    }

    const verdict = (v, row) => el(
        "span", {class: `verdict ${row.passed === false ? "bad"
            : row.passed ? "good" : "open"}`}, dyno.words(v));

    dyno.auditSection = (run) => {
        const audit = run.summary.audit || {};
        const rows = audit.checks || [];
        const words = audit.passed === true ? "passed"
            : audit.passed === false ? "failed" : "not audited";
        const failed = rows.filter((r) => r.passed === false);
        const columns = [text("check", "title"),
            {name: "verdict", text: true, get: (r) => r.verdict,
             show: verdict},
            count("looked at", "n_checked"), count("wrong", "n_failed"),
            text("first", "detail")];

        return dyno.section(
            "Audit",
            el("p", {}, el("span", {class: "verdict " + (
                audit.passed ? "good" : audit.passed === false ? "bad"
                    : "open")}, words),
               rows.length > 0 && ` ${rows.length} checks, level ` +
               `${audit.level}, ${failed.length} failed`),
            failed.length > 0 && dyno.table("Failed checks", columns, failed),
            rows.length > 0 && dyno.details("All checks", () =>
                dyno.tableWithCsv(`${run.name} audit`, columns, rows)),
            accounting(run));
    };

    dyno.thresholdsSection = (run) => {
        const rows = run.summary.thresholds || [];
        const show = (v, r) => r.unit === "us" ? format.us(v)
            : r.unit === "share" ? format.share(v) : format.number(v);

        if (rows.length === 0)
            return null;
        return dyno.section("Thresholds", dyno.table("Thresholds", [
            text("demanded", "text"),
            {name: "measured", get: (r) => r.value, show},
            {name: "verdict", text: true,
             get: (r) => r.passed ? "passed" : "failed", show: verdict},
        ], rows));
    };

    dyno.preflightSection = (run) => {
        const rows = run.summary.preflight || [];
        const warnings = rows.filter((r) => r.warning);
        const columns = [text("finding", "name"), text("value", "value"),
                         text("why it matters", "why"),
                         text("what to do", "advice")];

        if (rows.length === 0)
            return null;
        return dyno.section(
            "Found before the run",
            warnings.length > 0
                ? dyno.table("Warnings before the run", columns, warnings)
                : dyno.note("Nothing that would distort the measurement."),
            dyno.details("All findings", () => dyno.tableWithCsv(
                `${run.name} preflight`, columns, rows)));
    };
})();

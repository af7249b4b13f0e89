/* SPDX-License-Identifier: MIT */
/* One run, from its headline to its last setting. */
"use strict";

(() => {
    const {el, format} = dyno;

    /* ---- headline ---- */

    dyno.state = (run) => {
        if (run.status === "running")
            return ["open", "goes on"];
        if (run.status === "partial")
            return ["bad", "partial"];
        return run.summary.valid ? ["good", "valid"] : ["bad", "not valid"];
    };

    dyno.badge = (run) => {
        const [kind, text] = dyno.state(run);

        return el("span", {class: `verdict ${kind}`}, text);
    };

    /* What went wrong, in words, with what to do. */
    function remarks(run)
    {
        const s = run.summary, items = [];

        if (run.status === "partial")
            items.push(["bad", "Only a part of the run was measured: " +
                (run.reason || s.run.partial_reason || "its end is missing") +
                "."]);
        if (run.status === "running")
            items.push(["open", "The run was going on when this report was " +
                "made; this is what there was."]);
        for (const name of s.invalid_reasons || [])
            items.push(["bad", dyno.pageWords.invalid[name] ||
                               dyno.words(name)]);
        for (const name of s.warnings || [])
            items.push(["open", dyno.pageWords.warnings[name] ||
                                dyno.words(name)]);
        if (s.audit && s.audit.passed === null && run.status === "complete")
            items.push(["open", "Not audited."]);
        if (s.run.note)
            items.push(["open", s.run.note]);
        return items.length === 0 ? null
            : el("ul", {class: "remarks"}, items.map(
                ([kind, text]) => el("li", {class: kind}, text)));
    }

    const fact = (name, value, small) => el(
        "div", {class: "fact"}, el("dt", {}, name), el("dd", {}, value,
            small && el("small", {}, " ", small)));

    function counted(run)
    {
        const all = run.summary.transactions || {};
        const name = run.counted in all ? run.counted : Object.keys(all)[0];

        return [name, all[name]];
    }
    dyno.countedTransaction = counted;

    /* Where no time was measured, 0 of something is no data. */
    const measured = (run) => run.summary.run.interval_s > 0;

    dyno.throughput = (run, key) => measured(run)
        ? (run.summary.throughput || {})[key] : null;
    dyno.failures = (run) => !measured(run) ? null
        : Object.values(run.summary.transactions || {})
            .reduce((sum, t) => sum + t.failed + t.unknown, 0);

    function headline(run)
    {
        const s = run.summary;
        const t = (key) => dyno.throughput(run, key);
        const [name, txn] = counted(run);
        const times = (txn || {}).response_us || {};
        const failed = dyno.failures(run);

        return el("dl", {class: "facts"},
            dyno.known(t("nopm")) && fact("new orders a minute",
                                          format.count(t("nopm")), "NOPM"),
            fact("transactions a second", format.number(t("tps")), "TPS"),
            name && fact(`p50 of ${dyno.words(name)}`, format.us(times.p50)),
            name && fact(`p99 of ${dyno.words(name)}`, format.us(times.p99)),
            fact("failed", format.count(failed), failed === 1
                ? "transaction" : "transactions"),
            fact("round trips", format.number(s.round_trips_per_transaction),
                 "a transaction"));
    }

    function whatRan(run)
    {
        const r = run.summary.run, facts = (run.summary.server || {}).facts;
        const server = [facts && facts.product, facts && facts.version]
            .filter(Boolean).join(" ") || r.driver;
        const words = [
            r.workload, r.composition, server,
            dyno.known(r.scale) && r.scale > 0 && `scale ${r.scale}`,
            `${format.count(r.vus)} users`,
            `${format.count(r.connections)} connections`,
            `${format.seconds(r.interval_s)} measured after ` +
                `${format.seconds(r.ramp_up_s)} of ramp-up`,
            run.started.replace("T", " ").replace("Z", " UTC"),
            run.host && `client on ${run.host}`,
        ].filter(Boolean);

        return el("p", {class: "what"}, words.join(" · "));
    }

    const labels = (run) => run.labels.length > 0 && el(
        "ul", {class: "labels", "aria-label": "Labels"},
        run.labels.map(([k, v]) => el("li", {}, `${k}=${v}`)));

    /* ---- over time ---- */

    /* Stretches outside of the measurement interval. */
    function phasesOf(series)
    {
        const out = [];

        series.phase.forEach((phase, i) => {
            if (phase !== 1)
                out.push([series.t[i], series.t[i] + series.len[i]]);
        });
        return out;
    }

    const middle = (series) =>
        series.t.map((t, i) => +(t + series.len[i] / 2).toFixed(3));

    function typeLines(series, key)
    {
        return series.txns.map((t, i) => ({
            name: dyno.words(t.name), color: dyno.color(i), v: t[key]}));
    }

    function throughput(run, group, base)
    {
        const s = run.series;
        const line = {name: "all transactions", color: dyno.color(0), v: s.tps};

        if (s.tps_min)
            Object.assign(line, {low: s.tps_min, high: s.tps_max});
        return dyno.timeline(group, {
            ...base, title: "Transactions a second", lines: [line],
            band: Boolean(s.tps_min), format: format.number,
            axisFormat: format.short,
            note: s.tps_min ? "mean; the band is from the least to the " +
                "highest interval" : null});
    }

    function percentiles(run, group, base)
    {
        const s = run.series, place = el("div", {});
        const lines = [["p50", 2], ["p95", 4], ["p99", 1], ["max", 5]].map(
            ([name, i]) => ({name, color: dyno.color(i), v: s[name]}));
        const show = (log) => place.replaceChildren(dyno.timeline(group, {
            ...base, title: "Response times of all transactions", lines, log,
            format: format.ms}));

        show(true);
        return [el("div", {class: "choices"},
                   dyno.checkbox("logarithmic", true, show)), place];
    }

    function byType(run, group, base)
    {
        const place = el("div", {});
        const titles = {tps: "Transactions a second, by type",
                        p50: "p50 by type", p99: "p99 by type"};
        const show = (key) => place.replaceChildren(dyno.timeline(group, {
            ...base, title: titles[key], lines: typeLines(run.series, key),
            format: key === "tps" ? format.number : format.ms}));

        if (run.series.txns.length < 2)
            return null;
        show("p99");
        return [el("div", {class: "choices"}, dyno.select(
            "Of each type:", Object.entries(titles), "p99", show)), place];
    }

    function trouble(run, group, base)
    {
        const s = run.series;
        const lines = [["failed", "failed", 5], ["retries", "retries", 4]]
            .filter(([key]) => s[key]).map(([key, name, i]) => ({
                name, color: dyno.color(i), v: s[key]}));

        return el("div", {class: "grid"},
            lines.length > 0 && dyno.timeline(group, {
                ...base, title: "Failures and retries a second", lines,
                format: format.number}),
            dyno.timeline(group, {
                ...base, title: "Active users", format: format.count,
                lines: [{name: "users", color: dyno.color(3), v: s.users}]}),
            dyno.timeline(group, {
                ...base, title: "Timers of the client, most late",
                format: format.ms,
                lines: [{name: "late", color: dyno.color(8), v: s.lag}]}));
    }

    function overTime(run, group)
    {
        const s = run.series;
        const base = {t: middle(s), phases: phasesOf(s)};
        const about = s.per_point > 1
            ? `Each point is ${s.per_point} intervals of ` +
              `${format.seconds(s.interval_s)}: percentiles are those of all ` +
              "their transactions together, max is the longest."
            : `Each point is one interval of ${format.seconds(s.interval_s)}.`;

        return dyno.section(
            "Over time", group.controls(), throughput(run, group, base),
            percentiles(run, group, base), byType(run, group, base),
            trouble(run, group, base),
            dyno.note(about + " Drag over a chart to zoom, double-click for " +
                "the whole run; all charts follow. Ramp-up and drain are " +
                "grey and not part of the result."));
    }

    /* ---- all ---- */

    dyno.runView = (run) => {
        const s = run.series, last = s ? s.t.length - 1 : 0;
        const group = new dyno.TimeGroup(
            s ? s.t[0] : 0, s ? Math.max(s.t[last] + s.len[last],
                                         s.t[0] + 1e-3) : 1);
        const empty = dyno.section("Over time", dyno.note(dyno.noData));

        return [
            el("div", {class: "headline"},
               el("p", {class: "state"}, dyno.badge(run), " ", labels(run)),
               whatRan(run), headline(run), remarks(run)),
            dyno.thresholdsSection(run),
            s ? overTime(run, group) : empty,
            dyno.timesSection(run),
            dyno.transactionsSection(run),
            dyno.statementsSection(run),
            dyno.errorsSection(run),
            dyno.costsSection(run),
            dyno.telemetrySection(run, group),
            dyno.waitsSection(run),
            dyno.clientSection(run),
            dyno.auditSection(run),
            dyno.settingsSection(run),
            dyno.preflightSection(run),
            run.summary.disclaimer && dyno.note(run.summary.disclaimer),
        ].flat().filter(Boolean);
    };
})();

/* SPDX-License-Identifier: MIT */
/* What the run cost: the machine, the server, dyno itself; in all, over time
 * and for each transaction. */
"use strict";

(() => {
    const {el, format} = dyno;
    const PER = "_per_transaction";
    const isBytes = (name) => /bytes$/.test(name);
    const isCpu = (name) => /(^|\.)cpu_.*_us$|(^|\.)cpu_us$/.test(name);
    const shortName = (name) => dyno.words(
        name.replace(/^(host|server|client)\./, "").replace(/^waits\./, "")
            .replace(/_(us|bytes)$/, ""));

    /* ---- for each transaction, of the whole interval ---- */

    function costs(summary, part)
    {
        return Object.entries(summary[part] || {})
            .filter(([key]) => key.endsWith(PER))
            .map(([key, value]) => ({
                part, name: key.slice(0, -PER.length), value}));
    }

    const showCost = (v, row) => row.name.endsWith("_us") ? format.us(v)
        : isBytes(row.name) ? format.bytes(v) : format.number(v);

    const costColumns = [
        {name: "of", text: true, get: (r) => r.part},
        {name: "what", text: true, get: (r) => r.name,
         show: (v) => dyno.words(v.replace(/_(us|bytes)$/, ""))},
        {name: "for each transaction", get: (r) => r.value, show: showCost},
        {name: "in all", get: (r) => r.total,
         show: (v, r) => dyno.known(v) ? showCost(v, r) : "–"},
    ];

    function costRows(run)
    {
        const s = run.summary;
        const total = (part, name) => ((s[part] || {}).counters || {})[name];
        const rows = ["server", "host"].flatMap((part) => costs(s, part))
            .map((r) => ({...r, total: total(r.part, r.name)}));

        return rows.filter((r) => dyno.known(r.value));
    }

    dyno.costsSection = (run) => {
        const rows = costRows(run);
        const used = rows.filter((r) => r.value !== 0);
        const notes = (run.summary.telemetry || {}).notes || [];
        const server = (run.summary.server || {}).processes;
        const host = run.summary.host || {};

        return dyno.section(
            "What a transaction cost",
            rows.length === 0 ? dyno.note(dyno.noData)
                : dyno.tableWithCsv(`${run.name} costs`, costColumns, used),
            rows.length > used.length && dyno.note(
                "Nothing at all: " + rows.filter((r) => r.value === 0).map(
                    (r) => dyno.words(r.name)).join(", ") + "."),
            host.of && dyno.note(`The machine is that of the ${host.of}.`),
            server && dyno.note(
                `${server.name || "The server"}: ${server.count} ` +
                `process${server.count === 1 ? "" : "es"}, ` +
                `${format.bytes(server.private_peak_bytes)} private and ` +
                `${format.bytes(server.shared_peak_bytes)} shared memory at ` +
                "the peak."),
            notes.map((text) => dyno.note(text)));
    };

    dyno.clientSection = (run) => {
        const c = run.summary.client || {};
        const lag = c.loop_lag_us || {};
        const rows = [
            ["CPU for each transaction", format.us(c.cpu_us_per_transaction)],
            ["of it in the kernel",
             format.us(c.cpu_system_us_per_transaction)],
            ["context switches for each transaction",
             format.number(c.context_switches_per_transaction)],
            ["busiest thread", format.share(c.busiest_thread_share) +
             (dyno.known(c.busiest_thread_share) ? " of a core" : "")],
            ["timers late: mean", format.us(lag.mean)],
            ["timers late: most", format.us(dyno.known(lag.mean) ? lag.max : null)],
            ["resident memory, peak", format.bytes(c.rss_peak_bytes)],
            ["growth in the interval", format.bytes(c.rss_growth_bytes)],
            ["allocations while measuring",
             format.count(c.run_path_allocations)],
        ].map(([name, value]) => ({name, value}));

        return dyno.section(
            "What the client cost",
            c.bound && el("p", {class: "warning"},
                          `dyno itself was short: ${c.bound}.`),
            dyno.table("The client", [
                {name: "what", text: true, get: (r) => r.name},
                {name: "how much", get: (r) => r.value}], rows));
    };

    /* ---- over time ---- */

    function charts(run)
    {
        const names = run.samples.names;
        const pick = (test) => names.filter((n) => test(n.name));
        const of = (...list) => list.map((name) => names.find(
            (n) => n.name === name)).filter(Boolean);

        return [
            {title: "CPU of the machine", stacked: true, cpu: true,
             names: of("host.cpu_user_us", "host.cpu_system_us",
                       "host.cpu_iowait_us", "host.cpu_steal_us")},
            {title: "CPU of the server and of dyno", cpu: true, mixed: true,
             names: [...pick((n) => /^server\.cpu_/.test(n)),
                     ...of("client.cpu_us")]},
            {title: "Disk, bytes", bytes: true,
             names: of("host.disk_written_bytes", "host.disk_read_bytes")},
            {title: "Log (WAL, redo), bytes", bytes: true,
             names: pick((n) => /^server\..*(wal|redo|log).*bytes$/.test(n))},
            {title: "Context switches", mixed: true,
             names: of("host.context_switches", "client.context_switches")},
            {title: "What sessions waited for", stacked: true, waits: true,
             names: pick((n) => n.startsWith("server.waits."))},
        ].filter((c) => c.names.length > 0);
    }

    /* A second or a transaction; the points of both lists are the same. */
    function valuesOf(run, chart, each)
    {
        const ended = run.samples.ended;
        const unit = chart.cpu ? (each ? 1000 : 1e6) : 1;

        return chart.names.map((n, i) => ({
            name: (chart.mixed ? n.name.split(".")[0] + " " : "") +
                shortName(n.name),
            color: dyno.color(i),
            v: n.v.map((v, k) => {
                if (!dyno.known(v))
                    return chart.stacked ? 0 : null;
                if (!each || n.kind !== "rate")
                    return v / unit;
                return ended[k] > 0 ? v / ended[k] / unit : null;
            }),
        }));
    }

    function unitOf(chart, each)
    {
        if (chart.waits)
            return "sessions, mean";
        if (chart.cpu)
            return each ? "ms for each transaction" : "cores";
        if (chart.level)
            return "level";
        return each ? "for each transaction" : "a second";
    }

    function timeline(run, group, chart, each)
    {
        const show = chart.cpu && each ? format.ms
            : chart.bytes ? format.bytes : format.short;

        return dyno.timeline(group, {
            title: chart.title, note: unitOf(chart, each), t: run.samples.t,
            lines: valuesOf(run, chart, each), stacked: chart.stacked,
            binary: chart.bytes, format: show,
        });
    }

    /* Any counter that has no chart of its own. */
    function anyCounter(run, group, each, listed)
    {
        const rest = run.samples.names.filter((n) => !listed.has(n.name));
        const place = el("div", {});
        const show = (name) => {
            const n = rest.find((one) => one.name === name);

            place.replaceChildren(timeline(run, group, {
                title: n.name.split(".")[0] + ": " + shortName(n.name),
                names: [n], bytes: isBytes(n.name), cpu: isCpu(n.name),
                level: n.kind === "level"}, each));
        };

        if (rest.length === 0)
            return null;
        show(rest[0].name);
        return [dyno.select("Any other counter:", rest.map(
            (n) => [n.name, `${n.name.split(".")[0]}: ${shortName(n.name)}`]),
            rest[0].name, show), place];
    }

    dyno.telemetrySection = (run, group) => {
        if (!run.samples || run.samples.names.length === 0)
            return dyno.section("Telemetry", dyno.note(dyno.noData));
        const place = el("div", {class: "grid"});
        const more = el("div", {});
        const all = charts(run);
        const listed = new Set(all.flatMap((c) => c.names.map((n) => n.name)));
        const show = (each) => {
            place.replaceChildren(...all.map(
                (c) => timeline(run, group, c, each)));
            more.replaceChildren(...[anyCounter(run, group, each, listed)]
                .flat().filter(Boolean));
        };

        show(false);
        return dyno.section(
            "Telemetry",
            el("div", {class: "choices"}, dyno.checkbox(
                "for each transaction instead of a second", false, show)),
            place, more,
            dyno.note("Each point is a mean over about " + format.seconds(
                (run.samples.t[1] || run.samples.t[0]) - run.samples.t[0]) +
                ". What was always 0 has no chart."));
    };

    dyno.waitsSection = (run) => {
        const server = run.summary.server || {};
        const waits = (server.waits || []).slice()
            .sort((a, b) => b.sessions - a.sessions);

        if (waits.length === 0)
            return null;
        return dyno.section(
            "Wait events", dyno.tableWithCsv(`${run.name} waits`, [
                {name: "event", text: true, get: (r) => r.event},
                {name: "sessions, mean", get: (r) => r.sessions,
                 show: format.number}], waits),
            dyno.note(`Seen in ${format.count(server.wait_samples)} looks at ` +
                "sessions that were in a statement or transaction; " +
                "\"running\" waited for nothing."));
    };
})();

/* SPDX-License-Identifier: MIT */
/* The page of many runs: what is chosen, the overview, then one run. */
"use strict";

(() => {
    const {el, svg, format} = dyno;

    /* ---- tables ---- */

    /* Throughput over time, from zero to its own maximum. */
    function spark(run)
    {
        const s = run.series;

        if (!s)
            return null;
        const most = Math.max(...s.tps.filter(dyno.known), 1e-9);
        const end = s.t[s.t.length - 1] || 1;
        const path = s.tps.map((v, i) => dyno.known(v)
            ? `${i ? "L" : "M"}${(120 * s.t[i] / end).toFixed(1)} ` +
              (23 - 22 * v / most).toFixed(1) : "").join("");

        return svg("svg", {class: "spark", viewBox: "0 0 120 24", role: "img",
                           "aria-label": "throughput over time"},
                   svg("path", {d: path}));
    }

    const stateWords = (variant) => {
        const words = variant.runs.map((r) => dyno.state(r)[1]);

        return words.every((w) => w === words[0]) ? words[0]
            : words.join(", ");
    };

    const axisColumns = (model) => model.axes.map((a) => ({
        name: dyno.words(a.name), text: true, get: (v) => v.values[a.at]}));

    const figureColumns = (model) => [
        ...axisColumns(model),
        ...model.metrics.map((m) => ({
            name: dyno.words(m.id), title: m.name, show: m.show,
            get: (v) => model.figure(v, m).mean}))];

    function variantColumns(model, state)
    {
        const {metric} = state;
        const relative = (v) => model.relative(v, state.base, metric);
        const of = (key) => (v) => model.figure(v, metric)[key];

        return [
            ...axisColumns(model),
            {name: "runs", get: (v) => v.runs.length},
            {name: "state", text: true, get: stateWords},
            {name: "lowest", get: of("low"), show: metric.show},
            {name: "mean", get: of("mean"), show: metric.show},
            {name: "highest", get: of("high"), show: metric.show},
            {name: "to base",
             get: (v) => relative(v).ratio, show: format.change},
            {name: "low", get: (v) => relative(v).low,
             show: (v) => dyno.known(v) ? format.change(v) : "–"},
            {name: "high", get: (v) => relative(v).high,
             show: (v) => dyno.known(v) ? format.change(v) : "–"},
            {name: "verdict", text: true, get: (v) => relative(v).verdict},
            {name: "stands on", text: true, get: (v) => v === state.base
                ? null : dyno.basisText[relative(v).basis]},
        ];
    }

    function variantTable(model)
    {
        const place = el("div", {});

        return {
            node: dyno.section("All variants", place, dyno.note(
                "The change and its 95 % interval are to the base chosen " +
                "above."),
                el("h3", {}, "All figures"), dyno.tableWithCsv(
                    "figures", figureColumns(model), model.variants),
                dyno.note("Means over the repeats of a variant.")),
            update: (state) => place.replaceChildren(
                el("h3", {}, state.metric.name), ...dyno.tableWithCsv(
                    `${state.metric.id} of variants`,
                    variantColumns(model, state), model.variants)),
        };
    }

    function runColumns(open)
    {
        const t = (key) => (r) => dyno.throughput(r, key);
        const txn = (key) => (r) => {
            const times = (dyno.countedTransaction(r)[1] || {}).response_us;

            return times ? times[key] : null;
        };

        return [
            {name: "run", text: true, get: (r) => r.name,
             show: (name, r) => el("button", {
                 type: "button", class: "link", onclick: () => open(r)},
                                   name)},
            {name: "state", text: true, get: (r) => dyno.state(r)[1],
             show: (v, r) => dyno.badge(r)},
            {name: "started (UTC)", text: true, get: (r) => r.started,
             show: (v) => v.slice(0, 16).replace("T", " ")},
            {name: "TPS", get: t("tps"), show: format.number},
            {name: "NOPM", get: t("nopm"), show: format.count},
            {name: "p99", title: "of the counted transaction, µs", get: txn("p99"), show: format.us},
            {name: "failed", get: dyno.failures, show: format.count},
            {name: "over time", text: true, get: () => null, show: null},
        ];
    }

    function runTable(model, open)
    {
        const columns = runColumns(open);
        const node = dyno.section("All runs",
                                  ...dyno.tableWithCsv("runs", columns.slice(
                                      0, -1), model.runs));

        node.querySelector("thead tr").append(
            el("th", {scope: "col", class: "text"}, "over time"));
        node.querySelectorAll("tbody tr").forEach((tr, i) => tr.append(
            el("td", {class: "text"}, spark(model.runs[i]) || "–")));
        return node;
    }

    /* ---- one run of them ---- */

    function runPicker(runs)
    {
        const place = el("div", {});
        const show = (run) => place.replaceChildren(
            el("h2", {}, run.name), ...dyno.runView(run));
        const select = dyno.select(
            "Run:", [["", "choose one"],
                     ...runs.map((r, i) => [String(i), r.name])], "",
            (i) => i === "" ? place.replaceChildren() : show(runs[i]));
        const node = dyno.section(
            "One run in full", el("div", {class: "choices"}, select));
        const open = (run) => {
            select.querySelector("select").value = String(runs.indexOf(run));
            show(run);
            node.scrollIntoView();
            node.querySelector("h2").setAttribute("tabindex", "-1");
            node.querySelector("h2").focus();
        };

        return {node: [node, place], open};
    }

    /* ---- what is chosen ---- */

    function chooser(model, state, update)
    {
        const set = (key, from) => (value) => {
            state[key] = from ? from(value) : value;
            update();
        };

        return el("div", {class: "chooser choices", role: "group",
                          "aria-label": "What all charts show"},
            dyno.select("Base:", model.variants.map(
                (v) => [String(v.at), v.name]), "0",
                        set("base", (i) => model.variants[i])),
            dyno.select("Figure:", model.metrics.map((m) => [m.id, m.name]),
                        state.metric.id, set("metric", (id) =>
                            model.metrics.find((m) => m.id === id))),
            dyno.checkbox("axes start at zero", state.zero, set("zero")),
            dyno.checkbox("ordered by value", state.sorted, set("sorted")));
    }

    function headline(model)
    {
        const {runs} = model, first = runs[0].summary.run;
        const n = (word) => runs.filter((r) => dyno.state(r)[1] === word)
            .length;
        const counts = ["valid", "not valid", "partial", "goes on"]
            .filter((w) => n(w) > 0).map((w) => `${n(w)} ${w}`);
        const fact = (name, value, small) => el(
            "div", {class: "fact"}, el("dt", {}, name),
            el("dd", {}, value, small && el("small", {}, " ", small)));

        return el("div", {class: "headline"},
            el("dl", {class: "facts"},
               fact("runs", runs.length, counts.join(", ")),
               fact("variants", model.variants.length),
               fact("workload", first.workload)),
            model.axes.length > 0
                ? el("p", {}, "They differ in " + model.axes.map(
                    (a) => `${dyno.words(a.name)} (${a.values.join(", ")})`)
                    .join("; ") + ".")
                : el("p", {}, "They are repeats of one another."),
            n("valid") < runs.length && el("ul", {class: "remarks"},
                el("li", {class: "bad"}, "Not all of these runs are " +
                    "complete and valid: their figures do not speak for the " +
                    "database. See the state of each below.")));
    }

    dyno.matrixView = (runs, matrix) => {
        const model = new dyno.Model(runs, matrix);

        const state = {base: model.variants[0], metric: model.metrics[0],
                       zero: true, sorted: false};
        const relative = el("div", {});
        const picker = runPicker(runs);
        const parts = [
            {node: dyno.section("Relative", relative),
             update: (s) => relative.replaceChildren(
                 ...dyno.relativeChart(model, s).filter(Boolean))},
            dyno.scalingCurve(model), dyno.latencyAgainstThroughput(model),
            dyno.heatMap(model), variantTable(model),
        ].filter(Boolean);
        const update = () => parts.forEach((p) => p.update(state));

        update();
        return [headline(model), chooser(model, state, update),
                ...parts.map((p) => p.node), runTable(model, picker.open),
                ...picker.node];
    };
})();

/* SPDX-License-Identifier: MIT */
/* Each variant against the base, with its interval. */
"use strict";

(() => {
    const {el, svg, format} = dyno;
    const ROW = 26;

    function cut(text, pixels)
    {
        const most = Math.max(6, Math.floor(pixels / 6.6));

        return text.length > most ? text.slice(0, most - 1) + "…" : text;
    }

    /* From zero as bars; else as points, since a cut bar would lie.  An
     * interval that is far wider than all ratios must not make them small: it
     * is cut. */
    function extent(rows, zero)
    {
        const ratios = rows.map((r) => r.ratio).filter(dyno.known);
        const ends = rows.flatMap((r) => [r.low, r.high]).filter(dyno.known);
        const low = Math.min(1, ...ratios), high = Math.max(1, ...ratios);
        const room = Math.max(high - low, 0.1);
        const first = Math.max(0, low - room, Math.min(low, ...ends));
        const last = Math.min(high + room / 2, Math.max(high, ...ends));
        const margin = (last - first) * 0.06;

        return zero ? [0, last + margin] : [Math.max(0, first - margin),
                                            last + margin];
    }

    /* Without an end where it is cut. */
    function whisker(row, mid, at, range)
    {
        const low = Math.max(row.low, range[0]);
        const high = Math.min(row.high, range[1]);

        return `M${at(low)} ${mid}H${at(high)}` +
            (low === row.low ? `M${at(low)} ${mid - 4}v8` : "") +
            (high === row.high ? `M${at(high)} ${mid - 4}v8` : "");
    }

    function ticksOf([low, high], width)
    {
        const rough = (high - low) / Math.max(2, width / 90);
        const power = 10 ** Math.floor(Math.log10(rough));
        const by = [1, 2, 5, 10].map((f) => f * power)
            .find((b) => b >= rough);
        const ticks = [];

        for (let i = Math.ceil(low / by); i * by <= high; i++)
            ticks.push(i * by);
        return ticks;
    }

    function colorOf(row, metric)
    {
        const word = row.verdict;

        if (word === "faster")
            return "#11906f";
        if (word === "slower")
            return "#d1571f";
        return metric.compared ? "#808890" : dyno.color(0);
    }

    function drawRow(row, i, at, spec)
    {
        const y = 24 + i * ROW, mid = y + ROW / 2, x = at(row.ratio);
        const color = colorOf(row, spec.metric);
        const parts = [
            svg("text", {class: "bar-name", x: spec.left - 8, y: mid + 4,
                         "text-anchor": "end"}, cut(row.name, spec.left - 12),
                svg("title", {}, row.name))];

        if (!dyno.known(row.ratio))
            return [parts, svg("text", {x: spec.left + 6, y: mid + 4},
                               dyno.noData)];
        if (spec.zero)
            parts.push(svg("rect", {
                x: at(0), width: Math.max(0, x - at(0)), y: y + 5,
                height: ROW - 10, fill: color, opacity: 0.75}));
        if (dyno.known(row.low) && dyno.known(row.high))
            parts.push(svg("path", {
                class: spec.zero ? "whisker" : "interval", stroke: color,
                d: whisker(row, mid, at, spec.range)}));
        if (!spec.zero)
            parts.push(svg("circle", {cx: x, cy: mid, r: 5, fill: color}));
        const end = Math.max(x, dyno.known(row.high)
            ? at(Math.min(row.high, spec.range[1])) : x);

        parts.push(svg("text", {x: end + 10, y: mid + 4}, row.text));
        return svg("g", {}, svg("title", {}, row.title), parts);
    }

    function draw(width, spec)
    {
        const height = 34 + spec.rows.length * ROW;
        const range = extent(spec.rows, spec.zero);

        const longest = Math.max(...spec.rows.map((r) => r.name.length));

        spec.range = range;
        spec.left = Math.min(longest * 6.8 + 20, Math.max(110, width * 0.34));
        const w = width - spec.left - 96;
        const at = (v) => spec.left + w * (v - range[0]) /
            (range[1] - range[0]);

        return svg("svg", {class: "plot", role: "img",
                           viewBox: `0 0 ${width} ${height}`,
                           "aria-label": spec.description},
            ticksOf(range, w).map((t) => [
                svg("line", {class: "grid", x1: at(t), x2: at(t), y1: 20,
                             y2: height - 6}),
                svg("text", {x: at(t), y: 13, "text-anchor": "middle"},
                    `${+(100 * t).toPrecision(6)} %`)]),
            svg("line", {class: "mark", x1: at(1), x2: at(1), y1: 20,
                         y2: height - 6}),
            spec.rows.map((row, i) => drawRow(row, i, at, spec)));
    }

    function rowsOf(model, state)
    {
        const rows = model.variants.map((v) => {
            const r = model.relative(v, state.base, state.metric);
            const figure = model.figure(v, state.metric);
            const interval = dyno.interval(r);

            return {...r, name: v.name, mean: figure.mean,
                    text: v === state.base ? "base" : format.change(r.ratio),
                    title: `${v.name}: ${state.metric.show(figure.mean)}` +
                        (v === state.base ? ", the base"
                         : `, ${format.change(r.ratio)}` +
                           (interval ? ` (${interval}), ${r.verdict}` : ""))};
        });

        if (state.sorted)
            rows.sort((a, b) => (b.ratio || 0) - (a.ratio || 0));
        return rows;
    }

    const columns = [
        {name: "variant", text: true, get: (r) => r.name},
        {name: "mean", get: (r) => r.mean},
        {name: "ratio", get: (r) => r.ratio},
        {name: "low", get: (r) => r.low},
        {name: "high", get: (r) => r.high},
        {name: "verdict", text: true, get: (r) => r.verdict},
    ];

    dyno.relativeChart = (model, state) => {
        const rows = rowsOf(model, state);
        const spec = {rows, metric: state.metric, zero: state.zero,
                      description: `${state.metric.name} relative to ` +
                          `${state.base.name}. ` +
                          rows.map((r) => r.title).join("; ")};
        const sure = rows.some((r) => dyno.known(r.low));

        return [
            dyno.figure(
                `${state.metric.name}, relative to ${state.base.name} = 100 %`,
                dyno.responsive((width) => draw(width, spec)),
                dyno.csvButton(`${state.metric.id} relative`, () =>
                    dyno.tableRows(columns, rows))),
            sure && dyno.note(
                "The lines are 95 % confidence intervals; those of " +
                "throughput hold together over all variants. Green is " +
                "faster, orange slower, grey shows no difference. A line " +
                "without an end goes on."),
            rows.some((r) => r.basis === 1) && dyno.note(
                "Where a variant was run once, its interval speaks of these " +
                "runs only, not of what they stand for: repeat them to know."),
            state.metric.compared && model.notCompared &&
                dyno.note(`No intervals: ${model.notCompared}.`),
        ];
    };
})();

/* SPDX-License-Identifier: MIT */
/* A heat map of two axes; the others are held at a value. */
"use strict";

(() => {
    const {el} = dyno;

    /* Mean over the variants of a cell: one, unless an axis is left open. */
    function cell(model, state, at)
    {
        const list = model.variants.filter((v) => Object.entries(at).every(
            ([a, value]) => value === null || v.values[a] === value));
        const all = list.map((v) => model.figure(v, state.metric).mean)
            .filter(dyno.known);

        if (list.length === 1 && all.length === 1)
            return {value: all[0], ratio: model.relative(
                list[0], state.base, state.metric).ratio};
        const base = model.figure(state.base, state.metric).mean;
        const value = all.length > 0
            ? all.reduce((a, b) => a + b) / all.length : null;

        return {value, ratio: base > 0 && dyno.known(value)
            ? value / base : null};
    }

    function color(metric, value, low, high)
    {
        const t = high > low ? (value - low) / (high - low) : 0.5;
        const alpha = (0.06 + 0.6 * t).toFixed(2);

        return metric.more ? `rgba(47,125,209,${alpha})`
            : `rgba(209,87,31,${alpha})`;
    }

    function grid(model, state, chosen)
    {
        const rowAxis = model.axis(chosen.row);
        const columnAxis = model.axis(chosen.column);
        const rows = rowAxis.values.map((r) => ({
            name: r, cells: columnAxis.values.map((c) => cell(
                model, state, {...chosen.fixed, [rowAxis.at]: r,
                               [columnAxis.at]: c}))}));
        const values = rows.flatMap((r) => r.cells.map((c) => c.value))
            .filter(dyno.known);
        const low = Math.min(...values), high = Math.max(...values);

        return {rows, low, high, rowAxis, columnAxis};
    }

    function show(model, state, g)
    {
        const {metric} = state;
        const head = el("tr", {},
            el("th", {scope: "col"}, `${dyno.words(g.rowAxis.name)} \\ ` +
                dyno.words(g.columnAxis.name)),
            g.columnAxis.values.map((v) => el("th", {scope: "col"}, v)));
        const body = g.rows.map((r) => el("tr", {},
            el("th", {scope: "row"}, r.name),
            r.cells.map((c) => dyno.known(c.value)
                ? el("td", {style: "background:" + color(metric, c.value,
                                                         g.low, g.high)},
                     metric.show(c.value), el("br"), el("small", {},
                         dyno.known(c.ratio) ? dyno.format.change(c.ratio)
                             : ""))
                : el("td", {}, "–"))));
        const caption = `${metric.name} by ${g.rowAxis.name} and ` +
            g.columnAxis.name;

        return el("div", {class: "scroll", tabindex: 0, role: "region",
                          "aria-label": caption},
                  el("table", {class: "heat"},
                     el("caption", {class: "hidden"}, caption),
                     el("thead", {}, head), el("tbody", {}, body)));
    }

    const csvRows = (g) => [
        [g.rowAxis.name, ...g.columnAxis.values],
        ...g.rows.map((r) => [r.name, ...r.cells.map((c) => c.value)])];

    dyno.heatMap = (model) => {
        if (model.axes.length < 2)
            return null;
        const names = model.axes.map((a) => [a.name, dyno.words(a.name)]);
        const bySize = model.axes.slice()
            .sort((a, b) => b.values.length - a.values.length);
        const chosen = {row: bySize[1].name, column: bySize[0].name,
                        fixed: {}};
        const controls = el("div", {class: "choices"});
        const place = el("div", {});
        let state = null;

        function redraw()
        {
            const g = grid(model, state, chosen);

            place.replaceChildren(
                show(model, state, g),
                dyno.csvButton(`${state.metric.id} by ${chosen.row} and ` +
                               chosen.column, () => csvRows(g)));
        }

        function choose(key, other)
        {
            return (name) => {
                if (chosen[other] === name)
                    chosen[other] = chosen[key];
                chosen[key] = name;
                ask();
                redraw();
            };
        }

        function ask()
        {
            const rest = model.axes.filter(
                (a) => ![chosen.row, chosen.column].includes(a.name));

            chosen.fixed = Object.fromEntries(
                rest.map((a) => [a.at, a.values[0]]));
            controls.replaceChildren(
                dyno.select("Rows:", names, chosen.row,
                            choose("row", "column")),
                dyno.select("Columns:", names, chosen.column,
                            choose("column", "row")),
                ...rest.map((a) => dyno.select(
                    `${dyno.words(a.name)}:`,
                    [...a.values.map((v) => [v, v]),
                     ["\0", "all of them, mean"]], a.values[0], (v) => {
                        chosen.fixed[a.at] = v === "\0" ? null : v;
                        redraw();
                    })));
        }

        ask();
        return {
            node: dyno.section("Heat map", controls, place, dyno.note(
                "Stronger is more. Below each value its change to the base.")),
            update: (s) => {
                state = s;
                redraw();
            },
        };
    };
})();

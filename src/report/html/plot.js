/* SPDX-License-Identifier: MIT */
/* Charts that are not over time, as SVG: lines, points, intervals, bars. */
"use strict";

(() => {
    const {el, svg} = dyno;

    /* Dark enough for white, light enough for black. */
    dyno.colors = ["#2f7dd1", "#d1571f", "#11906f", "#a65fc4", "#b07a08",
                   "#d0417e", "#5b7f1d", "#7a71e8", "#2b8ca3", "#a8705a"];
    dyno.color = (i) => dyno.colors[i % dyno.colors.length];
    dyno.dashes = ["", "6 3", "2 3", "8 3 2 3"];
    dyno.dash = (i) =>
        dyno.dashes[Math.floor(i / dyno.colors.length) % dyno.dashes.length];

    function step(span, n)
    {
        const rough = span / n, power = 10 ** Math.floor(Math.log10(rough));
        const f = rough / power;

        return power * (f <= 1 ? 1 : f <= 2 ? 2 : f <= 5 ? 5 : 10);
    }

    function linear(low, high, n)
    {
        if (!(high > low)) {
            low = low > 0 ? 0 : low - 1;
            high = high > low ? high : low + 1;
        }
        const by = step(high - low, n), ticks = [];
        const first = Math.floor(low / by + 1e-9) * by;
        const last = Math.ceil(high / by - 1e-9) * by;

        for (let i = 0; first + i * by <= last + by / 2; i++)
            ticks.push(+(first + i * by).toPrecision(12));
        return {low: first, high: last, ticks, at: (v) => v};
    }

    function logarithmic(low, high)
    {
        const a = Math.floor(Math.log10(low) + 1e-9);
        const b = Math.max(a + 1, Math.ceil(Math.log10(high) - 1e-9));
        const ticks = [];

        for (let i = a; i <= b; i++) {
            for (const f of b - a <= 2 ? [1, 2, 5] : [1]) {
                if (i < b || f === 1)
                    ticks.push(f * 10 ** i);
            }
        }
        return {low: a, high: b, ticks, at: Math.log10};
    }

    /* {zero, log, ticks: [[at, text], …]} of an axis and its values. */
    function scale(axis, values, n)
    {
        if (axis.ticks) {
            const at = axis.ticks.map(([v]) => v);
            const all = [...at, ...values];

            return {low: Math.min(...all), high: Math.max(...all), ticks: at,
                    at: (v) => v};
        }
        const low = Math.min(...values), high = Math.max(...values);

        if (axis.log && low > 0)
            return logarithmic(low, high);
        return linear(axis.zero ? Math.min(0, low) : low, high, n);
    }

    function axisText(axis, tick)
    {
        const fixed = axis.ticks && axis.ticks.find(([v]) => v === tick);

        return fixed ? fixed[1] : (axis.format || dyno.format.short)(tick);
    }

    const label = (x, y, text, attributes) =>
        svg("text", {x, y, ...attributes}, text);

    function drawY(box, axis, s, y)
    {
        const parts = s.ticks.map((t) => [
            svg("line", {class: t === axis.mark ? "mark" : "grid", x1: box.x,
                         x2: box.x + box.w, y1: y(t), y2: y(t)}),
            label(box.x - 6, y(t) + 4, axisText(axis, t),
                  {"text-anchor": "end"})]);

        parts.push(label(box.x - 44, box.y - 10, axis.name,
                         {class: "axis-name"}));
        return parts;
    }

    function drawX(box, axis, s, x)
    {
        let end = -Infinity;
        const parts = s.ticks.map((t) => {
            const text = axisText(axis, t), half = text.length * 3.4;
            const line = svg("line", {class: "grid", x1: x(t), x2: x(t),
                                      y1: box.y, y2: box.y + box.h});
            const fits = x(t) - half > end + 4;

            if (fits)
                end = x(t) + half;
            return [line, fits && label(x(t), box.y + box.h + 16, text,
                                        {"text-anchor": "middle"})];
        });

        parts.push(label(box.x + box.w, box.y + box.h + 34, axis.name,
                         {class: "axis-name", "text-anchor": "end"}));
        return parts;
    }

    function drawPoint(p, series, x, y)
    {
        const color = series.color;
        const parts = [];

        if (dyno.known(p.low) && dyno.known(p.high))
            parts.push(svg("line", {class: "interval", stroke: color, x1: x(p.x),
                                    x2: x(p.x), y1: y(p.low), y2: y(p.high)}));
        if (series.points !== false)
            parts.push(svg("circle", {cx: x(p.x), cy: y(p.y), r: 4,
                                      fill: color}));
        return svg("g", {}, svg("title", {}, p.title || ""), parts,
                   p.text && label(x(p.x) + 7, y(p.y) - 6, p.text,
                                   {class: "point-name"}));
    }

    function drawSeries(series, x, y)
    {
        const path = series.points_.map(
            (p, i) => `${i ? "L" : "M"}${x(p.x).toFixed(1)} ` +
                      y(p.y).toFixed(1)).join("");

        return svg("g", {},
            series.line !== false && svg("path", {
                class: "line", d: path, stroke: series.color,
                "stroke-dasharray": series.dash || null}),
            series.points_.map((p) => series.points === false && !p.title
                ? null : drawPoint(p, series, x, y)));
    }

    function draw(width, spec)
    {
        const height = spec.height || Math.max(240, Math.min(380, width / 2));
        const box = {x: 52, y: 26, w: width - 84, h: height - 70};
        const points = spec.series.flatMap((s) => s.points_);
        const sx = scale(spec.x, points.map((p) => p.x), width / 90);
        const sy = scale(spec.y, points.flatMap((p) => [p.y, p.low, p.high])
            .filter(dyno.known), 5);
        const x = (v) => box.x + box.w * (sx.at(v) - sx.low) /
            (sx.high - sx.low || 1);
        const y = (v) => box.y + box.h * (1 - (sy.at(v) - sy.low) /
            (sy.high - sy.low || 1));

        return svg("svg", {viewBox: `0 0 ${width} ${height}`, role: "img",
                           "aria-label": spec.description, class: "plot"},
                   drawY(box, spec.y, sy, y), drawX(box, spec.x, sx, x),
                   spec.series.map((s) => drawSeries(s, x, y)));
    }

    /* Drawn for the width that there is, and again when that changes. */
    dyno.responsive = (make) => {
        const node = el("div", {class: "plot-box"});
        let drawn = 0;

        function redraw()
        {
            const width = Math.max(280, Math.round(node.clientWidth || 720));

            if (Math.abs(width - drawn) < 8)
                return;
            drawn = width;
            node.replaceChildren(...[make(width)].flat());
        }
        new ResizeObserver(redraw).observe(node);
        node.redraw = () => {
            drawn = 0;
            redraw();
        };
        return node;
    };

    /*
     * spec: {description, x, y, series: [{name, color, dash, line, points,
     * data: [{x, y, low, high, title, text}]}]}.
     */
    dyno.plot = (spec) => {
        for (const s of spec.series)
            s.points_ = s.data.filter((p) => dyno.known(p.x) &&
                                             dyno.known(p.y));
        spec.series = spec.series.filter((s) => s.points_.length > 0);
        if (spec.series.length === 0)
            return dyno.note(dyno.noData);
        return dyno.responsive((width) => draw(width, spec));
    };

    dyno.legend = (series) => el("ul", {class: "legend"}, series.map((s) => el(
        "li", {}, svg("svg", {class: "key", viewBox: "0 0 24 8",
                              "aria-hidden": "true"},
                      svg("line", {x1: 1, x2: 23, y1: 4, y2: 4,
                                   stroke: s.color, "stroke-width": 3,
                                   "stroke-dasharray": s.dash || null})),
        s.name)));
})();

/* SPDX-License-Identifier: MIT */
/* Charts over time (dygraphs): what one is zoomed to, all of its group are. */
"use strict";

(() => {
    const {el} = dyno;
    const coarse = matchMedia("(pointer: coarse)").matches;

    /* The charts of one run.  low and high are the ends of the data. */
    function Group(low, high)
    {
        const charts = [];
        let busy = false, range = [low, high];
        const shown = el("output", {class: "range"});

        function say()
        {
            const all = range[0] <= low && range[1] >= high;

            shown.textContent = `${dyno.format.clock(range[0])} to ` +
                dyno.format.clock(range[1]) + (all ? "" : ", zoomed");
        }

        /* As far as there are data, and not closer than one can see. */
        function set(a, b)
        {
            const least = (high - low) / 2000;
            const span = Math.min(Math.max(b - a, least), high - low);

            a = Math.min(Math.max(a, low), high - span);
            range = [a, a + span];
            busy = true;
            for (const chart of charts)
                chart.updateOptions({dateWindow: range.slice()});
            busy = false;
            say();
        }

        const zoom = (factor) => {
            const mid = (range[0] + range[1]) / 2;
            const half = (range[1] - range[0]) * factor / 2;

            set(mid - half, mid + half);
        };
        const move = (share) => {
            const by = (range[1] - range[0]) * share;

            set(range[0] + by, range[1] + by);
        };
        const keys = {
            "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2),
            ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25),
            Escape: () => set(low, high), 0: () => set(low, high),
        };

        this.range = () => range.slice();
        this.key = (event) => {
            const act = keys[event.key];

            if (!act || event.ctrlKey || event.metaKey || event.altKey)
                return;
            event.preventDefault();
            act();
        };
        this.add = (chart) => {
            charts.push(chart);
            chart.updateOptions({dateWindow: range.slice()});
        };
        /* The reader has dragged one of them. */
        this.dragged = (chart) => {
            if (busy || !charts.includes(chart))
                return;
            const [a, b] = chart.xAxisRange();

            if (a !== range[0] || b !== range[1])
                set(a, b);
        };
        this.select = (from, x) => {
            for (const chart of charts)
                chart.show(x, chart === from);
        };
        const button = (text, name, act) => el(
            "button", {type: "button", "aria-label": name, title: name,
                       onclick: act}, text);

        this.controls = () => el(
            "div", {class: "zoom", role: "group",
                    "aria-label": "Time shown by all charts"},
            button("+", "Zoom in", () => zoom(0.5)),
            button("−", "Zoom out", () => zoom(2)),
            button("←", "Earlier", () => move(-0.5)),
            button("→", "Later", () => move(0.5)),
            button("Whole run", "Show the whole run", () => set(low, high)),
            shown);
        say();
    }
    dyno.TimeGroup = Group;

    /* Outside of the measurement interval the ground is grey. */
    function shade(phases)
    {
        return (canvas, area, chart) => {
            canvas.fillStyle = "rgba(128,128,128,0.16)";
            for (const [from, to] of phases) {
                const a = Math.max(chart.toDomXCoord(from), area.x);
                const b = Math.min(chart.toDomXCoord(to), area.x + area.w);

                if (b > a)
                    canvas.fillRect(a, area.y, b - a, area.h);
            }
        };
    }

    /* Names with the value under the pointer; each can be switched off. */
    function Legend(spec)
    {
        const values = [];
        let chart = null;
        const items = spec.lines.map((line, i) => {
            const value = el("span", {class: "value"});
            const item = el("button", {type: "button", class: "toggle",
                                       "aria-pressed": "true",
                                       onclick: () => toggle(i)},
                            el("i", {style: `background:${line.color}`}),
                            line.name, " ", value);

            values.push(value);
            return item;
        });

        function toggle(i)
        {
            const on = items[i].getAttribute("aria-pressed") !== "true";

            items[i].setAttribute("aria-pressed", String(on));
            chart.setVisibility(i, on);
        }
        this.node = el("div", {class: "legend", role: "group",
                               "aria-label": "Lines"}, items);
        this.attach = (c) => { chart = c; };
        this.show = (row) => values.forEach((node, i) => {
            const v = row && row[i + 1];

            node.textContent = row
                ? spec.format(Array.isArray(v) ? v[1] : v) : "";
        });
    }

    /* Values of a column as rows of dygraphs. */
    function rowsOf(spec)
    {
        return spec.t.map((t, i) => [t, ...spec.lines.map((line) => {
            const v = line.v[i];

            if (!spec.band)
                return v === undefined ? null : v;
            return line.low ? [line.low[i], v, line.high[i]] : [v, v, v];
        })]);
    }

    /* Steps of time that people count in. */
    const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900,
                   1800, 3600, 7200, 14400, 28800, 86400];

    function timeTicks(low, high, pixels)
    {
        const by = steps.find((s) => (high - low) / s <= pixels / 80) ||
            86400 * Math.ceil((high - low) / 86400 / 8);
        const ticks = [];

        for (let i = Math.ceil(low / by); i * by <= high; i++)
            ticks.push({v: i * by, label: dyno.format.clock(i * by)});
        return ticks;
    }

    function options(spec, group, legend)
    {
        return {
            labels: ["time", ...spec.lines.map((l) => l.name)],
            colors: spec.lines.map((l) => l.color),
            customBars: Boolean(spec.band),
            stackedGraph: Boolean(spec.stacked),
            fillAlpha: spec.stacked ? 0.45 : 0.22,
            includeZero: !spec.log && spec.zero !== false,
            logscale: Boolean(spec.log),
            legend: "never",
            connectSeparatedPoints: false,
            strokeWidth: 1.6,
            highlightCircleSize: 3,
            gridLineColor: "rgba(128,128,128,0.3)",
            axisLineColor: "rgba(128,128,128,0.6)",
            axes: {
                x: {valueFormatter: dyno.format.clock, ticker: timeTicks},
                y: {axisLabelFormatter: (v) => spec.axisFormat(v),
                    axisLabelWidth: 62, labelsKMG2: Boolean(spec.binary)},
            },
            underlayCallback: shade(spec.phases || []),
            drawCallback: (chart, first) => {
                if (!first)
                    group.dragged(chart);
            },
            highlightCallback: (event, x) => group.select(null, x),
            unhighlightCallback: () => legend.show(null),
            /* A finger scrolls the page; the buttons zoom. */
            ...(coarse ? {interactionModel: {}} : {}),
        };
    }

    /* A row for each point that the reader sees. */
    const csvRows = (spec) => [
        ["time_s", ...spec.lines.flatMap((l) => l.low
            ? [`${l.name} min`, l.name, `${l.name} max`] : [l.name])],
        ...spec.t.map((t, i) => [t, ...spec.lines.flatMap((l) => l.low
            ? [l.low[i], l.v[i], l.high[i]] : [l.v[i]])]),
    ];

    function extremes(spec)
    {
        const words = spec.lines.map((line) => {
            const v = line.v.filter(dyno.known);

            if (v.length === 0)
                return `${line.name} ${dyno.noData}`;
            return `${line.name} from ${spec.format(Math.min(...v))} to ` +
                spec.format(Math.max(...v));
        });

        return `${spec.title}: ${words.join("; ")}. Plus and minus zoom, ` +
            "arrows move, 0 shows all.";
    }

    /*
     * spec: {title, t, lines: [{name, color, v, low, high}], format,
     * axisFormat, band, stacked, log, zero, phases, note}.
     */
    dyno.timeline = (group, spec) => {
        const legend = new Legend(spec);
        const box = el("div", {class: "time-box", tabindex: 0, role: "img",
                               "aria-label": extremes(spec),
                               onkeydown: group.key});
        const any = spec.lines.some((l) => l.v.some(dyno.known));

        spec.axisFormat = spec.axisFormat || spec.format;
        if (!any)
            return dyno.figure(spec.title, dyno.note(dyno.noData));
        const rows = rowsOf(spec);

        /* dygraphs needs to know how wide it will be. */
        requestAnimationFrame(() => {
            const chart = new Dygraph(box, rows, options(spec, group, legend));

            chart.show = (x) => {
                const at = rows.findIndex((row) => row[0] === x);

                legend.show(rows[at] || null);
            };
            legend.attach(chart);
            group.add(chart);
            box.chart = chart;
        });
        return dyno.figure([spec.title, spec.note &&
                            el("small", {}, " ", spec.note)],
                           legend.node, box,
                           dyno.csvButton(spec.title, () => csvRows(spec)));
    };
})();

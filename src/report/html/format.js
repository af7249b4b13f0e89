/* SPDX-License-Identifier: MIT */
/* Numbers as people read them.  What was not measured is "no data". */
"use strict";

(() => {
    const NONE = "no data";
    const grouped = new Intl.NumberFormat("en", {maximumFractionDigits: 0});
    const known = (v) => typeof v === "number" && isFinite(v);

    /* Three digits that count, or all of a whole number. */
    function plain(v)
    {
        const size = Math.abs(v);

        if (size >= 100 || v === 0)
            return grouped.format(v);
        if (size >= 10)
            return String(+v.toFixed(1));
        if (size >= 1)
            return String(+v.toFixed(2));
        return String(+v.toPrecision(2));
    }

    function scaled(v, steps)
    {
        for (const [unit, name] of steps) {
            if (Math.abs(v) >= unit)
                return plain(v / unit) + name;
        }
        return plain(v);
    }

    const or = (f) => (v) => known(v) ? f(v) : NONE;

    dyno.known = known;
    dyno.noData = NONE;
    dyno.format = {
        number: or(plain),
        count: or((v) => grouped.format(v)),
        ms: or((v) => {
            if (v === 0)
                return "0 ms";
            if (v < 1)
                return plain(v * 1000) + " µs";
            return v < 1000 ? plain(v) + " ms" : plain(v / 1000) + " s";
        }),
        us: or((v) => dyno.format.ms(v / 1000)),
        bytes: or((v) => scaled(v, [[2 ** 40, " TB"], [2 ** 30, " GB"],
                                    [2 ** 20, " MB"], [2 ** 10, " KB"],
                                    [1, " B"]]) +
            (Math.abs(v) < 1 ? " B" : "")),
        /* For axes, where room is short. */
        short: or((v) => {
            if (Math.abs(v) < 1e4)
                return plain(v);
            return scaled(v, [[1e12, "T"], [1e9, "G"], [1e6, "M"],
                              [1e3, "k"]]);
        }),
        share: or((v) => {
            const pct = 100 * v;

            return (pct > 0 && pct < 0.01 ? "<0.01" : plain(pct)) + " %";
        }),
        seconds: or((v) => {
            if (v < 120)
                return plain(v) + " s";
            if (v < 7200)
                return plain(v / 60) + " min";
            return plain(v / 3600) + " h";
        }),
        /* Time since the run began: 0:05, 1:02:03. */
        clock: or((v) => {
            const sign = v < 0 ? "-" : "";
            const t = Math.abs(v);
            const h = Math.floor(t / 3600), m = Math.floor(t / 60) % 60;
            const s = t % 60, two = (n) => String(n).padStart(2, "0");
            const whole = Math.floor(s + 1e-6);
            const rest = s - whole > 0.005
                ? (s - whole).toFixed(1).slice(1) : "";

            return sign + (h ? `${h}:${two(m)}` : m) + ":" + two(whole) + rest;
        }),
        /* A ratio as a change: +12 %, −3.4 %. */
        change: or((v) => {
            const pct = 100 * (v - 1);

            return (pct >= 0 ? "+" : "−") + plain(Math.abs(pct)) + " %";
        }),
    };
    /* "wal_bytes" → "wal bytes" */
    dyno.words = (name) => name.replace(/_/g, " ");
})();

/* SPDX-License-Identifier: MIT */
/* The distribution of latencies: how long did what share of transactions take?
 * Each step to the right is ten times rarer. */
"use strict";

(() => {
    const {el} = dyno;
    const ticks = [[0, "min"], [1, "90 %"], [2, "99 %"], [3, "99.9 %"],
                   [4, "99.99 %"], [5, "99.999 %"], [6, "99.9999 %"],
                   [7, "7 nines"], [8, "8 nines"]];

    const rarity = (above) => -Math.log10(above);
    const percent = (above) => {
        const digits = Math.max(0, Math.ceil(-Math.log10(above)) - 1);

        return (100 * (1 - above)).toFixed(Math.min(digits, 6)) + " %";
    };

    function curves(run)
    {
        const all = run.percentiles || [];
        const types = all.filter((c) => c.kind === "response" && c.name);
        const whole = all.find((c) => c.kind === "response" && !c.name);
        const service = all.find((c) => c.kind === "service" && !c.name);
        const waited = whole && service &&
            service.ms.some((v, i) => v !== whole.ms[i]);
        const list = types.map((c, i) => ({name: dyno.words(c.name), curve: c,
                                           color: dyno.color(i)}));

        if (whole && types.length > 1)
            list.push({name: "all", curve: whole, color: "#808080"});
        if (waited)
            list.push({name: "all, without waiting in dyno", curve: service,
                       color: "#808080", dash: "6 3"});
        return list;
    }

    function draw(list, log)
    {
        const most = Math.max(...list.flatMap((s) => s.curve.above)
            .map(rarity));

        return dyno.plot({
            description: "Response time by percentile. " + list.map((s) => {
                const ms = s.curve.ms;

                return `${s.name}: longest ` +
                    dyno.format.ms(ms[ms.length - 1]);
            }).join("; "),
            x: {name: "percentile",
                ticks: ticks.filter(([at]) => at <= Math.ceil(most))},
            y: {name: "response time, ms", zero: true, log},
            series: list.map((s) => ({...s, points: false,
                data: s.curve.above.map((above, i) => ({
                    x: rarity(above), y: s.curve.ms[i]}))})),
        });
    }

    const columns = [
        {name: "transaction", text: true, get: (r) => r.name},
        {name: "percentile", get: (r) => percent(r.above), text: true},
        {name: "ms", get: (r) => r.ms},
    ];

    const rows = (list) => list.flatMap((s) => s.curve.above.map(
        (above, i) => ({name: s.name, above, ms: s.curve.ms[i]})));

    dyno.timesSection = (run) => {
        const list = curves(run);
        const place = el("div", {});

        if (list.length === 0)
            return dyno.section("Latency by percentile",
                                dyno.note(dyno.noData));
        const show = (log) => place.replaceChildren(draw(list, log));

        show(true);
        return dyno.section(
            "Latency by percentile",
            dyno.figure("Response time that a share of transactions did not " +
                        "exceed",
                        el("div", {class: "choices"},
                           dyno.checkbox("logarithmic", true, show)),
                        dyno.legend(list), place,
                        dyno.csvButton(`${run.name} percentiles`, () =>
                            dyno.tableRows(columns, rows(list)))));
    };
})();

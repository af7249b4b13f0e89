/* SPDX-License-Identifier: MIT */
/* How figures grow with the users, and what throughput costs in latency. */
"use strict";

(() => {
    const {el} = dyno;

    /* Axes that are the users themselves, or follow them. */
    function usersAxes(model)
    {
        return model.axes.filter((a) => {
            const ofUsers = new Map();

            for (const v of model.variants) {
                const users = model.users(v), other = ofUsers.get(users);

                if (other !== undefined && other !== v.values[a.at])
                    return false;
                ofUsers.set(users, v.values[a.at]);
            }
            return true;
        }).map((a) => a.at);
    }

    /* A line for what else differs, in the order of users. */
    function linesOf(model)
    {
        const but = usersAxes(model), lines = new Map();

        for (const v of model.variants) {
            const users = model.users(v);
            const key = model.nameOf(v.values, but);

            if (!dyno.known(users))
                continue;
            if (!lines.has(key))
                lines.set(key, []);
            lines.get(key).push({users, variant: v});
        }
        return [...lines].map(([name, points], i) => ({
            name, color: dyno.color(i), dash: dyno.dash(i),
            points: points.sort((a, b) => a.users - b.users)}));
    }

    function series(model, lines, point)
    {
        return lines.map((l) => ({
            name: l.name, color: l.color, dash: l.dash,
            data: l.points.map((p) => point(l, p))}));
    }

    function scalingPlot(model, state, lines)
    {
        const users = [...new Set(lines.flatMap(
            (l) => l.points.map((p) => p.users)))].sort((a, b) => a - b);
        const metric = state.metric;
        const list = series(model, lines, (l, p) => {
            const f = model.figure(p.variant, metric);

            return {x: Math.log2(p.users), y: f.mean,
                    low: f.n > 1 ? f.low : null,
                    high: f.n > 1 ? f.high : null,
                    title: `${l.name}, ${p.users} users: ` +
                        metric.show(f.mean)};
        });

        return dyno.figure(
            `${metric.name} over users`, dyno.legend(list), dyno.plot({
                description: `${metric.name} over users. ` + list.flatMap(
                    (s) => s.data.map((p) => p.title)).join("; "),
                x: {name: "virtual users",
                    ticks: users.map((u) => [Math.log2(u), String(u)])},
                y: {name: metric.name + (metric.unit || ""), zero: state.zero,
                    format: metric.ticks || dyno.format.short},
                series: list}),
            dyno.csvButton(`${metric.id} over users`, () => [
                ["line", "users", "mean", "lowest", "highest", "runs"],
                ...lines.flatMap((l) => l.points.map((p) => {
                    const f = model.figure(p.variant, metric);

                    return [l.name, p.users, f.mean, f.low, f.high, f.n];
                }))]));
    }

    function tradePlot(model, lines, state)
    {
        const rate = model.metrics[0];
        const time = model.metrics.find((m) => m.id === state.latency);
        const list = series(model, lines, (l, p) => {
            const x = model.figure(p.variant, rate).mean;
            const y = model.figure(p.variant, time).mean;

            return {x, y, text: String(p.users),
                    title: `${l.name}, ${p.users} users: ${rate.show(x)}, ` +
                        time.show(y)};
        });

        return dyno.figure(
            `${time.name} against throughput`, dyno.legend(list), dyno.plot({
                description: `${time.name} against ${rate.name}. ` +
                    list.flatMap((s) => s.data.map((p) => p.title)).join("; "),
                x: {name: rate.name, zero: true},
                y: {name: time.name + time.unit, zero: true},
                series: list}),
            dyno.csvButton(`${time.id} against throughput`, () => [
                ["line", "users", rate.name, time.name],
                ...lines.flatMap((l) => l.points.map((p) => [
                    l.name, p.users, model.figure(p.variant, rate).mean,
                    model.figure(p.variant, time).mean]))]));
    }

    dyno.scalingCurve = (model) => {
        const lines = linesOf(model);
        const place = el("div", {});

        if (!lines.some((l) => new Set(l.points.map((p) => p.users)).size > 1))
            return null;
        return {
            node: dyno.section("Scaling over users", place, dyno.note(
                "Points are means; lines through them go from the lowest to " +
                "the highest repeat. The users are spaced by doublings.")),
            update: (state) => place.replaceChildren(
                scalingPlot(model, state, lines)),
        };
    };

    dyno.latencyAgainstThroughput = (model) => {
        const lines = linesOf(model);
        const times = model.metrics.filter((m) => /^p\d/.test(m.id));
        const place = el("div", {});
        let state = {latency: times.length > 0
            ? times[times.length - 1].id : null};
        const redraw = () => place.replaceChildren(
            tradePlot(model, lines, state));

        if (times.length === 0 || model.variants.length < 2)
            return null;
        return {
            node: dyno.section(
                "Latency against throughput",
                el("div", {class: "choices"}, dyno.select(
                    "Latency:", times.map((m) => [m.id, m.name]),
                    state.latency, (id) => {
                        state = {latency: id};
                        redraw();
                    })), place,
                dyno.note("Each point is a variant, with its users; right " +
                          "and low is good.")),
            update: redraw,
        };
    };
})();

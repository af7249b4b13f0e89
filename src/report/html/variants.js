/* SPDX-License-Identifier: MIT */
/* Many runs as variants: groups of repeats, their figures, and how each stands
 * to a base that the reader chooses. */
"use strict";

(() => {
    const {format} = dyno;

    const counted = (run) => (dyno.countedTransaction(run)[1] || {});
    const time = (key) => (run) => {
        const us = (counted(run).response_us || {})[key];

        return dyno.known(us) ? us / 1000 : null;
    };
    const cost = (part, key) => (run) =>
        (run.summary[part] || {})[key + "_per_transaction"];

    /* compared: the place in the list of matrix.ratios. */
    function metrics(runs)
    {
        const nopm = runs.some((r) => dyno.known(dyno.throughput(r, "nopm")));
        const name = dyno.words(dyno.countedTransaction(runs[0])[0] || "");
        const all = [
            nopm
                ? {id: "nopm", name: "new orders a minute (NOPM)", compared: 1,
                   get: (r) => dyno.throughput(r, "nopm"), more: true,
                   show: format.count}
                : {id: "tps", name: "transactions a second (TPS)", compared: 1,
                   get: (r) => dyno.throughput(r, "tps"), more: true,
                   show: format.number},
            ...["p50", "p95", "p99"].map((key, i) => ({
                id: key, name: `${key} of ${name}`, unit: ", ms",
                compared: 2 + i, get: time(key), more: false, show: format.ms})),
            nopm && {id: "tps", name: "transactions a second (TPS)",
                     get: (r) => dyno.throughput(r, "tps"), more: true,
                     show: format.number},
            {id: "round_trips", name: "round trips for each transaction",
             get: (r) => r.summary.round_trips_per_transaction,
             show: format.number},
            {id: "client_cpu", name: "client CPU for each transaction",
             get: cost("client", "cpu_us"), show: format.us, unit: ", µs"},
            {id: "server_cpu", name: "server CPU for each transaction",
             get: cost("server", "cpu_us"), show: format.us, unit: ", µs"},
            {id: "wal", name: "log written for each transaction",
             get: cost("server", "wal_bytes"), show: format.bytes,
             ticks: format.bytes},
            {id: "failed", name: "failed transactions",
             get: dyno.failures, show: format.count},
        ].filter(Boolean);

        return all.filter((m) => m.compared === 1 ||
                                 runs.some((r) => dyno.known(m.get(r))));
    }

    /* Numbers in the order of numbers. */
    const inOrder = (values) => values.every((v) => v !== "" && isFinite(v))
        ? values.slice().sort((a, b) => a - b) : values;

    const bare = (value) => isFinite(value) ||
        ["on", "off", "-", "yes", "no"].includes(value);

    dyno.Model = function (runs, matrix) {
        const ratios = matrix.ratios || [];

        this.runs = runs;
        this.axes = matrix.axes.map((name, a) => ({
            name, at: a, values: inOrder([...new Set(
                matrix.variants.map((v) => v.values[a]))])}));
        this.metrics = metrics(runs);
        this.notCompared = matrix.not_compared;
        this.nameOf = (values, but = []) => values
            .map((v, a) => but.includes(a) ? null
                : bare(v) ? `${dyno.words(this.axes[a].name)} ${v}` : v)
            .filter((v) => v !== null).join(" · ") || "all";
        this.variants = matrix.variants.map((v, at) => ({
            at, values: v.values, name: this.nameOf(v.values),
            runs: v.runs.map((i) => runs[i])}));
        this.axis = (name) => this.axes.find((a) => a.name === name);

        /* Mean, least and greatest of the repeats. */
        this.figure = (variant, metric) => {
            const all = variant.runs.map(metric.get).filter(dyno.known);

            if (all.length === 0)
                return {mean: null, low: null, high: null, n: 0};
            return {mean: all.reduce((a, b) => a + b) / all.length,
                    low: Math.min(...all), high: Math.max(...all),
                    n: all.length};
        };

        /* Of a variant to the base: {ratio, low, high, verdict, basis}. */
        this.relative = (variant, base, metric) => {
            const own = this.figure(variant, metric).mean;
            const other = this.figure(base, metric).mean;
            const plain = {ratio: dyno.known(own) && other > 0
                ? own / other : null, basis: 0};

            if (variant === base)
                return {...plain, verdict: "base"};
            const row = metric.compared && ratios[base.at] &&
                ratios[base.at][variant.at - (variant.at > base.at)];
            const got = row && row[metric.compared];

            if (!got || got.length === 0 || !dyno.known(got[0]))
                return plain;
            return {ratio: got[0], low: got[1], high: got[2], verdict: got[3],
                    smallest: got[4], basis: row[0]};
        };

        this.users = (variant) => {
            const users = variant.runs.map((r) => r.summary.run.vus);

            return users.every((u) => u === users[0]) ? users[0] : null;
        };
    };

    dyno.interval = (r) => dyno.known(r.low) && dyno.known(r.high)
        ? `${format.change(r.low)} to ${format.change(r.high)}` : null;

    dyno.basisText = ["no interval", "these runs only", "repeats"];
})();

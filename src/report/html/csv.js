/* SPDX-License-Identifier: MIT */
/* Tables for reading and for other programs; both from the same rows. */
"use strict";

(() => {
    const {el} = dyno;

    function field(value)
    {
        if (value === null || value === undefined ||
            (typeof value === "number" && !isFinite(value)))
            return "";
        const text = String(value);

        return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
    }

    dyno.csv = (rows) =>
        rows.map((row) => row.map(field).join(",") + "\r\n").join("");

    /* No request: the file is made here. */
    function save(name, text)
    {
        const url = URL.createObjectURL(new Blob([text], {type: "text/csv"}));
        const link = el("a", {href: url, download: name});

        document.body.append(link);
        link.click();
        link.remove();
        setTimeout(() => URL.revokeObjectURL(url), 10000);
    }

    const safe = (name) => name.replace(/[^\w.+-]+/g, "_").slice(0, 80);

    /* rows: a function, so that nothing is made that nobody asks for. */
    dyno.csvButton = (name, rows) => el(
        "button", {type: "button", class: "csv",
                   onclick: () => save(safe(name) + ".csv",
                                       dyno.csv(rows()))},
        "CSV", el("span", {class: "hidden"}, ` of ${name}`));

    /*
     * columns: [{name, title, get(row), show(value), text}], text for what is
     * no number; row.class is the row's.  A wide table scrolls by itself.
     */
    dyno.table = (caption, columns, rows) => {
        const head = el("tr", {}, columns.map((c) => el(
            "th", {scope: "col", class: c.text ? "text" : "number",
                   title: c.title}, c.name)));
        const body = rows.map((row) => el("tr", {class: row.class},
            columns.map((c, i) => {
                const value = c.get(row);
                const shown = c.show ? c.show(value, row) : value;
                const short = typeof shown !== "string" || shown.length < 36;

                return el(i === 0 ? "th" : "td",
                          {scope: i === 0 ? "row" : null,
                           class: !c.text ? "number"
                               : short ? "text" : "text long"},
                          shown === null || shown === undefined ? "–" : shown);
            })));

        return el("div", {class: "scroll", tabindex: 0, role: "region",
                          "aria-label": caption},
                  el("table", {}, el("caption", {class: "hidden"}, caption),
                     el("thead", {}, head), el("tbody", {}, body)));
    };

    dyno.tableRows = (columns, rows) => [
        columns.map((c) => c.name),
        ...rows.map((row) => columns.map((c) => c.get(row))),
    ];

    /* A table with a way to take it along. */
    dyno.tableWithCsv = (caption, columns, rows) => [
        dyno.table(caption, columns, rows),
        dyno.csvButton(caption, () => dyno.tableRows(columns, rows)),
    ];
})();

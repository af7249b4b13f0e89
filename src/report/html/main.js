/* SPDX-License-Identifier: MIT */
/* Reads the data of the page and shows it. */
"use strict";

(() => {
    const {el} = dyno;
    const parse = (node) => JSON.parse(node.textContent);
    const all = (name) => [...document.querySelectorAll(
        `script[type="application/json"].${name}`)];

    const system = matchMedia("(prefers-color-scheme: dark)");
    let chosen = "";

    /* Light, dark, or as the system is. */
    function paint()
    {
        document.documentElement.dataset.theme =
            chosen || (system.matches ? "dark" : "light");
    }

    function themeChoice()
    {
        return dyno.select("Colours:", [["", "as the system"],
                                        ["light", "light"], ["dark", "dark"]],
                           "", (value) => {
            chosen = value;
            paint();
        });
    }

    /* Sections of the page, to jump to. */
    function contents(main)
    {
        const links = [...main.querySelectorAll("h2")].map(
            (h) => el("li", {}, el("a", {href: `#${h.id}`}, h.textContent)));

        return el("nav", {class: "contents", "aria-label": "Sections"},
                  el("ul", {}, links));
    }
    dyno.contents = contents;

    function show()
    {
        const runs = all("run").map(parse);
        const matrix = all("matrix").map(parse)[0];
        const main = document.getElementById("main");
        const title = dyno.pageWords.title ||
            (matrix ? `${runs.length} runs of ${runs[0].summary.run.workload}`
                : runs[0].name);

        document.querySelector("header.top").append(
            el("div", {class: "bar"},
               el("span", {class: "brand"}, "dyno"), themeChoice()),
            el("h1", {}, title));
        if (matrix)
            main.append(...dyno.matrixView(runs, matrix));
        else
            main.append(...dyno.runView(runs[0]));
        if (!matrix)
            main.prepend(contents(main));
    }

    paint();
    system.addEventListener("change", paint);
    dyno.pageWords = parse(all("words")[0]);
    show();
    addEventListener("beforeprint", () => {
        for (const node of document.querySelectorAll("details")) {
            node.fill();
            node.open = true;
        }
    });
    document.documentElement.dataset.ready = "yes";
})();

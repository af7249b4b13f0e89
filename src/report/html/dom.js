/* SPDX-License-Identifier: MIT */
/* Making elements.  Texts only ever become text nodes or attributes, so that
 * what is in the data cannot become markup. */
"use strict";

const dyno = {};

(() => {
    const SVG = "http://www.w3.org/2000/svg";

    function fill(node, attributes, children)
    {
        for (const [name, value] of Object.entries(attributes || {})) {
            if (value === null || value === undefined || value === false)
                continue;
            if (name.startsWith("on"))
                node.addEventListener(name.slice(2), value);
            else
                node.setAttribute(name, value === true ? "" : value);
        }
        for (const child of children.flat(3)) {
            if (child !== null && child !== undefined && child !== false)
                node.append(child);
        }
        return node;
    }

    dyno.el = (tag, attributes, ...children) =>
        fill(document.createElement(tag), attributes, children);
    dyno.svg = (tag, attributes, ...children) =>
        fill(document.createElementNS(SVG, tag), attributes, children);

    let ids = 0;
    dyno.id = (prefix) => `${prefix}-${++ids}`;

    /* A section with a heading that names it. */
    dyno.section = (title, ...children) => {
        const id = dyno.id("section");

        return dyno.el("section", {"aria-labelledby": id},
                       dyno.el("h2", {id}, title), ...children);
    };

    /* A chart with its caption; what the chart shows is also in words. */
    dyno.figure = (caption, ...children) =>
        dyno.el("figure", {}, dyno.el("figcaption", {}, caption), ...children);

    dyno.note = (...children) => dyno.el("p", {class: "note"}, ...children);

    dyno.checkbox = (label, checked, onChange) => {
        const box = dyno.el("input", {type: "checkbox", checked});

        box.addEventListener("change", () => onChange(box.checked));
        return dyno.el("label", {class: "choice"}, box, " ", label);
    };

    /* options: [[value, text], …] */
    dyno.select = (label, options, value, onChange) => {
        const list = dyno.el("select", {}, options.map(
            ([v, text]) => dyno.el("option",
                                   {value: v, selected: v === value}, text)));

        list.addEventListener("change", () => onChange(list.value));
        return dyno.el("label", {class: "choice"}, label, " ", list);
    };

    /* What is dear to draw waits until it is opened; print opens all. */
    dyno.details = (summary, make) => {
        const body = dyno.el("div", {});
        const node = dyno.el("details", {}, dyno.el("summary", {}, summary),
                             body);

        node.fill = () => {
            if (!body.firstChild)
                body.append(...[make()].flat());
        };
        node.addEventListener("toggle", () => node.open && node.fill());
        return node;
    };
})();

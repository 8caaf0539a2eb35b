/*
 * What the report's pages do beyond showing themselves: sorting and filtering tables, hiding
 * curves, looking into matrices, and walking through best matches. Pages that need no script show
 * their tables and pictures without this. All that comes from data files becomes text nodes.
 */
"use strict";

(() => {
    const byId = (id) => document.getElementById(id);

    /* element("li", {class: "model"}, child, "text", ...) */
    function element(name, attributes, ...children) {
        const made = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) {
            made.setAttribute(key, value);
        }
        made.append(...children);
        return made;
    }

    /* ---- sorting ---- */

    /* A cell's number; -Infinity for an empty one. Minus signs and marks stand in cells too. */
    function numberOf(cell) {
        const number = parseFloat(cell.textContent);
        return Number.isNaN(number) ? -Infinity : number;
    }

    /* Which cell of a row a heading stands over: headings in earlier rows span several. */
    function columnOf(heading) {
        return [...heading.parentNode.cells].indexOf(heading);
    }

    function sortBy(table, heading, original) {
        const column = columnOf(heading);
        const before = heading.getAttribute("aria-sort");
        const numbers = heading.dataset.sort === "number";
        const up = before === null ? !numbers : before === "descending";
        const body = table.tBodies[table.tBodies.length - 1];
        const rows = [...original];
        const inOrder = !numbers && up && table.id === "classes";
        if (!inOrder) {
            rows.sort((a, b) => {
                const x = a.cells[column], y = b.cells[column];
                const difference = numbers ? numberOf(x) - numberOf(y)
                                           : x.textContent.localeCompare(y.textContent);
                return up ? difference : -difference;
            });
        }
        table.classList.toggle("sorted", !inOrder);
        for (const other of table.querySelectorAll("[aria-sort]")) {
            other.removeAttribute("aria-sort");
        }
        heading.setAttribute("aria-sort", up ? "ascending" : "descending");
        body.append(...rows);
    }

    for (const table of document.querySelectorAll("table")) {
        const original = [...table.tBodies[table.tBodies.length - 1].rows];
        for (const heading of table.querySelectorAll("th[data-sort]")) {
            const button = element("button", {type: "button"}, ...heading.childNodes);
            button.addEventListener("click", () => sortBy(table, heading, original));
            heading.append(button);
        }
    }

    /* ---- filters ---- */

    function filterRows(table, text) {
        const rows = [...table.tBodies[table.tBodies.length - 1].rows];
        for (const row of rows) {
            row.hidden = !row.cells[0].textContent.toLowerCase().includes(text);
        }
        return rows.filter((row) => !row.hidden).length;
    }

    /* A class whose name fits shows all its models, another those whose id fits. */
    function filterGallery(gallery, text) {
        let shown = 0;
        for (const section of gallery.children) {
            const whole = section.querySelector("h2").textContent.toLowerCase().includes(text);
            let any = false;
            for (const model of section.querySelectorAll(".model")) {
                const id = model.querySelector(".id").textContent.toLowerCase();
                model.hidden = !whole && !id.includes(text);
                any = any || !model.hidden;
                shown += !model.hidden;
            }
            section.hidden = !any;
        }
        return shown;
    }

    for (const input of document.querySelectorAll("input[data-filter]")) {
        const target = byId(input.dataset.filter);
        const filter = target.tagName === "TABLE" ? filterRows : filterGallery;
        const box = input.closest(".filter");
        const output = box.querySelector("output");
        box.hidden = false;
        input.addEventListener("input", () => {
            const shown = filter(target, input.value.trim().toLowerCase());
            output.textContent = input.value === "" ? "" : `${shown} shown`;
        });
    }

    /* ---- the legend of the curves ---- */

    for (const box of document.querySelectorAll("input[data-curve]")) {
        const curve = document.querySelector(`.plot [data-curve="${box.dataset.curve}"]`);
        const strong = (on) => () => curve.classList.toggle("strong", on);
        box.addEventListener("change", () => {
            curve.style.display = box.checked ? "" : "none";
        });
        box.addEventListener("focus", strong(true));
        box.addEventListener("blur", strong(false));
        box.parentNode.addEventListener("pointerenter", strong(true));
        box.parentNode.addEventListener("pointerleave", strong(false));
    }

    if (typeof psb === "undefined") {
        return;
    }

    /* ---- models and classes ---- */

    const classOf = new Array(psb.models.length);
    psb.classes.forEach(([, , first, count], which) => classOf.fill(which, first, first + count));

    function className(which) {
        const names = [];
        for (let at = which; at >= 0; at = psb.classes[at][1]) {
            names.unshift(psb.classes[at][0]);
        }
        return names.join(" / ");
    }

    function picture(model, large) {
        const kind = psb.pictures[model];
        if (kind === "-") {
            return element("span", {class: "no-picture"}, "no picture");
        }
        const name = `thumbnails/${model}`;
        const size = {width: 160, height: 120, loading: "lazy", alt: ""};
        if (kind === "j") {
            return element("img", {src: `${name}.jpg`, ...size});
        }
        return large ? element("img", {...size, src: `${name}-2x.png`, width: 320, height: 240})
                     : element("img", {src: `${name}.png`, srcset: `${name}-2x.png 2x`, ...size});
    }

    /* ---- matrices ---- */

    const MOST_ZOOM = 32;

    function lookInto(matrix) {
        const pan = matrix.querySelector(".pan");
        const image = pan.querySelector("img");
        const models = psb.models.length;
        const block = element("div", {class: "block", hidden: ""});
        const readout = element("output", {class: "readout", "aria-live": "polite"});
        const view = {x: 0, y: 0, zoom: 1}; /* the image's origin in the frame, in its sides */
        const at = {row: 0, column: 0};

        const place = () => {
            const size = pan.clientWidth;
            view.x = Math.min(0, Math.max(1 - view.zoom, view.x));
            view.y = Math.min(0, Math.max(1 - view.zoom, view.y));
            image.style.transform =
                `translate(${view.x * size}px, ${view.y * size}px) scale(${view.zoom})`;
            pan.classList.toggle("near", view.zoom * size > models * 1.5);
            const [, , top, height] = psb.classes[classOf[at.row]];
            const [, , left, width] = psb.classes[classOf[at.column]];
            const unit = view.zoom * size / models;
            Object.assign(block.style, {
                left: `${view.x * size + left * unit}px`,
                top: `${view.y * size + top * unit}px`,
                width: `${Math.max(4, width * unit)}px`,
                height: `${Math.max(4, height * unit)}px`,
            });
        };

        const point = (row, column) => {
            at.row = Math.min(models - 1, Math.max(0, row));
            at.column = Math.min(models - 1, Math.max(0, column));
            block.hidden = false;
            readout.textContent =
                `Query ${psb.models[at.row]} (${className(classOf[at.row])}), ` +
                `model ${psb.models[at.column]} (${className(classOf[at.column])})`;
            place();
        };

        /* Keeps the point (x, y) of the frame where it is. */
        const zoom = (factor, x, y) => {
            const next = Math.min(MOST_ZOOM, Math.max(1, view.zoom * factor));
            view.x = x - (x - view.x) * next / view.zoom;
            view.y = y - (y - view.y) * next / view.zoom;
            view.zoom = next;
            place();
        };

        const reset = () => {
            Object.assign(view, {x: 0, y: 0, zoom: 1});
            place();
        };

        const within = (event) => {
            const box = pan.getBoundingClientRect();
            return [(event.clientX - box.left - pan.clientLeft) / pan.clientWidth,
                    (event.clientY - box.top - pan.clientTop) / pan.clientHeight];
        };

        const button = (text, label, act) => {
            const made = element("button", {type: "button", "aria-label": label}, text);
            made.addEventListener("click", act);
            return made;
        };
        const what = matrix.dataset.matrix;
        matrix.prepend(element("div", {class: "tools"},
                               button("+", `Zoom into ${what}`, () => zoom(2, 0.5, 0.5)),
                               button("\u2212", `Zoom out of ${what}`, () => zoom(0.5, 0.5, 0.5)),
                               button("Whole image", `Whole image: ${what}`, reset)));
        pan.append(block);
        matrix.append(readout);
        pan.tabIndex = 0;
        pan.setAttribute("role", "application");
        pan.setAttribute("aria-label",
                         `${image.alt}: arrow keys move, plus and minus zoom, 0 shows all`);

        let drag = null;
        pan.addEventListener("pointerdown", (event) => {
            drag = {start: within(event), x: view.x, y: view.y};
            pan.setPointerCapture(event.pointerId);
        });
        pan.addEventListener("pointermove", (event) => {
            const [x, y] = within(event);
            if (drag !== null && view.zoom > 1) {
                pan.classList.add("moving");
                view.x = drag.x + x - drag.start[0];
                view.y = drag.y + y - drag.start[1];
                place();
            }
            point(Math.floor((y - view.y) / view.zoom * models),
                  Math.floor((x - view.x) / view.zoom * models));
        });
        const drop = () => {
            drag = null;
            pan.classList.remove("moving");
        };
        pan.addEventListener("pointerup", drop);
        pan.addEventListener("pointercancel", drop);
        pan.addEventListener("dblclick", (event) => zoom(2, ...within(event)));
        pan.addEventListener("wheel", (event) => {
            if (event.ctrlKey || document.activeElement === pan) {
                event.preventDefault();
                zoom(Math.exp(-event.deltaY / 300), ...within(event));
            }
        }, {passive: false});

        const steps = {ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1]};
        pan.addEventListener("keydown", (event) => {
            const x = view.x + (at.column + 0.5) / models * view.zoom;
            const y = view.y + (at.row + 0.5) / models * view.zoom;
            if (event.key in steps) {
                const [down, right] = steps[event.key];
                point(at.row + down, at.column + right);
                const left = view.x + (at.column + 0.5) / models * view.zoom;
                const top = view.y + (at.row + 0.5) / models * view.zoom;
                view.x -= left < 0 || left > 1 ? left - 0.5 : 0;
                view.y -= top < 0 || top > 1 ? top - 0.5 : 0;
                place();
            } else if (event.key === "+" || event.key === "=") {
                zoom(2, x, y);
            } else if (event.key === "-") {
                zoom(0.5, x, y);
            } else if (event.key === "0") {
                reset();
            } else {
                return;
            }
            event.preventDefault();
        });
        addEventListener("resize", place);
    }

    document.querySelectorAll("[data-matrix]").forEach(lookInto);

    /* ---- best matches ---- */

    const page = byId("matches");
    if (page === null) {
        return;
    }

    const FIGURES = ["Nearest neighbor", "First tier", "Second tier", "E-measure", "DCG"];
    const MOST_FOUND = 24;
    const select = byId("descriptor"), search = byId("search");
    const state = {d: 0, q: 0};
    const chunks = new Map(); /* "descriptor/chunk": a promise of the queries in it */
    const arrived = new Map();

    /* Called by the files in data/. */
    psb.lists = (descriptor, chunk, lists) => arrived.get(`${descriptor}/${chunk}`)(lists);

    function load(descriptor, chunk) {
        const key = `${descriptor}/${chunk}`;
        if (!chunks.has(key)) {
            chunks.set(key, new Promise((resolve, reject) => {
                const folder = encodeURIComponent(psb.descriptors[descriptor][1]);
                arrived.set(key, resolve);
                const script = element("script", {src: `data/${folder}/${chunk}.js`});
                script.addEventListener("error", () => {
                    chunks.delete(key);
                    reject(new Error(`data/${folder}/${chunk}.js cannot be read`));
                });
                document.head.append(script);
            }));
        }
        return chunks.get(key);
    }

    function address(query) {
        return `#d=${state.d}&q=${query}`;
    }

    function card(model, lines, rank, classes) {
        const link = element("a", {href: address(model)});
        if (rank !== null) {
            link.append(rank);
        }
        link.append(picture(model, false), element("span", {class: "id"}, psb.models[model]));
        for (const line of lines) {
            link.append(element("span", {class: "line"}, line));
        }
        return element("li", {class: `model ${classes}`}, link);
    }

    function match(query, model, distance, position) {
        const [, , , count, miscellaneous] = psb.classes[classOf[query]];
        const hit = !miscellaneous && classOf[model] === classOf[query];
        const relevant = miscellaneous ? 0 : count - 1;
        const rank = element("span", {class: "rank"}, String(position));
        const chip = (kind, text) => rank.append(element("span", {class: `chip ${kind}`}, text));
        if (position === 1) {
            chip("nearest", "NN");
        }
        if (position <= relevant) {
            chip("first", "T1");
        } else if (position <= 2 * relevant) {
            chip("second", "T2");
        }
        if (hit) {
            chip("hit", "hit");
        }
        return card(model, [className(classOf[model]), `distance ${distance}`], rank,
                    hit ? "hit" : "");
    }

    function describe(query, figures) {
        const list = element("dl", {});
        figures.forEach((figure, i) => {
            list.append(element("dt", {}, FIGURES[i]),
                        element("dd", {}, (100 * figure).toFixed(1)));
        });
        const [, , , count] = psb.classes[classOf[query]];
        const text = element("div", {}, element("h2", {}, `Query ${psb.models[query]}`),
                             element("p", {}, `${className(classOf[query])}, ${count} models`),
                             figures.length > 0 ? list : "Not scored: miscellaneous class.");
        byId("query").replaceChildren(picture(query, true), text);
    }

    async function show() {
        const {d, q} = state;
        const last = psb.models.length - 1;
        select.value = d;
        byId("previous").disabled = q === 0;
        byId("next").disabled = q === last;
        const status = byId("status");
        try {
            const lists = await load(d, Math.floor(q / psb.chunk));
            if (state.d !== d || state.q !== q) {
                return; /* the reader has gone on */
            }
            const [figures, models, distances] = lists[q % psb.chunk];
            describe(q, figures);
            byId("ranked").replaceChildren(
                ...models.map((model, i) => match(q, model, distances[i], i + 1)));
            const hits = models.filter((model) => classOf[model] === classOf[q]).length;
            status.textContent = `${psb.descriptors[d][0]}: the nearest ${models.length} of ` +
                                 `${last} models, ${hits} of the query\u2019s class.`;
        } catch (error) {
            status.textContent = `This list cannot be shown: ${error.message}.`;
        }
    }

    /* The address says what is shown, so that it can be kept and sent. */
    function go(change) {
        const next = {...state, ...change};
        location.hash = `d=${next.d}&q=${next.q}`;
    }

    function readAddress() {
        const given = new URLSearchParams(location.hash.slice(1));
        const number = (name, count, otherwise) => {
            const value = given.has(name) ? Number(given.get(name)) : otherwise;
            return Number.isInteger(value) && value >= 0 && value < count ? value : 0;
        };
        state.d = number("d", psb.descriptors.length, state.d);
        state.q = number("q", psb.models.length, state.q);
        show();
    }

    /* Models whose id or class has the text, that of exactly this id first. */
    function matching(text) {
        const fits = [];
        psb.models.forEach((id, model) => {
            if (id.toLowerCase() === text) {
                fits.unshift(model);
            } else if (id.toLowerCase().includes(text) ||
                       className(classOf[model]).toLowerCase().includes(text)) {
                fits.push(model);
            }
        });
        return fits;
    }

    function find() {
        const text = search.value.trim().toLowerCase();
        const found = byId("found");
        const fits = text === "" ? [] : matching(text);
        found.replaceChildren(...fits.slice(0, MOST_FOUND).map(
            (model) => card(model, [className(classOf[model])], null, "")));
        found.hidden = fits.length === 0;
        if (text !== "") {
            const shown = Math.min(fits.length, MOST_FOUND);
            byId("status").textContent = `${fits.length} models found, ${shown} shown.`;
        }
        return fits;
    }

    select.addEventListener("change", () => go({d: Number(select.value)}));
    byId("previous").addEventListener("click", () => go({q: state.q - 1}));
    byId("next").addEventListener("click", () => go({q: state.q + 1}));
    search.addEventListener("input", find);
    page.querySelector("form").addEventListener("submit", (event) => {
        event.preventDefault();
        const fits = find();
        if (fits.length > 0) {
            go({q: fits[0]});
        }
    });
    addEventListener("hashchange", () => {
        search.value = "";
        find();
        readAddress();
        scrollTo(0, 0);
    });
    page.hidden = false;
    readAddress();
})();

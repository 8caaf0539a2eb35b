/*
 * What the report's pages do beyond showing themselves: sorting and filtering tables, hiding
 * curves, looking into matrices, and walking through best matches. Pages that need no script show
 * their tables and pictures without this. All that comes from data files becomes text nodes.
 */
"use strict";

(() => {
    const byId = (id) => document.getElementById(id);

    /* Names from right to left stand between the marks of an isolate, which are no part of them. */
    const bare = (text) => text.replace(/[\u2068\u2069]/g, "");

    /* element("li", {class: "model"}, child, "text", ...) */
    function element(name, attributes, ...children) {
        const made = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) {
            made.setAttribute(key, value);
        }
        made.append(...children);
        return made;
    }

    /* The same for a drawing. */
    const svg = (name, attributes, ...children) => {
        const made = document.createElementNS("http://www.w3.org/2000/svg", name);
        for (const [key, value] of Object.entries(attributes)) {
            made.setAttribute(key, value);
        }
        made.append(...children);
        return made;
    };

    /* ---- sorting ---- */

    /* A cell's number; -Infinity for an empty one. Minus signs and marks stand in cells too. */
    function numberOf(cell) {
        const number = parseFloat(cell.textContent.replace("\u2212", "-"));
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

    function makeSortable(table) {
        const original = [...table.tBodies[table.tBodies.length - 1].rows];
        for (const heading of table.querySelectorAll("th[data-sort]")) {
            const button = element("button", {type: "button"}, ...heading.childNodes);
            button.addEventListener("click", () => sortBy(table, heading, original));
            heading.append(button);
        }
    }
    document.querySelectorAll("table").forEach(makeSortable);

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
            section.open = text === "" ? section.dataset.open === "" : any;
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

    /* ---- values of plots ---- */

    /* What a plot shows at a point stands below it, by pointer or by arrow keys. */
    function tell(plot) {
        const points = [...plot.querySelectorAll("[data-say]")];
        const output = element("output", {class: "readout", "aria-live": "polite"});
        let at = -1;
        const say = (which) => {
            points[at]?.classList.remove("said");
            at = (which + points.length) % points.length;
            points[at].classList.add("said");
            output.textContent = points[at].dataset.say;
        };
        plot.setAttribute("tabindex", "0");
        plot.addEventListener("pointermove", (event) => {
            let nearest = -1, least = 24;
            points.forEach((point, i) => {
                const box = point.getBoundingClientRect();
                const far = Math.hypot(box.x + box.width / 2 - event.clientX,
                                       box.y + box.height / 2 - event.clientY);
                if (far < least && point.checkVisibility()) {
                    [nearest, least] = [i, far];
                }
            });
            if (nearest >= 0) {
                say(nearest);
            }
        });
        plot.addEventListener("keydown", (event) => {
            const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
            if (step !== undefined) {
                event.preventDefault();
                say(at + step);
            }
        });
        return output;
    }

    /* ---- downloads ---- */

    /* Files are made when they are asked for, of what is shown. */
    function download(name, type, make) {
        const button = element("button", {type: "button", class: "download"}, name.split(".").pop());
        button.setAttribute("aria-label", `Download ${name}`);
        button.addEventListener("click", () => {
            const address = URL.createObjectURL(new Blob([make()], {type}));
            element("a", {href: address, download: name}).click();
            setTimeout(() => URL.revokeObjectURL(address), 10000);
        });
        return button;
    }

    /* A row of headings for programs: those that span columns stand before those below them. */
    function headings(table) {
        const rows = [...table.tHead.rows];
        const last = [...rows[rows.length - 1].cells].map((cell) => cell.textContent.trim());
        if (rows.length === 1) {
            return last;
        }
        const over = [...rows[0].cells].flatMap((cell) =>
            new Array(cell.colSpan).fill(cell.textContent.trim()));
        return last.map((name, i) => `${over[i] ?? ""} ${name}`.trim());
    }

    function contents(table) {
        const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
        return [headings(table), ...rows.filter((row) => !row.hidden).map((row) =>
            [...row.cells].map((cell) => bare(cell.textContent).trim()))];
    }

    const quote = (text) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const formats = {
        tsv: ["text/tab-separated-values", (rows) =>
            rows.map((row) => `${row.join("\t")}\n`).join("")],
        csv: ["text/csv", (rows) => rows.map((row) => `${row.map(quote).join(",")}\n`).join("")],
        json: ["application/json", ([names, ...rows]) => JSON.stringify(rows.map((row) =>
            Object.fromEntries(row.map((text, i) => [names[i], text]))), null, 1)],
    };

    function offerTable(table) {
        const line = element("p", {class: "downloads"}, "Download: ");
        for (const [ending, [type, render]] of Object.entries(formats)) {
            line.append(download(`${table.id}.${ending}`, type, () => render(contents(table))), " ");
        }
        table.closest(".scroll").after(line);
    }

    /* A plot with its looks, which the style sheet has, as a file of its own. */
    function drawing(plot) {
        const copy = plot.cloneNode(true);
        const looks = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size",
                       "font-weight", "opacity", "display"];
        const of = [...plot.querySelectorAll("*")];
        [...copy.querySelectorAll("*")].forEach((part, i) => {
            const style = getComputedStyle(of[i]);
            part.style.cssText = looks.map((l) => `${l}:${style.getPropertyValue(l)}`).join(";");
        });
        copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
        copy.style.cssText = `font-family:sans-serif;background:${
            getComputedStyle(document.body).backgroundColor}`;
        return copy.outerHTML;
    }

    document.querySelectorAll("main table").forEach(offerTable);
    for (const plot of document.querySelectorAll("svg.plot")) {
        const name = `${(plot.getAttribute("aria-label") ?? "plot").replace(/[^A-Za-z0-9]+/g, "-")}.svg`;
        const frame = element("div", {class: "plot-frame"});
        plot.replaceWith(frame);
        frame.append(plot, tell(plot), element("p", {class: "downloads"},
            download(name, "image/svg+xml", () => drawing(plot))));
    }

    /* ---- a model in three dimensions ---- */

    const VERTEX = `attribute vec3 at; uniform mat3 turn; uniform vec2 scale; varying vec3 place;
        void main() { place = turn * at; gl_Position = vec4(place.xy * scale, -place.z * 0.3, 1.0); }`;
    const FRAGMENT = `#extension GL_OES_standard_derivatives : enable
        precision highp float; varying vec3 place;
        void main() {
            vec3 n = normalize(cross(dFdx(place), dFdy(place)));
            n = n.z < 0.0 ? -n : n;
            float light = 0.16 + 0.12 * 0.69 + 0.66 * 0.69 * max(0.0, dot(n, vec3(-0.424, 0.566, 0.707)))
                          + 0.22 * 0.69 * n.z;
            gl_FragColor = vec4(vec3(light), 1.0);
        }`;

    /* Vertices as -1 ... 1 and indices, see src/render/solid.h. */
    function unpack(text) {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        const [vertices, triangles] = new Uint16Array(bytes.buffer, 0, 2);
        const places = new Uint16Array(bytes.buffer, 4, 3 * vertices);
        const indices = new Uint16Array(3 * triangles);
        let at = 4 + 6 * vertices, index = 0;
        for (let i = 0; i < indices.length; i++) {
            let code = 0, shift = 0;
            while (bytes[at] > 127) {
                code |= (bytes[at++] & 127) << shift;
                shift += 7;
            }
            code |= bytes[at++] << shift;
            index += code % 2 > 0 ? -(code + 1) / 2 : code / 2;
            indices[i] = index;
        }
        return [Float32Array.from(places, (x) => x / 32767.5 - 1), indices];
    }

    function program(gl) {
        const made = gl.createProgram();
        for (const [kind, text] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
            const shader = gl.createShader(kind);
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            gl.attachShader(made, shader);
        }
        gl.linkProgram(made);
        return gl.getProgramParameter(made, gl.LINK_STATUS) ? made : null;
    }

    /* Seen as the pictures are; y is upward. */
    const turnOf = ({azimuth: a, elevation: e}) => {
        const right = [Math.cos(a), 0, -Math.sin(a)];
        const towards = [Math.cos(e) * Math.sin(a), Math.sin(e), Math.cos(e) * Math.cos(a)];
        const up = [towards[1] * right[2] - towards[2] * right[1],
                    towards[2] * right[0] - towards[0] * right[2],
                    towards[0] * right[1] - towards[1] * right[0]];
        return [0, 1, 2].flatMap((i) => [right[i], up[i], towards[i]]);
    };

    /* A canvas with the model, which turns; null where the browser draws nothing of the kind. */
    function turntable(text, name) {
        const canvas = element("canvas", {
            class: "solid", width: 640, height: 480, tabindex: "0", role: "application",
            "aria-label": `${name} in three dimensions: arrow keys turn it, plus and minus zoom`});
        const gl = canvas.getContext("webgl", {antialias: true, preserveDrawingBuffer: true});
        const shaders = gl?.getExtension("OES_standard_derivatives") ? program(gl) : null;
        if (shaders === null || text === "") {
            return null;
        }
        const [vertices, triangles] = unpack(text);
        const view = {azimuth: 35 * Math.PI / 180, elevation: 25 * Math.PI / 180, zoom: 1};
        gl.useProgram(shaders);
        gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW);
        gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
        gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
        const at = gl.getAttribLocation(shaders, "at");
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 0, 0);
        gl.enable(gl.DEPTH_TEST);
        let largest = 0; /* of what is drawn, from the center */
        for (let i = 0; i < vertices.length; i += 3) {
            largest = Math.max(largest, Math.hypot(vertices[i], vertices[i + 1], vertices[i + 2]));
        }
        const draw = () => {
            const scale = 0.96 * view.zoom / largest;
            gl.clearColor(0, 0, 0, 0);
            gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
            gl.uniformMatrix3fv(gl.getUniformLocation(shaders, "turn"), false, turnOf(view));
            gl.uniform2f(gl.getUniformLocation(shaders, "scale"),
                         scale * canvas.height / canvas.width, scale);
            gl.drawElements(gl.TRIANGLES, triangles.length, gl.UNSIGNED_SHORT, 0);
        };
        const turn = (azimuth, elevation) => {
            view.azimuth += azimuth;
            view.elevation = Math.max(-Math.PI / 2, Math.min(Math.PI / 2, view.elevation + elevation));
            draw();
        };
        const zoom = (factor) => {
            view.zoom = Math.max(0.5, Math.min(12, view.zoom * factor));
            draw();
        };
        let drag = false;
        canvas.addEventListener("pointerdown", (event) => {
            drag = true;
            canvas.setPointerCapture(event.pointerId);
        });
        canvas.addEventListener("pointermove", (event) => {
            if (drag) {
                turn(-event.movementX * 0.01, event.movementY * 0.01);
            }
        });
        for (const end of ["pointerup", "pointercancel"]) {
            canvas.addEventListener(end, () => {
                drag = false;
            });
        }
        canvas.addEventListener("wheel", (event) => {
            if (event.ctrlKey || document.activeElement === canvas) {
                event.preventDefault();
                zoom(Math.exp(-event.deltaY / 300));
            }
        }, {passive: false});
        const keys = {ArrowLeft: () => turn(0.15, 0), ArrowRight: () => turn(-0.15, 0),
                      ArrowUp: () => turn(0, -0.15), ArrowDown: () => turn(0, 0.15),
                      "+": () => zoom(1.25), "-": () => zoom(0.8)};
        canvas.addEventListener("keydown", (event) => {
            if (event.key in keys) {
                event.preventDefault();
                event.stopPropagation();
                keys[event.key]();
            }
        });
        draw();
        return canvas;
    }

    for (const view of document.querySelectorAll("[data-solid]")) {
        const canvas = turntable(view.dataset.solid, view.dataset.name);
        if (canvas !== null) {
            view.replaceChildren(canvas);
        }
    }

    if (typeof psb === "undefined") {
        return;
    }

    /* ---- models and classes ---- */

    const classOf = new Array(psb.models.length);
    psb.classes.forEach(([, , first, count], which) => classOf.fill(which, first, first + count));

    function levels(which) {
        const names = [];
        for (let at = which; at >= 0; at = psb.classes[at][1]) {
            names.unshift(psb.classes[at][0]);
        }
        return names;
    }
    const className = (which) => levels(which).join(" / ");

    /* What stands for a thing in an address: its name, or its number where that is not plain. */
    const plain = (name, number) => /^[!-)+-~][!-~]*$/.test(name) ? name : `*${number}`;
    const queryAddress = (model) => plain(psb.models[model], model);
    const classAddress = (which) => plain(levels(which).join("___"), which);

    /* The number of what an address has; -1 where it is nothing. */
    function numbered(text, names) {
        if (text === null) {
            return -1;
        }
        if (text.startsWith("*")) {
            const number = Number(text.slice(1));
            return Number.isInteger(number) && number >= 0 && number < names.length ? number : -1;
        }
        return names.indexOf(text);
    }
    const descriptorNamed = (text) =>
        psb.descriptors.findIndex(([label, stem]) => text === stem || text === label);
    function queryNamed(text) {
        const found = numbered(text, psb.models);
        return found >= 0 || text === null ? found : numbered(text.replace(/^m(?=\d+$)/, ""), psb.models);
    }

    /* ---- addresses ---- */

    const NAMES = psb.classes.map((_, c) => levels(c).join("___"));
    const RESOLVE = {q: ["model", queryNamed], c: ["class", (text) => numbered(text, NAMES)],
                     d: ["descriptor", descriptorNamed], a: ["descriptor", descriptorNamed],
                     b: ["descriptor", descriptorNamed]};

    /* What the address names, as numbers by key, and what is not there. */
    function addressed() {
        const found = {q: [], c: [], d: [], a: [], b: []}, unknown = [];
        for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
            const [kind, resolve] = RESOLVE[key] ?? ["", () => -1];
            const number = resolve(text);
            if (number >= 0) {
                found[key].push(number);
            } else {
                unknown.push(kind === "" ? `no part \u201c${key}\u201d of an address`
                                         : `no ${kind} \u201c${text}\u201d in this set`);
            }
        }
        return [found, unknown];
    }

    /* Models, classes and descriptors whose name has the text, as links. */
    function searchAll() {
        const MOST = 24;
        const input = element("input", {type: "search", autocomplete: "off", spellcheck: "false"});
        const list = element("ul", {class: "search-found"});
        const output = element("output", {"aria-live": "polite"});
        input.addEventListener("input", () => {
            const text = input.value.trim().toLowerCase();
            const fits = (name) => text !== "" && name.toLowerCase().includes(text);
            const links = [
                ...psb.descriptors.map(([label], d) => [label, () => descriptorLink(d)]),
                ...psb.classes.map((_, c) => [className(c), () => classLink(c)]),
                ...psb.models.map((id, i) => [id, () => element("a", {href: queryLink(i, [])}, id)]),
            ].filter(([name]) => fits(name));
            list.replaceChildren(...links.slice(0, MOST).map(([, make]) => element("li", {}, make())));
            output.textContent = text === "" ? "" : `${links.length} found, ${Math.min(MOST, links.length)} shown.`;
        });
        return element("div", {class: "search-all"},
                       element("label", {}, "Search models, classes and descriptors ", input), output, list);
    }

    /* Says what an address names that is not there, in the place of a page that nobody asked for. True: it did. */
    function tellUnknown(unknown, page) {
        byId("unknown")?.remove();
        [...page.children].forEach((part) => part.classList.toggle("without", unknown.length > 0));
        if (unknown.length > 0) {
            const heading = byId("content").querySelector("h1");
            heading.textContent = "Not found";
            document.title = `Not found \u00b7 ${document.title.split(" \u00b7 ").slice(-2).join(" \u00b7 ")}`;
            page.prepend(element("div", {id: "unknown"},
                                 element("p", {role: "alert"}, `There is ${unknown.join(", and ")}.`),
                                 searchAll()));
        }
        return unknown.length > 0;
    }


    function queryLink(model, descriptors) {
        const address = new URLSearchParams([["q", queryAddress(model)],
                                             ...descriptors.map((d) => ["d", psb.descriptors[d][1]])]);
        return `matches.html#${address}`;
    }
    const classLink = (which) => element(
        "a", {href: `class.html#${new URLSearchParams({c: classAddress(which)})}`}, className(which));
    const descriptorLink = (d) => element(
        "a", {href: `${encodeURIComponent(psb.descriptors[d][1])}.html`}, psb.descriptors[d][0]);

    /* Without any picture the places for them are not shown. */
    document.body.classList.toggle("bare", !/[pj]/.test(psb.pictures));

    /* In a single file pictures stand in it. */
    const pictureFile = (name) => psb.files?.[name] ?? `thumbnails/${name}`;
    function picture(model) {
        const kind = psb.pictures[model];
        if (kind === "j") {
            return element("img", {src: pictureFile(`${model}.jpg`), width: 160, height: 120,
                                   loading: "lazy", alt: ""});
        }
        if (kind !== "p") {
            return element("span", {class: "no-picture"}, "no picture");
        }
        const SHEET = 16, ACROSS = 4, place = model % SHEET;
        return element("span", {class: `picture sheet-${Math.floor(model / SHEET)} x${place % ACROSS} ` +
                                       `y${Math.floor(place / ACROSS)}`});
    }

    /* A model with its picture; `first` stands above that, lines stand below. */
    function card(model, lines, first, classes, descriptors) {
        const link = element("a", {href: queryLink(model, descriptors)});
        if (first !== null) {
            link.append(first);
        }
        link.append(picture(model), element("span", {class: "id"}, psb.models[model]));
        for (const line of lines) {
            link.append(element("span", {class: "line"}, line));
        }
        return element("li", {class: `model ${classes}`}, link);
    }

    function options(select, names, values) {
        select.replaceChildren(...names.map((name, i) => element("option", {value: values[i]}, name)));
    }

    /* A table with headings [text, numbers?], which sort, or nodes, which do not, and rows of texts or
       nodes, the first a heading. */
    function table(id, caption, names, rows) {
        const made = element("table", {id}, element("caption", {id: `${id}-caption`}, caption));
        const head = element("tr", {}, ...names.map(([name, numbers]) => element(
            "th", {scope: "col", ...(typeof name === "string" ? {"data-sort": numbers ? "number" : "text"} : {}),
                   ...(numbers ? {class: "number"} : {})}, name)));
        const body = element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map(
            (cell, i) => i === 0 ? element("th", {scope: "row"}, cell)
                                 : cell instanceof Element && cell.tagName === "TD" ? cell
                                 : element("td", {}, cell)))));
        made.append(element("thead", {}, head), body);
        const scroll = element("div", {class: "scroll", role: "region", tabindex: "0",
                                       "aria-labelledby": `${id}-caption`}, made);
        const whole = element("div", {}, scroll);
        makeSortable(made);
        offerTable(made);
        return whole;
    }

    /* Files in data/ call back with what they have. */
    const promises = new Map(), arrived = new Map();
    function load(file, key) {
        if (!promises.has(key)) {
            promises.set(key, new Promise((resolve, reject) => {
                arrived.set(key, resolve);
                const script = element("script", {src: file});
                script.addEventListener("error", () => {
                    promises.delete(key);
                    reject(new Error(`${file} cannot be read`));
                });
                document.head.append(script);
            }));
        }
        return promises.get(key);
    }
    psb.lists = (d, chunk, lists) => arrived.get(`lists ${d} ${chunk}`)(lists);
    psb.confusions = (d, classes) => arrived.get(`classes ${d}`)(classes);
    psb.solids = (chunk, solids) => arrived.get(`solids ${chunk}`)(solids);
    const folder = (d) => `data/${encodeURIComponent(psb.descriptors[d][1])}`;
    function listOf(d, query) {
        const chunk = Math.floor(query / psb.chunk);
        return load(`${folder(d)}/${chunk}.js`, `lists ${d} ${chunk}`)
            .then((lists) => lists[query % psb.chunk]);
    }
    const classesOf = (d) => load(`${folder(d)}/classes.js`, `classes ${d}`);
    function solidOf(model) {
        const chunk = Math.floor(model / psb.solids_of);
        return load(`data/solids/${chunk}.js`, `solids ${chunk}`)
            .then((solids) => solids[model % psb.solids_of]);
    }

    /* Of the largest DCG, and the next. */
    const [best, second] = psb.descriptors.map((_, d) => d)
        .sort((a, b) => (psb.exact[b].at(-1) ?? -1) - (psb.exact[a].at(-1) ?? -1) || a - b);

    const percent = (number) => number === null ? "" : number.toFixed(1);
    const signed = (number) => Math.abs(number) < 0.05 ? "0.0"
                               : `${number > 0 ? "+" : "\u2212"}${Math.abs(number).toFixed(1)}`;

    /* ---- matrices ---- */

    const MOST_ZOOM = 32;

    function lookInto(matrix) {
        const pan = matrix.querySelector(".pan");
        const image = pan.querySelector("img");
        const models = psb.models.length;
        const block = element("div", {class: "block", hidden: ""});
        const readout = element("output", {class: "readout", "aria-live": "polite"});
        const NS = "http://www.w3.org/2000/svg", LEAST = 3, LETTER = 12, LETTERS = 24;
        const lines = document.createElementNS(NS, "svg");
        lines.setAttribute("class", "lines");
        lines.setAttribute("aria-hidden", "true");
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
            rule();
        };

        /* Lines between classes that are not too small for it, and their names at the left. */
        const rule = () => {
            const size = pan.clientWidth, unit = view.zoom * size / models;
            const parts = [];
            let path = "", free = -LETTER;
            psb.classes.forEach(([name, , first, count]) => {
                const y = view.y * size + first * unit, x = view.x * size + first * unit;
                if (count * unit < LEAST || count === 0) {
                    return;
                }
                path += y > 0 && y < size ? `M0 ${y.toFixed(1)}H${size}` : "";
                path += x > 0 && x < size ? `M${x.toFixed(1)} 0V${size}` : "";
                const top = Math.max(0, y), room = Math.min(size, y + count * unit) - top;
                if (room >= LETTER && top >= free) {
                    const text = document.createElementNS(NS, "text");
                    text.setAttribute("x", "3");
                    text.setAttribute("y", (top + LETTER - 2).toFixed(1));
                    text.append(name.length > LETTERS ? `${name.slice(0, LETTERS)}\u2026` : name);
                    parts.push(text);
                    free = top + LETTER;
                }
            });
            const drawn = document.createElementNS(NS, "path");
            drawn.setAttribute("d", path);
            lines.setAttribute("viewBox", `0 0 ${size} ${size}`);
            lines.replaceChildren(drawn, ...parts);
        };

        /* Distance and rank, where the model is among those that are listed. */
        const ranked = (row, column) => listOf(Number(matrix.dataset.d), row).then(
            ([, list, distances]) => {
                const place = list.indexOf(column);
                if (at.row === row && at.column === column && row !== column) {
                    readout.textContent += place < 0 ? `: not among the nearest ${list.length}`
                        : `: rank ${place + 1}, distance ${distances[place]}`;
                }
            }, () => {});

        const point = (row, column) => {
            const snap = (value) => Math.min(models - 1, Math.max(0, value));
            [row, column] = [snap(row), snap(column)].map((x) => Math.floor(x / psb.step) * psb.step);
            if (!block.hidden && row === at.row && column === at.column) {
                return;
            }
            [at.row, at.column] = [row, column];
            ranked(row, column);
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
        pan.append(lines, block);
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
                point(at.row + down * psb.step, at.column + right * psb.step);
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
        place();
    }

    document.querySelectorAll("[data-matrix]").forEach(lookInto);


    /* ---- a query ---- */

    function queryPage(page) {
        const MOST_FOUND = 24, MOST_CHOSEN = 4;
        const MOST_PICTURES = 60; /* of all lists, until a reader asks for more */
        const search = byId("search"), title = byId("content").querySelector("h1");
        const state = {q: 0, d: [best], whole: false};

        psb.descriptors.forEach(([label], d) => {
            const box = element("input", {type: "checkbox", value: String(d)});
            byId("chosen").append(element("label", {}, box, label));
            box.addEventListener("change", () => {
                const others = state.d.filter((other) => other !== d);
                const next = box.checked ? [...others, d].slice(-MOST_CHOSEN) : others;
                go({d: next.length > 0 ? next : [d]});
            });
        });

        /* What can be seen anyway is for those who hear it. */
        const tellStatus = (text, seen = false) => {
            byId("status").textContent = text;
            byId("status").classList.toggle("heard", seen);
        };

        const go = (change) => {
            const next = {...state, ...change};
            location.hash = queryLink(next.q, next.d).split("#")[1];
        };

        function match(model, distance, position) {
            const query = state.q;
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
                        hit ? "hit" : "", state.d);
        }

        /* Where the relevant models stand in the whole list, on a scale of logarithms. */
        function strip(ranks) {
            const last = Math.max(2, psb.models.length - 1), W = 560, H = 34;
            const x = (rank) => 8 + Math.log(rank) / Math.log(last) * (W - 16);
            const made = svg("svg", {class: "strip", viewBox: `0 0 ${W} ${H}`, role: "img",
                                     "aria-label": `Ranks of the relevant models: ${ranks.join(", ")}`});
            made.append(svg("path", {class: "grid", d: `M8 14H${W - 8}`}));
            for (let tick = 1; tick <= last; tick *= 10) {
                made.append(svg("text", {x: x(tick), y: H - 3, "text-anchor": "middle"}, String(tick)));
            }
            for (const rank of ranks) {
                made.append(svg("path", {class: "tick", d: `M${x(rank).toFixed(1)} 3V20`},
                                svg("title", {}, `rank ${rank}`)));
            }
            return made;
        }

        function column(d, [figures, models, distances, ranks]) {
            const first = Math.floor(MOST_PICTURES / state.d.length);
            const part = (from, end) => element("ol", {class: "models", start: String(from + 1)},
                ...models.slice(from, end).map((model, i) => match(model, distances[from + i], from + i + 1)));
            const lists = [part(0, first)];
            if (models.length > first) {
                const more = element("details", state.whole ? {open: ""} : {},
                                     element("summary", {}, `${models.length - first} more`));
                const fill = () => {
                    state.whole = more.open;
                    if (more.open && more.children.length === 1) {
                        more.append(part(first, models.length));
                    }
                };
                more.addEventListener("toggle", fill);
                lists.push(more);
            }
            const hits = models.filter((model) => classOf[model] === classOf[state.q]).length;
            const name = element("h2", {}, descriptorLink(d));
            const said = element("p", {class: "note"},
                `The nearest ${models.length} of ${psb.models.length - 1} models, ${hits} in the query\u2019s class.`);
            const [, , , count] = psb.classes[classOf[state.q]];
            if (figures.length > 0 && ranks.length < count - 1) {
                said.append(` Above: ranks of the first ${ranks.length} of ${count - 1} relevant models.`);
            }
            return element("section", {class: "column", "aria-label": psb.descriptors[d][0]}, name,
                           ...(figures.length > 0 ? [strip(ranks)] : []), said, ...lists);
        }

        function describe(lists) {
            const q = state.q, which = classOf[q];
            const [, , , count] = psb.classes[which];
            const view = element("div", {class: "view"}, picture(q));
            const facts = element("dl", {class: "source"});
            const text = element("div", {}, element("h2", {}, `Query ${psb.models[q]}`),
                element("p", {}, classLink(which), `, ${count} models`));
            const more = element("div", {class: "more"}, facts);
            if (lists[0][0].length > 0) {
                more.append(table("scores", "Scores, percent",
                    [["Measure", false], ...state.d.map((d) => [psb.descriptors[d][0], true])],
                    psb.figures.map((name, f) => [name, ...lists.map(([figures]) => percent(figures[f]))])));
            } else {
                more.append(element("p", {}, "Not scored: miscellaneous class."));
            }
            byId("query").replaceChildren(element("div", {class: "shown"}, view, text), more);
            if (psb.solids_of > 0) {
                solidOf(q).then(([mesh, info]) => {
                    const canvas = state.q === q ? turntable(mesh, psb.models[q]) : null;
                    if (canvas !== null) {
                        view.replaceChildren(canvas);
                    }
                    const terms = {url: "Source", ref_url: "Found at", format: "Format"};
                    for (const [key, term] of Object.entries(terms)) {
                        if (info[key] !== undefined) {
                            facts.append(element("div", {}, element("dt", {}, term),
                                                 element("dd", {}, info[key])));
                        }
                    }
                }, () => {});
            }
        }

        async function show() {
            const {q, d} = state;
            byId("previous").disabled = q === 0;
            byId("next").disabled = q === psb.models.length - 1;
            page.querySelectorAll("#chosen input").forEach((box, i) => {
                box.checked = d.includes(i);
            });
            title.textContent = `Best matches of ${psb.models[q]}`;
            document.title = `${psb.models[q]} \u00b7 ${document.title.split(" \u00b7 ").slice(-2).join(" \u00b7 ")}`;
            try {
                const lists = await Promise.all(d.map((which) => listOf(which, q)));
                if (state.q !== q || state.d !== d) {
                    return; /* the reader has gone on */
                }
                describe(lists);
                byId("lists").replaceChildren(...d.map((which, i) => column(which, lists[i])));
                tellStatus(`${d.map((which) => psb.descriptors[which][0]).join(", ")}: ${psb.models[q]}.`,
                           true);
            } catch (error) {
                tellStatus(`This list cannot be shown: ${error.message}.`);
            }
        }

        function readAddress() {
            const [{q, d}, unknown] = addressed();
            if (tellUnknown(unknown, page)) {
                return;
            }
            state.q = q[0] ?? 0;
            state.d = d.length > 0 ? [...new Set(d)].slice(0, MOST_CHOSEN) : state.d;
            show();
        }

        /* Models whose id or class has the text, that of exactly this id first. */
        function matching(text) {
            const fits = [];
            psb.models.forEach((id, model) => {
                if (bare(id).toLowerCase() === text) {
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
                (model) => card(model, [className(classOf[model])], null, "", state.d)));
            found.hidden = fits.length === 0;
            if (text !== "") {
                const shown = Math.min(fits.length, MOST_FOUND);
                tellStatus(`${fits.length} models found, ${shown} shown.`);
            }
            return fits;
        }

        const step = (by) => {
            const next = state.q + by;
            if (next >= 0 && next < psb.models.length) {
                go({q: next});
            }
        };
        byId("previous").addEventListener("click", () => step(-1));
        byId("next").addEventListener("click", () => step(1));
        document.addEventListener("keydown", (event) => {
            const by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
            const busy = event.target.closest("input, canvas, .scroll, [role=application]");
            if (by !== undefined && !busy && !event.altKey && !event.ctrlKey && !event.metaKey) {
                step(by);
            }
        });
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
        });
        readAddress();
    }

    /* ---- a class ---- */

    function classPage(page) {
        const OF_TILE = 4, MOST_MODELS = 500;
        const DCG = psb.figures.length - 1;
        const select = byId("which"), descriptor = byId("descriptor");
        const title = byId("content").querySelector("h1");
        const shown = psb.classes.map((_, c) => c)
            .filter((c) => psb.classes[c][3] > 0 || psb.groups.some((g) => g[0] === c));
        options(select, ["All classes", ...shown.map(className)], [-1, ...shown]);
        options(descriptor, psb.descriptors.map(([label]) => label), psb.descriptors.map((_, d) => d));
        const models = (pairs, d) => element("ul", {class: "models"}, ...pairs.map(([q, value]) =>
            card(q, value === undefined ? [] : [`DCG ${percent(value)} %`], null, "", [d])));
        const groupsOf = (c) => {
            const groups = psb.groups.filter((g) => g[0] === c);
            const own = groups.find((g) => g[1] === 0);
            return [own, groups.find((g) => g[1] === 1 && (own === undefined || g[2] > own[2]))];
        };
        /* A class and all below it stand one behind the other. */
        const isBelow = (c, above) => c >= 0 && (c === above || isBelow(psb.classes[c][1], above));
        const members = (c, most) => {
            const list = [];
            for (let k = c; k < psb.classes.length && list.length < most; k++) {
                const [, , first, count] = psb.classes[k];
                for (let i = 0; i < count && list.length < most && isBelow(k, c); i++) {
                    list.push([first + i]);
                }
            }
            return list;
        };
        const sizeOf = (c) => psb.classes.reduce((sum, [, , , count], k) => sum + (isBelow(k, c) ? count : 0), 0);

        function figures(c) {
            const [own, below] = groupsOf(c);
            return [[own, "figures", "Scores, percent"],
                    [below, "below", "With subclasses, percent"]]
                .filter(([group]) => group !== undefined)
                .map(([group, id, caption]) => table(
                    id, `${caption} (${group[2]} queries)`,
                    [["Descriptor", false], ...psb.figures.map((name) => [name, true])],
                    psb.descriptors.map((_, d) =>
                        [descriptorLink(d), ...group[3][d].slice(0, psb.figures.length).map(percent)])));
        }

        /* Some pictures of a class, how many models it has, and how well the best descriptor does. */
        function tile(c) {
            const group = groupsOf(c)[1] ?? groupsOf(c)[0];
            const line = element("p", {}, `${sizeOf(c)} models`);
            if (group !== undefined) {
                const top = group[3].reduce((t, figure, d) => figure[DCG] > group[3][t][DCG] ? d : t, 0);
                line.append(`, ${psb.descriptors[top][0]} ${percent(group[3][top][DCG])}`);
            }
            const link = classLink(c);
            link.textContent = psb.classes[c][0];
            return element("div", {class: "tile"},
                           element("div", {class: "tile-pictures", "aria-hidden": "true"},
                                   ...members(c, OF_TILE).map(([i]) => picture(i))),
                           element("h3", {}, link), line);
        }

        /* Every class, those below another one behind it. */
        function gallery() {
            const below = (c) => shown.filter((k) => psb.classes[k][1] === c);
            const part = (c) => {
                const children = below(c);
                if (children.length === 0) {
                    return [tile(c)];
                }
                const inner = element("div", {class: "tiles tile-below", hidden: ""}, ...children.flatMap(part));
                const whole = tile(c);
                const unfold = element("button", {type: "button", "aria-expanded": "false"},
                                       `${children.length} subclass${children.length === 1 ? "" : "es"}`);
                unfold.addEventListener("click", () => {
                    inner.hidden = !inner.hidden;
                    unfold.setAttribute("aria-expanded", String(!inner.hidden));
                });
                whole.append(unfold);
                return [whole, inner];
            };
            const tops = shown.filter((c) => psb.classes[c][1] < 0 || !shown.includes(psb.classes[c][1]));
            return element("div", {class: "tiles"}, ...tops.flatMap(part));
        }

        /* A row for each descriptor: how much of the first tiers is of the class itself, and of which
           others, the darker the more. Lists are of the largest shares: what is not there is less. */
        function confusions(label, known, c) {
            const MOST = 9, most = new Map();
            for (const [, [, confused]] of known) {
                confused.forEach(([other, share]) => most.set(other, Math.max(share, most.get(other) ?? 0)));
            }
            most.delete(c);
            const columns = [c, ...[...most.keys()].sort((x, y) => most.get(y) - most.get(x) || x - y).slice(0, MOST)];
            const head = columns.map((other) => {
                const [name, , first, count] = psb.classes[other], link = classLink(other);
                link.textContent = name;
                link.title = className(other);
                return [element("span", {class: "confused"}, ...(count > 0 ? [picture(first)] : []), link), false];
            });
            return table("confused", `Classes in the first tier, percent (${label} first)`,
                [["Descriptor", false], ...head], known.map(([d, [, confused]]) => {
                    const shares = new Map(confused);
                    return [descriptorLink(d), ...columns.map((other) => {
                        const share = shares.get(other) ?? 0;
                        const cell = element("td", {class: "heat"}, shares.has(other) ? share.toFixed(share < 9.95 ? 1 : 0) : "");
                        cell.style.setProperty("--v", `${share}%`);
                        return cell;
                    })];
                }));
        }

        /* Precision against recall of the class's queries; that of the chosen descriptor stands out. */
        function curves(label, d, known) {
            const x = (recall) => 52 + 492 * recall, y = (precision) => 352 - 3.38 * precision;
            const plot = svg("svg", {class: "plot", viewBox: "0 0 560 400", role: "img",
                                     "aria-label": `Precision against recall of the class, ${label} and others`});
            for (let t = 0; t <= 1; t += 0.2) {
                const text = String(Math.round(10 * t) / 10);
                plot.append(svg("path", {class: "grid", d: `M${x(t)} 14V352M52 ${y(100 * t)}H544`}),
                            svg("text", {x: x(t), y: 370, "text-anchor": "middle"}, text),
                            svg("text", {x: 45, y: y(100 * t) + 4.5, "text-anchor": "end"}, text));
            }
            plot.append(svg("text", {class: "axis", x: 298, y: 392, "text-anchor": "middle"}, "Recall"),
                        svg("text", {class: "axis", transform: "translate(14 183) rotate(-90)",
                                     "text-anchor": "middle"}, "Precision"));
            const legend = element("ul", {class: "curve-names"});
            for (const [which, [, , , , precision]] of [...known].sort(([a], [b]) => (a === d) - (b === d))) {
                const of = psb.descriptors[which][0], looks = `colour-${which % 12} dash-${which % 4}`;
                const points = precision.map((value, l) => [(l + 1) / 20, value]).filter(([, value]) => value !== null);
                plot.append(svg("path", {class: `curve ${looks}${which === d ? " strong" : ""}`,
                    d: points.map(([r, value], i) => `${i > 0 ? "L" : "M"}${x(r).toFixed(1)} ${y(value).toFixed(1)}`).join("")}));
                for (const [r, value] of points) {
                    plot.append(svg("circle", {class: "touched", cx: x(r).toFixed(1), cy: y(value).toFixed(1), r: 3.5,
                        "data-say": `${of}: precision ${value.toFixed(1)} % at recall ${r.toFixed(2)}`}));
                }
            }
            for (const [which] of known) {
                legend.append(element("li", {class: which === d ? "strong" : ""}, svg("svg", {class: "swatch", viewBox: "0 0 36 10",
                    "aria-hidden": "true"}, svg("path", {class: `curve colour-${which % 12} dash-${which % 4}`, d: "M0 5H36"})),
                    " ", descriptorLink(which)));
            }
            const frame = element("div", {class: "plot-frame"});
            frame.append(plot, tell(plot), element("p", {class: "downloads"},
                download("precision-recall-of-the-class.svg", "image/svg+xml", () => drawing(plot))));
            return element("div", {class: "figure"}, frame, legend);
        }

        /* Of the descriptors, in this order, what their files say of the class; of many classes, whose
           files are large, those of some. */
        async function knownOf(c, order) {
            const MOST = 6000, some = order.slice(0, Math.max(1, Math.floor(MOST / psb.classes.length)));
            const files = await Promise.all(some.map(classesOf));
            return some.map((d, i) => [d, files[i].find((entry) => entry[0] === c)])
                .filter(([, entry]) => entry !== undefined);
        }

        async function show() {
            const [found, unknown] = addressed();
            if (tellUnknown(unknown, page)) {
                return;
            }
            const c = found.c[0] ?? -1, d = found.d[0] ?? best;
            select.value = c;
            descriptor.value = d;
            descriptor.closest("label").hidden = c < 0;
            title.textContent = c < 0 ? "Classes" : `Class ${className(c)}`;
            document.title = `${c < 0 ? "Classes" : className(c)} \u00b7 ${document.title.split(" \u00b7 ").slice(-2).join(" \u00b7 ")}`;
            byId("status").textContent = "";
            if (c < 0) {
                byId("about").replaceChildren(element("p", {class: "note"},
                    "Models of each class, subclasses included, and its best descriptor by DCG, percent."),
                    gallery());
                return;
            }
            const [, parent] = psb.classes[c];
            const label = psb.descriptors[d][0];
            const [own, below] = groupsOf(c), group = own ?? below;
            const parts = [], size = sizeOf(c);
            if (parent >= 0) {
                parts.push(element("p", {}, "Subclass of ", classLink(parent)));
            }
            if (group !== undefined) {
                const order = group[3].map((_, k) => k).sort((x, y) => group[3][y][DCG] - group[3][x][DCG]);
                parts.push(element("p", {class: "summary"}, `${size} models. Best descriptor: ${psb.descriptors[order[0]][0]}, DCG ` +
                    `${percent(group[3][order[0]][DCG])} %${order[0] !== d ? `; ${label} ranks ${order.indexOf(d) + 1} of ${order.length}, ${percent(group[3][d][DCG])} %` : ""}.`));
            }
            const FIRST = 12, all = members(c, MOST_MODELS);
            parts.push(element("h2", {}, `Models (${size})`), models(all.slice(0, FIRST), d));
            if (all.length > FIRST) {
                parts.push(element("details", {}, element("summary", {}, `${all.length - FIRST} more`),
                                   models(all.slice(FIRST), d)));
            }
            try {
                const order = psb.descriptors.map((_, k) => k).sort((x, y) => (y === d) - (x === d) ||
                    (group?.[3][y][DCG] ?? 0) - (group?.[3][x][DCG] ?? 0) || x - y);
                const known = await knownOf(c, order);
                if (known.length > 0) {
                    const [[, [, , bestOnes, worst]]] = known;
                    parts.push(element("h2", {}, "Precision and recall"), curves(label, d, known), confusions(label, known, c),
                        element("h2", {}, `Best queries, ${label}`), models(bestOnes, d),
                        element("h2", {}, `Worst queries, ${label}`), models(worst, d));
                }
            } catch (error) {
                byId("status").textContent = `Not all can be shown: ${error.message}.`;
            }
            parts.push(...figures(c));
            byId("about").replaceChildren(...parts);
        }

        const go = () => {
            const c = Number(select.value);
            location.hash = c < 0 ? "" : new URLSearchParams({c: classAddress(c), d: psb.descriptors[descriptor.value][1]});
        };
        select.addEventListener("change", go);
        descriptor.addEventListener("change", go);
        addEventListener("hashchange", show);
        show();
    }

    /* ---- two descriptors ---- */

    function comparePage(page) {
        const selects = [byId("a"), byId("b")];
        for (const select of selects) {
            options(select, psb.descriptors.map(([label]) => label), psb.descriptors.map((_, d) => d));
        }
        const title = byId("content").querySelector("h1");

        function show() {
            const [found, unknown] = addressed();
            if (found.a.length > 0 && found.a[0] === found.b[0]) {
                unknown.push(`nothing to compare ${psb.descriptors[found.a[0]][0]} with: it is named twice`);
            }
            if (tellUnknown(unknown, page)) {
                return;
            }
            const a = found.a[0] ?? (found.b[0] === best ? second : best);
            const b = found.b[0] ?? (a === best ? second : best);
            [selects[0].value, selects[1].value] = [a, b];
            const [A, B] = [psb.descriptors[a][0], psb.descriptors[b][0]];
            title.textContent = `${A} against ${B}`;
            document.title = `${A} against ${B} \u00b7 ${document.title.split(" \u00b7 ").slice(-2).join(" \u00b7 ")}`;
            const pair = psb.pairs.find(([x, y]) => x === Math.min(a, b) && y === Math.max(a, b));
            const parts = [];
            const DCG = psb.figures.length - 1, EXACT = psb.figures.length;
            if (pair === undefined) {
                parts.push(element("p", {}, "Nothing to compare."));
                byId("about").replaceChildren(...parts);
                return;
            }
            const sign = a < b ? 1 : -1;
            const [, , difference, low, high, p, holm, gains, losses] = pair;
            const interval = [sign * low, sign * high].sort((x, y) => x - y).map(signed);
            const all = psb.groups.find((g) => g[0] === -1);
            parts.push(element("p", {class: "summary"},
                `DCG of ${A} is ${percent(all[3][a][DCG])} %, of ${B} ${percent(all[3][b][DCG])} %: ` +
                `a difference of ${signed(sign * difference)} points, 95 % interval ${interval[0]} to ${interval[1]}; ` +
                `p = ${p.toPrecision(2)}, Holm-corrected for all pairs ${holm.toPrecision(2)} (${holm < 0.05 ? "" : "not "}significant at 5 %).`));
            const scores = table("figures", "All queries, percent",
                [["Measure", false], [A, true], [B, true], ["Difference", true]],
                psb.figures.map((name, f) => [name, percent(all[3][a][f]), percent(all[3][b][f]),
                                              signed(psb.exact[a][f] - psb.exact[b][f])]));
            scores.append(element("p", {class: "note"},
                `Paired randomization test over queries, clustered by class, ${psb.rounds.toLocaleString("en-US")} rounds; ` +
                "interval from a bootstrap of classes."));
            const cards = (pairs) => element("ul", {class: "models"}, ...pairs.map(([q, gain]) =>
                card(q, [className(classOf[q]), `DCG ${signed(sign * gain)}`], null, "", [a, b])));
            const [more, less] = sign > 0 ? [gains, losses] : [losses, gains];
            const rows = psb.groups.filter((g) => g[0] >= 0 && g[1] === 0)
                .map((g) => [g, g[3][a][EXACT] - g[3][b][EXACT]]).sort((x, y) => y[1] - x[1]);
            const classes = table("classes-compared", "DCG by class, percent",
                [["Class", false], ["Queries", true], [A, true], [B, true], ["Difference", true]],
                rows.map(([g, d]) => [classLink(g[0]), String(g[2]), percent(g[3][a][DCG]),
                                      percent(g[3][b][DCG]), signed(d)]));
            parts.push(element("div", {class: "sides"}, scores, element("div", {},
                element("h2", {}, `Queries where ${A} gains most`), cards(more),
                element("h2", {}, `Queries where ${B} gains most`), cards(less)), classes));
            byId("about").replaceChildren(...parts);
        }

        const go = () => {
            const [a, b] = selects.map((select) => psb.descriptors[select.value][1]);
            location.hash = new URLSearchParams({a, b});
        };
        selects.forEach((select) => select.addEventListener("change", go));
        addEventListener("hashchange", show);
        show();
    }

    /* In a single file other pages are not there. */
    function unlink(part) {
        for (const link of psb.files === undefined ? [] : part.querySelectorAll("a[href]")) {
            if (!/^(#|data:|https?:)/.test(link.getAttribute("href"))) {
                link.removeAttribute("href");
            }
        }
    }

    /* ---- the map ---- */

    /* As src/site/plot.c has them. */
    const SHAPES = ["m-3-3h6v6h-6z", "m0-4l3.5 7h-7z", "m0-4.2l4.2 4.2l-4.2 4.2l-4.2-4.2z",
                    "m0 4l3.5-7h-7z", "m-3.3 0a3.3 3.3 0 1 0 6.6 0a3.3 3.3 0 1 0-6.6 0z"];

    /* Models stand where the chosen descriptor has them; the drawing is that of the page, moved. */
    function mapSection(section) {
        const SIDE = 560, HALF = 268, OTHERS = 20, MOST_ZOOM = 40, MOST_PICTURES = 60, GLIDE = 700;
        const plot = section.querySelector(".map-points"), frame = plot.parentNode;
        const paths = new Map([...plot.querySelectorAll("path")].map((p) => [Number(p.dataset.group), p]));
        const places = new Map(psb.map.places.map(([d, text]) => {
            const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
            return [d, Float64Array.from(new Uint16Array(bytes.buffer), (x) => x / 32767.5 - 1)];
        }));
        const top = (c) => psb.classes[c][1] < 0 ? c : top(psb.classes[c][1]);
        const groupOfClass = psb.classes.map((_, c) => {
            const g = psb.map.groups.indexOf(top(c));
            return g < 0 ? OTHERS : g;
        });
        const group = classOf.map((c) => groupOfClass[c]);
        const state = {d: psb.map.places[0][0], x: 0, y: 0, zoom: 1, at: -1, only: null};
        let xy = Float64Array.from(places.get(state.d));
        const pictures = element("div", {class: "map-pictures", "aria-hidden": "true"});
        const hint = element("div", {class: "map-hint", hidden: ""});
        const readout = element("output", {class: "readout", "aria-live": "polite"});
        const ring = svg("circle", {class: "map-ring", r: "8", visibility: "hidden"});
        plot.append(ring);
        frame.append(pictures, hint);
        plot.setAttribute("tabindex", "0");
        plot.setAttribute("role", "application");
        plot.setAttribute("aria-label", `${plot.getAttribute("aria-label")}: arrow keys go from ` +
            "model to model, Enter opens one, plus and minus zoom");

        const across = (i) => SIDE / 2 + HALF * (xy[2 * i] - state.x) * state.zoom;
        const down = (i) => SIDE / 2 + HALF * (xy[2 * i + 1] - state.y) * state.zoom;
        const inside = (i) => across(i) > -9 && across(i) < SIDE + 9 && down(i) > -9 && down(i) < SIDE + 9;

        function draw() {
            const parts = new Map([...paths.keys()].map((g) => [g, []]));
            const seen = [];
            for (let i = 0; i < group.length; i++) {
                if (inside(i)) {
                    seen.push(i);
                    parts.get(group[i])?.push(
                        `M${across(i).toFixed(1)} ${down(i).toFixed(1)}${SHAPES[group[i] % SHAPES.length]}`);
                }
            }
            for (const [g, path] of paths) {
                path.setAttribute("d", parts.get(g).join(""));
                path.classList.toggle("faint", state.only !== null && state.only !== g);
            }
            /* Deep in the map models are pictures. */
            const near = state.zoom > 2 && seen.length <= MOST_PICTURES &&
                         !document.body.classList.contains("bare");
            pictures.replaceChildren(...(near ? seen : []).map((i) => {
                const made = element("div", {class: "map-picture"}, picture(i));
                made.style.left = `${across(i) / SIDE * 100}%`;
                made.style.top = `${down(i) / SIDE * 100}%`;
                return made;
            }));
            point(state.at);
        }

        function point(i) {
            state.at = i;
            const shown = i >= 0 && inside(i);
            ring.setAttribute("visibility", shown ? "visible" : "hidden");
            hint.hidden = !shown;
            if (!shown) {
                return;
            }
            ring.setAttribute("cx", across(i).toFixed(1));
            ring.setAttribute("cy", down(i).toFixed(1));
            if (hint.dataset.model !== String(i)) {
                hint.dataset.model = i;
                hint.replaceChildren(picture(i), element("strong", {}, psb.models[i]),
                                     element("span", {}, className(classOf[i])));
                readout.textContent = `${psb.models[i]}, ${className(classOf[i])}`;
            }
            hint.style.left = `${Math.min(across(i) / SIDE * 100, 74)}%`;
            hint.style.top = `${down(i) / SIDE * 100}%`;
            hint.classList.toggle("above", down(i) > SIDE * 0.6);
        }

        /* The model nearest to a place of the drawing, within so many units. */
        function nearest(x, y, within, fits = () => true) {
            let best = -1, least = within * within;
            for (let i = 0; i < group.length; i++) {
                const far = (across(i) - x) ** 2 + (down(i) - y) ** 2;
                if (far < least && (state.only === null || group[i] === state.only) && fits(i)) {
                    [best, least] = [i, far];
                }
            }
            return best;
        }
        function placeOf(event) {
            const box = plot.getBoundingClientRect();
            return [(event.clientX - box.x) / box.width * SIDE, (event.clientY - box.y) / box.height * SIDE];
        }
        const openModel = (i) => {
            if (i >= 0 && psb.files === undefined) {
                location.href = queryLink(i, [state.d]);
            }
        };
        function zoom(factor, x = SIDE / 2, y = SIDE / 2) {
            const before = state.zoom;
            state.zoom = Math.max(1, Math.min(MOST_ZOOM, before * factor));
            state.x += (x - SIDE / 2) / HALF * (1 / before - 1 / state.zoom);
            state.y += (y - SIDE / 2) / HALF * (1 / before - 1 / state.zoom);
            move(0, 0);
        }
        function move(x, y) {
            const room = 1 - 1 / state.zoom;
            state.x = Math.max(-room, Math.min(room, state.x - x / HALF / state.zoom));
            state.y = Math.max(-room, Math.min(room, state.y - y / HALF / state.zoom));
            draw();
        }
        const reset = () => {
            Object.assign(state, {x: 0, y: 0, zoom: 1});
            draw();
        };

        /* A box lists the models in it, drawn with the shift key or where the button says so. */
        const rectangle = svg("rect", {class: "map-box", visibility: "hidden"});
        const boxButton = element("button", {type: "button", "aria-pressed": "false"}, "Select");
        const chosen = element("div", {class: "map-chosen"});
        plot.append(rectangle);
        section.querySelector(".map-body").append(chosen);
        boxButton.addEventListener("click", () => {
            boxButton.setAttribute("aria-pressed", String(boxButton.getAttribute("aria-pressed") !== "true"));
        });
        function drawBox([x0, y0], [x1, y1]) {
            const all = {x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0)};
            Object.entries(all).forEach(([name, value]) => rectangle.setAttribute(name, value.toFixed(1)));
            rectangle.setAttribute("visibility", "visible");
            return all;
        }
        function selectIn({x, y, width, height}) {
            const MOST = 60, within = [...group.keys()].filter((i) => (state.only === null || group[i] === state.only) &&
                across(i) >= x && across(i) <= x + width && down(i) >= y && down(i) <= y + height);
            chosen.replaceChildren(element("h3", {}, `${within.length} models selected`),
                element("ul", {class: "models"}, ...within.slice(0, MOST).map((i) =>
                    card(i, [className(classOf[i])], null, "", [state.d]))));
            if (within.length > MOST) {
                chosen.append(element("p", {class: "note"}, `The first ${MOST} are shown.`));
            }
            unlink(chosen);
        }

        let drag = null;
        plot.addEventListener("pointerdown", (event) => {
            const box = event.shiftKey || boxButton.getAttribute("aria-pressed") === "true";
            drag = {at: placeOf(event), far: 0, box: box ? placeOf(event) : null};
            plot.setPointerCapture(event.pointerId);
        });
        plot.addEventListener("pointermove", (event) => {
            const [x, y] = placeOf(event);
            if (drag !== null && drag.box !== null) {
                drawBox(drag.box, [x, y]);
                return;
            }
            if (drag !== null) {
                const [dx, dy] = [x - drag.at[0], y - drag.at[1]];
                drag.far += Math.hypot(dx, dy);
                drag.at = [x, y];
                if (drag.far > 5) {
                    move(dx, dy);
                }
                return;
            }
            point(nearest(x, y, 14));
        });
        plot.addEventListener("pointerup", (event) => {
            if (drag !== null && drag.box !== null) {
                selectIn(drawBox(drag.box, placeOf(event)));
                rectangle.setAttribute("visibility", "hidden");
            } else if (drag !== null && drag.far <= 5) {
                openModel(nearest(...placeOf(event), 14));
            }
            drag = null;
        });
        plot.addEventListener("pointercancel", () => {
            drag = null;
        });
        plot.addEventListener("pointerleave", () => point(-1));
        plot.addEventListener("wheel", (event) => {
            if (event.ctrlKey || document.activeElement === plot) {
                event.preventDefault();
                zoom(Math.exp(-event.deltaY / 300), ...placeOf(event));
            }
        }, {passive: false});
        plot.addEventListener("keydown", (event) => {
            const ways = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
            const others = {"+": () => zoom(1.5), "-": () => zoom(1 / 1.5), "0": reset,
                            Enter: () => openModel(state.at)};
            if (event.key in others) {
                event.preventDefault();
                others[event.key]();
            } else if (event.key in ways) {
                event.preventDefault();
                if (state.at < 0) { /* the first key names the model in the middle */
                    point(nearest(SIDE / 2, SIDE / 2, 2 * SIDE, inside));
                    return;
                }
                const [wx, wy] = ways[event.key], x = across(state.at), y = down(state.at);
                const next = nearest(x, y, 2 * SIDE, (i) => {
                    const along = wx * (across(i) - x) + wy * (down(i) - y);
                    const aside = Math.abs(wy * (across(i) - x) + wx * (down(i) - y));
                    return i !== state.at && inside(i) && along > 0 && aside <= along;
                });
                point(next >= 0 ? next : state.at);
            }
        });

        let glide = 0;
        function choose(d) {
            const from = xy, to = places.get(d), begin = performance.now(), turn = ++glide;
            state.d = d;
            section.querySelector(".map-by").textContent = psb.descriptors[d][0];
            const quick = matchMedia("(prefers-reduced-motion: reduce)").matches || to.length > 40000;
            const step = (now) => {
                const t = quick ? 1 : Math.min(1, Math.max(0, (now - begin) / GLIDE));
                const part = t * t * (3 - 2 * t);
                xy = from.map((x, i) => x + part * (to[i] - x));
                draw();
                if (t < 1 && turn === glide) {
                    requestAnimationFrame(step);
                }
            };
            requestAnimationFrame(step);
        }

        const tools = section.querySelector(".map-tools");
        if (places.size > 1) {
            const select = element("select", {id: "map-by"});
            const shown = [...places.keys()];
            options(select, shown.map((d) => psb.descriptors[d][0]), shown);
            select.addEventListener("change", () => choose(Number(select.value)));
            tools.append(element("label", {}, "By ", select));
        }
        for (const [text, name, act] of [["+", "Zoom in", () => zoom(1.6)],
                                         ["\u2212", "Zoom out", () => zoom(1 / 1.6)],
                                         ["Whole", "Show the whole map", reset]]) {
            const button = element("button", {type: "button", "aria-label": name}, text);
            button.addEventListener("click", act);
            tools.append(button);
        }
        tools.append(boxButton);
        for (const entry of section.querySelectorAll(".map-legend li")) {
            const g = Number(entry.dataset.group);
            const button = element("button", {type: "button", "aria-pressed": "false"}, ...entry.childNodes);
            button.addEventListener("click", () => {
                state.only = state.only === g ? null : g;
                for (const other of section.querySelectorAll(".map-legend button")) {
                    other.setAttribute("aria-pressed", String(other === button && state.only === g));
                }
                draw();
            });
            entry.append(button);
        }
        section.querySelector(".map-side").append(readout);
        draw();
    }
    /* Its data come behind this script. */
    document.addEventListener("DOMContentLoaded", () => {
        if (psb.map !== undefined) {
            document.querySelectorAll("section.map").forEach(mapSection);
        }
    });

    /* ---- the heat map ---- */

    /* Its cells lead to their class at their descriptor; classes stand behind their group. */
    function heatMap(heat) {
        const columns = [...heat.tHead.rows[0].cells].map((cell) => cell.textContent.trim());
        for (const row of heat.querySelectorAll("tbody tr")) {
            const c = Number(row.dataset.class);
            [...row.cells].forEach((cell, i) => {
                const d = psb.descriptors.findIndex(([label]) => label === columns[i]);
                if (i >= 2 && d >= 0) {
                    const address = new URLSearchParams({c: classAddress(c), d: psb.descriptors[d][1]});
                    cell.replaceChildren(element("a", {href: `class.html#${address}`,
                                                       title: cell.title}, cell.textContent));
                    cell.removeAttribute("title");
                }
            });
        }
        for (const row of heat.querySelectorAll("tr.group")) {
            const below = [];
            for (let r = row.nextElementSibling; r !== null && !r.matches(".group, .alone"); r = r.nextElementSibling) {
                below.push(r);
            }
            const button = element("button", {type: "button", class: "fold", "aria-expanded": "false"},
                                   `${below.length} class${below.length === 1 ? "" : "es"}`);
            const fold = (shut) => {
                button.setAttribute("aria-expanded", String(!shut));
                below.forEach((r) => r.classList.toggle("folded", shut));
            };
            button.addEventListener("click", () => fold(button.getAttribute("aria-expanded") === "true"));
            row.cells[0].append(" ", button);
            fold(true);
        }
    }
    document.querySelectorAll("#heat").forEach(heatMap);

    for (const [id, fill] of [["matches", queryPage], ["class", classPage], ["compare", comparePage]]) {
        const page = document.querySelector(`.scripted#${id}`);
        if (page !== null) {
            page.hidden = false;
            fill(page);
        }
    }

    /* Pages that no address fills say so as well, and stay. */
    function tellAnchor() {
        let name = location.hash.slice(1);
        try {
            name = decodeURIComponent(name);
        } catch { /* as it stands there */ }
        byId("unknown")?.remove();
        if (name !== "" && byId(name) === null) {
            byId("content").querySelector("h1").after(element("div", {id: "unknown"},
                element("p", {role: "alert"}, `There is no part \u201c${name}\u201d of this page.`), searchAll()));
        }
    }
    if (document.querySelector(".scripted") === null && psb.files === undefined) {
        addEventListener("hashchange", tellAnchor);
        tellAnchor();
    }

    unlink(document);
})();

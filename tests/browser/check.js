/*
 * Opens the pages of a report from disk in headless Chromium and uses them as a reader would.
 * Prints a line "ok - ..." or "not ok - ..." for each thing that was tried; fails if any did.
 *
 *   node check.js MODULES REPORT SCREENSHOTS [hostile]
 *   node check.js MODULES FOLDER SCREENSHOTS only FILE...    how these pages look, in every state
 */
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";
import {readFile} from "node:fs/promises";
import path from "node:path";

const [modules, report, screenshots, kind, ...only] = process.argv.slice(2);
const hostile = kind === "hostile";
const require = createRequire(path.join(path.resolve(modules), "package.json"));
const {chromium} = require("playwright-core");
const axe = require.resolve("axe-core/axe.min.js");
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--disable-sync"];

let failed = false;
function check(what, good, detail = "") {
    console.log(`${good ? "ok" : "not ok"} - ${what}${good ? "" : `: ${detail}`}`);
    failed = failed || !good;
}
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const browser = await chromium.launch({executablePath: "/usr/bin/chromium", args: flags});
const complaints = [];
function address(name) {
    const [file, state] = name.split("#");
    const url = pathToFileURL(path.join(path.resolve(report), file)).href;
    return state === undefined ? url : `${url}#${state}`;
}

async function open(name, options = {}) {
    const page = await browser.newPage({viewport: {width: 1280, height: 900}, ...options});
    page.on("console", (message) => {
        const complains = message.type() === "error" || message.type() === "warning";
        if (complains && !message.text().includes("ReadPixels")) { /* a canvas that is looked at */
            complaints.push(`${name}: ${message.text()}`);
        }
    });
    page.on("pageerror", (error) => complaints.push(`${name}: ${error.message}`));
    page.on("dialog", (dialog) => {
        complaints.push(`${name}: a dialog`);
        dialog.dismiss();
    });
    page.on("requestfailed", (request) => complaints.push(`${name}: no ${request.url()}`));
    page.on("request", (request) => {
        if (!/^(file|data):/.test(request.url())) {
            complaints.push(`${name}: network: ${request.url()}`);
        }
    });
    await page.goto(address(name));
    return page;
}

/* One page at every width, light and dark, and on paper. */
async function look(name, title) {
    for (const colorScheme of ["light", "dark"]) {
        const page = await open(name, {colorScheme, bypassCSP: true}); /* for the script of the rules */
        await page.waitForFunction(() =>
            document.querySelector(".scripted") === null ||
            document.querySelector("#query h2, #about table, #about p") !== null);
        await page.addScriptTag({path: axe});
        const {violations} = await page.evaluate(() => axe.run({preload: false}));
        check(`${title}, ${colorScheme}: keeps the rules of accessibility`, violations.length === 0,
              violations.map((v) => `${v.id}: ${v.nodes[0].html}`).join("; "));
        for (const width of colorScheme === "light" ? [390, 1280, 1920] : []) {
            await page.setViewportSize({width, height: 900});
            await page.screenshot({path: path.join(screenshots, `${title}-${width}.png`)});
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            check(`${title}: fits ${width} pixels`, wide <= width, `${wide} wide`);
        }
        await page.close();
    }
}

async function print(name) {
    const page = await open(name, {viewport: {width: 1047, height: 718}}); /* A4 with its margins */
    await page.emulateMedia({media: "print"});
    const cut = await page.$$eval("main table", (tables) => tables.filter((table) =>
        table.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
        .map((table) => table.id));
    check(`${name} prints without a cut table`, hostile || cut.length === 0, cut.join());
    await page.close();
}

async function finish() {
    check("no page asked for the network, complained or missed a file", complaints.length === 0,
          complaints.join("; "));
    await browser.close();
    process.exit(failed ? 1 : 0);
}

if (kind === "only") {
    for (const name of only) {
        await look(name, name.split("#")[0].replace(/\W+/g, "-"));
        await print(name);
    }
    await finish();
}

const front = await open("index.html");
const labels = await front.evaluate(() => psb.descriptors.map(([label]) => label));
const files = await front.evaluate(() =>
    psb.descriptors.map(([, stem]) => `${encodeURIComponent(stem)}.html`));
const pages = ["index.html", files[0], "methods.html", "matches.html#q=*3", "models.html", "class.html#c=*0",
               "compare.html"];

/* ---- every page, at every width, light and dark ---- */

for (const name of pages) {
    await look(name, name === files[0] ? "descriptor" : name.split(".")[0]);
}

/* ---- tables ---- */

async function column(page, table, index) {
    return page.$$eval(`${table} tbody:last-of-type tr`, (rows, i) =>
        rows.filter((r) => r.offsetParent !== null).map((r) => r.cells[i].textContent), index);
}
const number = (text) => (text === "" ? -Infinity : parseFloat(text));
const descending = (values) => values.every((v, i) => i === 0 || number(values[i - 1]) >= number(v));

/* ---- what the front page says first ---- */

const ranked = await front.$$eval("#retrieval tbody th a", (links) => links.map((l) => l.textContent));
const answer = await front.textContent(".answer");
check("the answer names the best descriptor, whose row is the first", answer.startsWith(ranked[0]) &&
      same([...ranked].sort(), [...labels].sort()), answer);
for (const [width, height] of [[390, 844], [1024, 768], [1600, 900]]) {
    await front.setViewportSize({width, height});
    const bottoms = await front.evaluate(() => [".answer", "#retrieval tbody"].map((selector) =>
        document.querySelector(selector).getBoundingClientRect().bottom));
    check(`answer and table stand on the first screen of ${width} pixels`,
          hostile || Math.max(...bottoms) <= height, bottoms.join());
}
await front.setViewportSize({width: 1280, height: 900});

/* ---- the map ---- */

const markers = await front.$$eval(".map-points path", (paths) =>
    paths.map((path) => path.getAttribute("d").split("M").length - 1).reduce((a, b) => a + b, 0));
check("the map has a marker for each model", markers === await front.evaluate(() => psb.models.length), markers);
await front.focus(".map-points");
await front.keyboard.press("ArrowRight");
const named = await front.textContent(".map-side .readout");
check("an arrow key names a model of the map",
      await front.evaluate((text) => psb.models.some((id) => text.startsWith(id)), named), named);
const drawn0 = await front.getAttribute(".map-points path", "d");
await front.keyboard.press("+");
check("plus zooms into the map", await front.getAttribute(".map-points path", "d") !== drawn0);
await front.keyboard.press("0");
await front.click(".map-legend li:first-child button");
check("the legend picks a class out", await front.locator(".map-points .faint").count() ===
      await front.locator(".map-points path").count() - 1);
await front.click(".map-legend li:first-child button");
const mapBox = await front.locator(".map-points").boundingBox();
await front.click(".map-tools button:has-text('Select')");
await front.mouse.move(mapBox.x + 1, mapBox.y + 1);
await front.mouse.down();
await front.mouse.move(mapBox.x + mapBox.width - 1, mapBox.y + mapBox.height - 1);
await front.mouse.up();
check("a box selects the models in it", (await front.textContent(".map-chosen h3")) ===
      `${await front.evaluate(() => psb.models.length)} models selected` &&
      await front.locator(".map-chosen .model").count() > 0);
await front.click(".map-tools button:has-text('Select')");
await front.selectOption("#map-by", {index: 1});
await front.waitForFunction((before) => document.querySelector(".map-points path").getAttribute("d") !== before,
                            drawn0);
check("another descriptor moves the models", await front.textContent(".map-by") ===
      await front.evaluate(() => psb.descriptors[psb.map.places[1][0]][0]));
const still = await open("index.html", {javaScriptEnabled: false});
check("without scripts the map stands there", await still.locator(".map-points path").count() > 0 &&
      await still.getAttribute(".map-points path", "d") !== null);
await still.close();
const opened = await open("index.html");
await opened.focus(".map-points");
await opened.keyboard.press("ArrowDown");
const id = (await opened.textContent(".map-hint strong"));
await opened.keyboard.press("Enter");
await opened.waitForSelector("#query h2");
check("Enter opens the model", await opened.textContent("#query h2") === `Query ${id}`, id);
await opened.close();

check("a line goes through the descriptors that none beats",
      /^M.*/.test(await front.getAttribute(".frontier", "d")));

/* ---- addresses ---- */

for (const [name, what] of [["matches.html#q=zzz", "zzz"], ["class.html#c=nosuch", "nosuch"],
                            ["compare.html#a=nosuch", "nosuch"], ["matches.html#d=nosuch", "nosuch"],
                            ["index.html#nosuch", "nosuch"], ["methods.html#nosuch", "nosuch"],
                            [`compare.html#a=*&b=*`.replaceAll("*", encodeURIComponent(labels[0])), labels[0]]]) {
    const page = await open(name);
    await page.waitForSelector("#unknown");
    const text = await page.textContent("#unknown [role=alert]");
    await page.fill("#unknown input", labels[0]);
    check(`${what} is said to be unknown`, text.includes(what) &&
          await page.locator("#unknown .search-found a").count() > 0, text);
    await page.close();
}

/* ---- the heat map ---- */

const cell = await front.getAttribute("#heat tbody tr:first-child td:nth-child(3) a", "href");
const led = await open(cell);
await led.waitForSelector("#figures, #below");
check("a cell of the heat map leads to its class and descriptor",
      await led.$eval("#descriptor", (select) => select.selectedOptions[0].textContent) === labels[0]);
await led.close();
if (!hostile) {
    const rows = await front.locator("#heat tbody tr:visible").count();
    await front.click("#heat .fold >> nth=0");
    check("a group of classes unfolds", await front.locator("#heat tbody tr:visible").count() > rows);
}

/* ---- tables ---- */

await front.click("#retrieval thead tr:last-child th:nth-child(2) button");
check("a click on a column sorts it, best first", descending(await column(front, "#retrieval", 1)));
await front.focus("#retrieval thead tr:last-child th:nth-child(2) button");
await front.keyboard.press("Enter");
check("Enter turns the order round",
      descending((await column(front, "#retrieval", 1)).reverse()) &&
      await front.getAttribute("#retrieval thead tr:last-child th:nth-child(2)", "aria-sort") ===
          "ascending");
await front.click("#retrieval thead tr:last-child th:nth-child(1) button");
check("the first column sorts by name",
      same(await column(front, "#retrieval", 0), [...labels].sort((a, b) => a.localeCompare(b))));

if (!hostile) {
    await front.click("#table-6 thead tr:last-child th:nth-child(5) button");
    check("a table of the paper under groups of columns sorts as well",
          descending(await column(front, "#table-6", 4)) &&
          await front.locator("#table-6 thead th[scope=colgroup]").count() === 4);
}

/* ---- curves ---- */

await front.focus("input[data-curve='0']");
await front.keyboard.press("Space");
check("the legend hides a curve", !await front.isVisible(".plot [data-curve='0']"));
await front.keyboard.press("Space");
check("the legend shows it again", await front.isVisible(".plot [data-curve='0']"));

/* ---- a descriptor's page ---- */

const descriptor = await open(files[0]);
await descriptor.$$eval("details", (all) => all.forEach((one) => {
    one.open = true;
}));
check("a descriptor's page begins with its curve and its worst queries",
      await descriptor.locator(".plot .curve").count() === 1 &&
      await descriptor.locator("section[aria-label='Worst queries'] .model").count() > 0);
const names = await column(descriptor, "#classes", 0);
const grouped = await descriptor.$$eval("tr.group", (rows) => rows.length);
if (!hostile) {
    await descriptor.click("#classes thead th:nth-child(7) button");
    check("classes sort by DCG, without groups",
          descending(await column(descriptor, "#classes", 6)) &&
          (await column(descriptor, "#classes", 0)).length === names.length - grouped);
    await descriptor.click("#classes thead th:nth-child(1) button");
    check("sorting by class gives the hierarchy again",
          same(await column(descriptor, "#classes", 0), names));
    await descriptor.fill("input[data-filter]", names[names.length - 1]);
    const left = await column(descriptor, "#classes", 0);
    check("the filter leaves the classes of that name",
          left.length >= 1 && left.every((name) => name.includes(names[names.length - 1])));
    await descriptor.fill("input[data-filter]", "");
}
const pan = descriptor.locator("[data-matrix='tiers'] .pan");
await pan.scrollIntoViewIfNeeded();
await pan.hover({position: {x: 0, y: 0}});
const readout = descriptor.locator("[data-matrix='tiers'] .readout");
const first = await descriptor.evaluate(() => [psb.models[0], psb.classes.find((c) => c[3] > 0)[0]]);
const said = await readout.textContent();
check("the pointer on an image names model and class", first.every((name) => said.includes(name)),
      said);
await pan.focus();
await descriptor.keyboard.press("ArrowRight");
check("arrow keys move over the image",
      (await readout.textContent()).includes(await descriptor.evaluate(() => psb.models[1])));
await descriptor.keyboard.press("+");
check("plus zooms", /scale\(2\)/.test(await pan.locator("img").getAttribute("style")));
await descriptor.keyboard.press("0");
check("0 shows the whole image", /scale\(1\)/.test(await pan.locator("img").getAttribute("style")));

/* ---- best matches ---- */

const stems = files.map((name) => decodeURIComponent(name.replace(/\.html$/, "")));
const matches = await open(`matches.html#d=${encodeURIComponent(stems[0])}`);
const heading = () => matches.textContent("#query h2");
const settled = async (model) => matches.waitForFunction((m) =>
    document.querySelector("#query h2")?.textContent === `Query ${psb.models[m]}`, model);
await settled(0);
const listed = await matches.evaluate(() => Math.min(100, psb.models.length - 1));
const begun = await matches.locator("#lists li").count();
if (begun < listed) {
    await matches.click("#lists summary");
    await matches.waitForFunction((n) => document.querySelectorAll("#lists li").length === n, listed);
}
check("a query has its ranked list, the first 60 before the others",
      begun === Math.min(60, listed) && await matches.locator("#lists li").count() === listed, String(begun));
const cut = await matches.$$eval("#lists .picture", (all) => Promise.all(all.slice(0, 3).map((shown) =>
    new Promise((resolve) => {
        const sheet = new Image(), style = getComputedStyle(shown);
        sheet.onload = () => resolve(sheet.naturalWidth / 160 !== parseFloat(style.backgroundSize) / 100);
        sheet.src = style.backgroundImage.slice(5, -2);
    }))));
check("each picture is one of its sheet, and whole", !cut.includes(true));
/* Names of models are those of the cards; hostile ones, which look alike, do without. */
const own = await matches.evaluate(() => {
    const [, , at, count] = psb.classes.find(([, , first, size]) => first === 0 && size > 0);
    return psb.models.slice(at, at + count);
});
const hits = await matches.$$eval("#lists li", (cards, names) => cards.every((card) =>
    card.classList.contains("hit") === names.includes(card.querySelector(".id").textContent)), own);
check("just the models of the query's class are framed", hits);
const tiers = await matches.evaluate(() => ["first", "second", "nearest"].map((kind) =>
    document.querySelectorAll(`#lists .chip.${kind}`).length));
check("nearest neighbor and tiers are marked",
      same(tiers, [Math.min(listed, own.length - 1),
                   Math.min(listed, 2 * (own.length - 1)) - (own.length - 1), 1]), tiers.join());
check("each relevant model has its tick on the strip",
      await matches.locator("#lists .tick").count() === own.length - 1);
await matches.click("#next");
await settled(1);
await matches.check(`#chosen label:nth-child(${labels.length}) input`);
await matches.waitForFunction(() => document.querySelectorAll("#lists .column").length === 2);
check("a second descriptor stands beside the first, with the same query",
      same(await matches.$$eval("#lists h2", (all) => all.map((h) => h.textContent)),
           [labels[0], labels[labels.length - 1]]) &&
      await matches.locator("#lists > :first-child > .models:first-of-type li").count() === Math.min(30, listed) &&
      await heading() ===
           `Query ${await matches.evaluate(() => psb.models[1])}`);
await matches.click("#query h2");
await matches.keyboard.press("ArrowLeft");
await settled(0);
check("an arrow key goes back", await matches.isDisabled("#previous"));
const wanted = await matches.evaluate(() => psb.models[psb.models.length - 1]);
await matches.fill("#search", wanted);
await matches.keyboard.press("Enter");
await matches.waitForFunction((id) =>
    document.querySelector("#query h2").textContent === `Query ${id}`, wanted);
check("the search finds an id", await heading() === `Query ${wanted}`);
check("the address has the id",
      await matches.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("q")) === wanted);
const classWanted = await matches.evaluate(() => psb.classes.find((c) => c[3] > 0)[0]);
await matches.fill("#search", classWanted);
check("the search finds a class",
      (await matches.textContent("#found li")).includes(classWanted));
await matches.click("#found li a");
await settled(await matches.evaluate(() => psb.classes.find((c) => c[3] > 0)[2]));
check("a click on a model makes it the query", true);
const turned = await matches.evaluate(async () => {
    const seen = () => {
        const canvas = document.querySelector("#query canvas");
        return canvas === null ? null : canvas.toDataURL();
    };
    for (let i = 0; i < 50 && seen() === null; i++) {
        await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const before = seen();
    document.querySelector("#query canvas")?.dispatchEvent(
        new KeyboardEvent("keydown", {key: "ArrowRight"}));
    return before === null ? "no view" : before === seen() ? "still" : "turned";
});
check("a model can be turned", turned === "turned", turned);

/* ---- classes, and two descriptors ---- */

const gallery = await open("class.html");
await gallery.waitForSelector(".tile");
check("the gallery has a tile for each class", await gallery.locator(".tile").count() ===
      await gallery.locator("#which option").count() - 1);
await gallery.close();
const scored = await matches.evaluate(() => psb.classes.findIndex((c) => c[3] > 2));
const classes = await open(`class.html#c=*${scored}`);
await classes.waitForSelector("#figures");
check("a class has its scores by every descriptor",
      same(await column(classes, "#figures", 0), labels));
await classes.selectOption("#descriptor", String(labels.length - 1));
await classes.waitForFunction((label) =>
    document.querySelector("#confused-caption")?.textContent.includes(label), labels[labels.length - 1]);
check("what a class is taken for comes from the descriptor that is chosen", true);
check("a class has a curve and a row of confusions for each descriptor, the chosen one first",
      await classes.locator("#about .plot .curve").count() === labels.length &&
      await classes.textContent("#confused tbody tr:first-child th") === labels[labels.length - 1] &&
      await classes.locator("#confused tbody tr").count() === labels.length);
const methods = await open("methods.html");
check("the methods' page names all, and joins them in a tree",
      same([...await methods.$$eval(".leaf", (all) => all.map((text) => text.textContent))].sort(), [...labels].sort()) &&
      await methods.locator(".branch").count() === labels.length - 1);
await methods.close();
const compare = await open("compare.html");
await compare.waitForSelector("#classes-compared");
const gains = (await column(compare, "#classes-compared", 4)).map((text) => text.replace("\u2212", "-"));
check("classes stand by what they gain", descending(gains), gains.join());
const [file] = await Promise.all([compare.waitForEvent("download"),
                                  compare.click("[aria-label='Download figures.tsv']")]);
check("a table can be taken along", (await readFile(await file.path(), "utf8")).startsWith("Measure\t"));

/* ---- print ---- */

for (const name of ["index.html", "class.html", "class.html#c=*0", "methods.html"]) {
    await print(name);
}

/* ---- models, also without scripts ---- */

const models = await open("models.html");
const count = await models.locator(".model").count();
check("classes of a large set are folded", await models.locator("details.class").count() > 0 &&
      (await models.locator("details.class[open]").count() === 0) === (count > 60));
await models.fill("input[data-filter]", wanted);
check("the filter leaves the models with that id",
      await models.locator(".model:visible").count() < count || count === 1);
const plain = await open("models.html", {javaScriptEnabled: false});
for (const summary of count > 60 ? await plain.$$("details.class > summary") : []) {
    await summary.click();
}
check("without scripts the models stand there",
      await plain.locator(".model .picture:visible, .model .no-picture:visible").count() === count);
const drawn = await models.evaluate(async () => {
    document.querySelector("input[data-filter]").value = "";
    const image = new Image();
    image.src = /url\("(.*)"\)/.exec(
        getComputedStyle(document.querySelector(".model .picture")).backgroundImage)[1];
    await image.decode();
    return image.naturalWidth;
});
check("models have pictures", drawn === 4 * 160, drawn);

if (hostile) {
    const texts = await plain.$$eval(".class p a", (links) => links.map((a) => a.textContent.trim()));
    for (const name of ["<script>alert(1)</script>", "\"quoted'&amp;", "Stühle-椅子", "bad\ufffdbyte",
                        "\\u202elive", "\u2068כיסא\u2069", "x".repeat(200)]) {
        check(`a class is shown as ${name}`, texts.includes(name), texts.join());
    }
    await front.setViewportSize({width: 1024, height: 768});
    const [order, drawnOver] = await front.evaluate(() => {
        const rows = [...document.querySelectorAll("#heat tbody tr")];
        const box = (part) => {
            const range = document.createRange();
            range.selectNodeContents(part);
            return range.getBoundingClientRect();
        };
        return [rows.every((row) => box(row.cells[0]).right <= box(row.cells[1]).left),
                rows.filter((row) => box(row.cells[0]).right > row.cells[0].getBoundingClientRect().right + 1).length];
    });
    check("a class's count stands behind its name, whatever the name is", order && drawnOver === 0);
}

await finish();

// The view Try: give it a page, see what is kept and why, change settings, compare two.
import { blockInspector } from "./block_inspector.js";
import { asCommand, asPython, asRequest, NONE, query, settingsForm } from "./clean_settings.js";
import { element, fill } from "./elements.js";
import { say } from "./messages.js";
import { pageFrame } from "./tried_page.js";
import { ask } from "./requests.js";
import { blocks, copy, json, metadata, reading, sentences, source } from "./result_views.js";
import { tabs } from "./tabs.js";

const FORMATS = "text,markdown,html,metadata,blocks,page";
const WIDE = matchMedia("(min-width: 70rem)");
const NARROW = matchMedia("(max-width: 40rem)");

export async function show(root) {
  const choices = await ask("/api/choices");
  const state = {
    root, choices, page: null, isOpen: true, marks: true, tab: "read", chosen: null,
    settings: [{ ...NONE }], results: [], perplexities: [], turn: 0,
  };
  for (const width of [WIDE, NARROW]) width.addEventListener("change", () => state.results.length && showResults(state));
  acceptDrops(state);
  showStart(state);
}

// ---- the page that is cleaned

function showStart(state) {
  const area = element("textarea", {
    id: "given", rows: "9", placeholder: "<h1>Paste the HTML of a page here</h1>\n<p>… or plain text.</p>", spellcheck: "false",
  });
  const address = element("input", { id: "address", type: "url", placeholder: state.choices.fetches
    ? "https://… without HTML above, the page is fetched" : "https://… (optional: helps with links and metadata)" });
  const file = element("input", { type: "file", id: "file", class: "unseen", tabindex: "-1", "aria-hidden": "true",
    accept: ".html,.htm,.xhtml,.txt,text/html,text/plain", onchange: () => file.files[0] && takeFile(state, file.files[0], address.value) });
  const cleanGiven = () => {
    if (area.value.trim()) take(state, pastedPage(area.value, address.value));
    else if (state.choices.fetches && address.value) takeAddress(state, address.value);
  };
  const form = element("form", { class: "start sheet", onsubmit: (event) => { event.preventDefault(); cleanGiven(); } },
    element("label", { for: "given" }, "HTML or text"), area,
    element("div", { class: "field" }, element("label", { for: "address" }, "Address of the page"), address),
    element("div", { class: "row" },
      element("button", { class: "primary", type: "submit" }, "Clean"),
      element("button", { type: "button", onclick: () => file.click() }, "Open a file…"), file,
      element("button", { type: "button", class: "quiet", onclick: () => takeExample(state) }, "Try an example"),
      element("span", { class: "soft small" }, "or drop a file anywhere")));
  fill(state.root, element("div", { class: "welcome" },
    element("h1", {}, "What is the text of this page?"),
    element("p", { class: "soft" }, "Victor keeps the content of a web page and drops menus, advertisements and footers. See which, and why. Nothing leaves this machine."),
    form));
  area.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) cleanGiven(); });
  area.focus();
}

function pastedPage(text, url) {
  const isHtml = /<[a-z!/][^>]*>/i.test(text);
  return { name: isHtml ? "pasted HTML" : "pasted text", file: isHtml ? "page.html" : "page.txt", body: text, url,
    type: isHtml ? "text/html; charset=utf-8" : "text/plain; charset=utf-8" };
}

function takeFile(state, file, url = "") {
  const isText = file.type === "text/plain" || file.name.toLowerCase().endsWith(".txt");
  const isXml = file.type === "application/xhtml+xml";
  take(state, { name: file.name, file: file.name, body: file, url, type: isText ? "text/plain" : isXml ? file.type : "text/html" });
}

async function takeExample(state) {
  const answer = await fetch("/static/example.html");
  take(state, { name: "an example", file: "example.html", body: await answer.text(), type: "text/html; charset=utf-8",
    url: "https://harbourpost.example/town/last-lamplighter" });
}

/** The server fetches a page once, and the browser keeps it. */
async function takeAddress(state, url) {
  state.root.setAttribute("aria-busy", "true");
  try {
    const found = await ask("/api/clean?formats=source", { url });
    if (found.source === undefined) throw new Error(found.reason || found.status);
    take(state, { name: url, file: url, url: found.url, body: found.source, type: "text/html; charset=utf-8" });
  } catch (error) {
    say(error.message, "error");
  } finally {
    state.root.removeAttribute("aria-busy");
  }
}

function take(state, page) {
  if ((page.body.size ?? page.body.length) > state.choices.max_bytes) {
    say(`${page.name} is larger than ${state.choices.max_bytes.toLocaleString("en")} bytes, which is what the server takes.`, "error");
    return;
  }
  Object.assign(state, { page, chosen: null, results: [], perplexities: [] });
  cleanAll(state);
}

function acceptDrops(state) {
  addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file, ...others] = event.dataTransfer.files;
    if (others.length) say("One page at a time: the first file is shown.");
    if (file) takeFile(state, file);
  });
}

// ---- cleaning

function send(state, path, settings, more) {
  const { body, type, url } = state.page;
  return ask(`${path}?${query(settings, url ? { url, ...more } : more)}`, undefined,
    { method: "POST", body, headers: { "content-type": type } });
}

async function cleanAll(state) {
  const turn = (state.turn += 1);
  state.root.setAttribute("aria-busy", "true");
  try {
    const begun = performance.now();
    const results = await Promise.all(state.settings.map((settings) =>
      send(state, "/api/clean", settings, { formats: FORMATS, all_blocks: "true" })));
    if (turn !== state.turn) return;
    Object.assign(state, { results, perplexities: [], seconds: (performance.now() - begun) / 1000 });
    showResults(state);
  } catch (error) {
    if (turn === state.turn) say(error.message, "error");
  } finally {
    if (turn === state.turn) state.root.removeAttribute("aria-busy");
  }
}

// ---- what came of it

function showResults(state) {
  const isTwo = state.settings.length === 2;
  state.frames = [];
  const panes = state.results.map((_, side) => pane(state, side));
  const first = WIDE.matches && !isTwo ? [pagePane(state)] : [];
  state.root.replaceChildren(
    pageBar(state),
    controls(state),
    ...notices(state),
    ...(WIDE.matches && !isTwo ? [] : [legend(state, isTwo)]),
    element("div", { class: `panes ${isTwo ? "two" : ""}` }, ...first, ...panes));
  if (state.chosen !== null) inspect(state, ...state.chosen, false);
}

function pageBar(state) {
  return element("div", { class: "row spread page-bar" },
    element("h1", {}, state.page.name),
    element("p", { class: "soft number facts" }, facts(state)),
    element("div", { class: "row tight" }, copyMenu(state),
      element("button", { type: "button", onclick: () => toggleComparison(state) },
        state.settings.length === 2 ? "End comparison" : "Compare"),
      element("button", { type: "button", onclick: () => { state.turn += 1; showStart(state); } }, "Another page")));
}

function facts(state) {
  const figures = state.results.map((result, side) => {
    const all = result.blocks ?? [];
    const kept = all.filter((block) => block.label !== "other");
    const name = state.results.length === 2 ? `${"AB"[side]}: ` : "";
    const sure = result.confidence === null ? "" : ` · confidence ${result.confidence.toFixed(2)}`;
    return result.blocks ? `${name}${kept.length} of ${all.length} blocks kept${sure}` : `${name}${result.status}`;
  });
  return [...figures, `${Math.round(state.seconds * 1000)} ms`].join(" · ");
}

function notices(state) {
  return state.results.filter((result) => result.reason).map((result) =>
    element("p", { class: "notice" }, element("strong", {}, result.status === "ok" ? "A doubt: " : `${result.status}: `), result.reason));
}

function controls(state) {
  const forms = state.settings.map((settings, side) => element("div", { class: "sheet control" },
    state.settings.length === 2 ? element("span", { class: "side", "aria-hidden": "true" }, "AB"[side]) : null,
    settingsForm(state.settings.length === 2 ? `Settings ${"AB"[side]}` : "Settings", state.choices, settings, (changed) => {
      state.settings[side] = changed;
      cleanAll(state);
    })));
  const all = element("div", { class: `controls ${forms.length === 2 ? "two" : ""}` }, forms);
  if (!NARROW.matches) return all;
  return element("details", { class: "folded", open: state.isUnfolded, ontoggle: (event) => { state.isUnfolded = event.target.open; } },
    element("summary", {}, forms.length === 2 ? "Settings A and B" : "Settings"), all);
}

function toggleComparison(state) {
  state.settings = state.settings.length === 2 ? [state.settings[0]] : [state.settings[0], { ...state.settings[0], bias: 1 }];
  if (state.settings[0].labeler && state.settings[1]) state.settings[1] = { ...NONE };
  state.chosen = null;
  cleanAll(state);
}

function copyMenu(state) {
  const ways = [["Command line", asCommand], ["Python", asPython], ["Request with curl", asRequest]];
  const menu = element("details", { class: "menu", onkeydown: (event) => { if (event.key === "Escape") { menu.open = false; menu.firstChild.focus(); } } },
    element("summary", { class: "button" }, "Copy as"),
    element("div", { class: "sheet" }, ways.map(([name, made]) => element("button", { class: "quiet", type: "button", onclick: () => {
      copy(state.settings.map((settings) => made(settings, state.page)).join("\n\n"));
      menu.open = false;
    } }, name))));
  return menu;
}

// ---- panes

function pagePane(state) {
  const panel = element("div", { class: "panel" });
  pagePanel(state, 0)(panel);
  return element("section", { class: "tabbed sheet", "aria-label": "The page" },
    element("div", { class: "pane-head row spread" }, element("h2", {}, "The page"), legend(state, false)), panel);
}

function legend(state, isTwo) {
  const box = element("input", { type: "checkbox", checked: state.marks, onchange: () => {
    state.marks = box.checked;
    for (const frame of state.frames) frame?.mark(state.marks);
  } });
  return element("div", { class: "row tight small" },
    element("span", { class: "key kept" }, isTwo ? "kept by both" : "kept"),
    isTwo ? element("span", { class: "key only" }, "kept only here") : null,
    isTwo ? element("span", { class: "key missing" }, "kept only by the other") : null,
    element("span", { class: "key dropped" }, "dropped"),
    element("label", {}, box, " marks"));
}

function pagePanel(state, side) {
  return (panel) => {
    const result = state.results[side];
    if (!result.page) {
      panel.append(element("p", { class: "empty soft" }, result.reason || result.status));
      return;
    }
    const frame = pageFrame("The page as it looks", (number) => inspect(state, side, number));
    state.frames[side] = frame;
    panel.append(frame.element);
    frame.mark(state.marks);
    frame.show(result.page, kindsOf(state, side));
    if (state.chosen?.[0] === side) frame.choose(state.chosen[1]);
  };
}

/** What became of each block; in a comparison, also where the other side decides otherwise. */
function kindsOf(state, side) {
  const mine = state.results[side].blocks ?? [];
  const kinds = new Map(mine.map((block) => [block.id, block.label === "other" ? "dropped" : "kept"]));
  const other = state.results[1 - side]?.blocks;
  if (!other) return kinds;
  const isAlike = other.length === mine.length;
  const texts = new Set(other.filter((block) => block.label !== "other").map((block) => block.text));
  const isKeptThere = (block, place) => (isAlike ? other[place].label !== "other" : texts.has(block.text));
  mine.forEach((block, place) => {
    const isKept = block.label !== "other";
    if (isKept !== isKeptThere(block, place)) kinds.set(block.id, isKept ? "only" : "missing");
  });
  return kinds;
}

function pane(state, side) {
  const result = state.results[side];
  const isTwo = state.results.length === 2;
  const withResult = (view) => (panel) => view(panel, result);
  const choose = (number) => inspect(state, side, number);
  const own = WIDE.matches && !isTwo ? [] : [["page", "Page", pagePanel(state, side)]];
  const parts = [...own,
    ["read", "Read", withResult(reading)],
    ["markdown", "Markdown", withResult(source("markdown"))],
    ["html", "HTML", withResult(source("html"))],
    ["json", "JSON", withResult(json)],
    ["metadata", "Metadata", withResult(metadata)],
    ["blocks", "Blocks", withResult(blocks(choose, isTwo ? kindsOf(state, side) : null))],
    ["sentences", "Sentences", withResult(sentences(() => perplexities(state, side), choose))]];
  const made = tabs(isTwo ? `Result ${"AB"[side]}` : "Result", parts, state.tab, (name) => {
    state.tab = name;
    state.tabbed?.forEach((other, place) => { if (place !== side) other.open(name); });
  });
  state.tabbed = side === 0 ? [made] : [state.tabbed[0], made];
  return made.element;
}

function perplexities(state, side) {
  state.perplexities[side] ??= send(state, "/api/perplexity", state.settings[side], {});
  return state.perplexities[side];
}

// ---- one block

function inspect(state, side, number, takesFocus = true) {
  document.querySelector(".inspector")?.remove();
  state.frames.forEach((frame, place) => frame?.choose(place === side ? number : null));
  for (const row of document.querySelectorAll("[data-block]")) row.toggleAttribute("data-chosen", row.dataset.block === String(number));
  const all = state.results[side]?.blocks ?? [];
  const block = all.find((one) => one.id === number);
  state.chosen = block ? [side, number] : null;
  if (!block) return;
  const explain = (tables) => send(state, "/api/explain", state.settings[side], { block: number, tables });
  const panel = blockInspector(block, explain, {
    close: () => { inspect(state, side, null); state.root.focus(); },
    step: (by) => inspect(state, side, Math.max(0, Math.min(all.length - 1, number + by))),
  });
  state.root.append(panel);
  if (takesFocus) panel.focus();
}

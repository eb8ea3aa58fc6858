// What a cleaned page is shown as: each function fills a panel.
import { bar, labelMark, percent, shortened } from "./block_inspector.js";
import { element, fill } from "./elements.js";
import { say } from "./messages.js";

const READING = `
:root { color-scheme: light dark; }
body { font: 17px/1.65 "Iowan Old Style", Palatino, Georgia, serif; max-width: 42rem; margin: 1.5rem auto 4rem; padding: 0 1.25rem;
  color: #1f2421; background: #fff; overflow-wrap: break-word; }
h1, h2, h3, h4 { font-family: system-ui, sans-serif; line-height: 1.25; letter-spacing: -0.01em; margin: 1.6em 0 0.5em; }
h1 { font-size: 1.7rem; margin-top: 0; } h2 { font-size: 1.3rem; } h3 { font-size: 1.1rem; }
a { color: #0b6459; } blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid #c9c4b8; color: #4d534f; }
table { border-collapse: collapse; margin: 1rem 0; font: 15px/1.5 system-ui, sans-serif; } td, th { border: 1px solid #c9c4b8; padding: 0.35rem 0.7rem; text-align: left; }
pre { background: #f3f1ec; padding: 0.8rem 1rem; overflow-x: auto; border-radius: 6px; font-size: 14px; } img { max-width: 100%; }
@media (prefers-color-scheme: dark) { body { color: #e6e9e6; background: #1d2221; } a { color: #63c8b8; } pre { background: #121615; }
  blockquote, td, th { border-color: #414a47; } blockquote { color: #a4aea9; } }
`;
const SAFE = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`;

/** The cleaned page as a reader sees it, in a frame where nothing runs. */
export function reading(panel, result) {
  if (nothing(panel, result)) return;
  const html = result.html.replace("<head>", () => `<head>${SAFE}<style>${READING}</style>`);
  panel.append(element("iframe", { class: "reading-frame", title: "Cleaned page", sandbox: "", srcdoc: html }));
}

export const source = (name) => (panel, result) => {
  if (nothing(panel, result)) return;
  text(panel, result[name]);
};

export function json(panel, result) {
  const { page, html, main, ...rest } = result;
  text(panel, JSON.stringify(rest, null, 1));
}

function text(panel, content) {
  panel.append(element("div", { class: "code" },
    element("button", { class: "quiet copy", type: "button", onclick: () => copy(content) }, "Copy"),
    element("pre", {}, content)));
}

export async function copy(content) {
  try {
    await navigator.clipboard.writeText(content);
    say("Copied.");
  } catch {
    say("The browser does not allow copying here: select the text and copy it by hand.", "error");
  }
}

function nothing(panel, result) {
  if (result.status === "ok") return false;
  panel.append(element("p", { class: "empty soft" }, result.reason || `The page is ${result.status}.`));
  return true;
}

export function metadata(panel, result) {
  const facts = Object.entries(result.metadata ?? {}).filter(([name, value]) => name !== "evidence" && value?.length);
  if (!facts.length) {
    panel.append(element("p", { class: "empty soft" }, "The page says nothing about itself."));
    return;
  }
  const evidence = result.metadata.evidence ?? {};
  panel.append(element("div", { class: "scroll" }, element("table", {},
    element("thead", {}, element("tr", {}, ["Fact", "Value", "Found in"].map((one) => element("th", { scope: "col" }, one)))),
    element("tbody", {}, facts.map(([name, value]) => element("tr", {},
      element("th", { scope: "row" }, name.replaceAll("_", " ")),
      element("td", {}, Array.isArray(value) ? value.join(", ") : String(value)),
      element("td", {}, evidence[name] ? element("code", {}, evidence[name]) : "–")))))));
}

const STEP = 400;

/** The list of blocks. `kinds` says which differ from the other cleaning, if there are two. */
export const blocks = (choose, kinds = null) => (panel, result) => {
  const differs = (block) => ["only", "missing"].includes(kinds?.get(block.id));
  const all = result.blocks ?? [];
  let shown = all;
  const list = element("ol", { class: "blocks" });
  const more = element("button", { type: "button", onclick: () => add() }, "Show more");
  let end = 0;
  function add() {
    list.append(...shown.slice(end, (end += STEP)).map((block) => row(block, kinds?.get(block.id), choose)));
    more.hidden = end >= shown.length;
  }
  function show(which) {
    shown = all.filter(which);
    end = 0;
    fill(list);
    add();
  }
  const filters = [["All", () => true], ["Kept", (one) => one.label !== "other"], ["Dropped", (one) => one.label === "other"],
    ["Unsure", (one) => one.probability > 0.2 && one.probability < 0.8], ...(kinds ? [["Different", differs]] : [])];
  const buttons = filters.map(([name, which], place) => element("button", {
    type: "button", class: "quiet", "aria-pressed": String(place === 0), onclick: (event) => {
      for (const other of buttons) other.setAttribute("aria-pressed", other === event.currentTarget);
      show(which);
    },
  }, `${name} ${all.filter(which).length}`));
  panel.append(element("div", { class: "row filters", role: "group", "aria-label": "Which blocks" }, buttons), list, more);
  show(() => true);
};

function row(block, kind, choose) {
  return element("li", { class: `block ${block.label === "other" ? "dropped" : "kept"} ${kind ?? ""}` },
    element("button", { type: "button", onclick: () => choose(block.id), "data-block": block.id },
      element("span", { class: "soft number id" }, block.id), labelMark(block.label),
      element("span", { class: "text" }, shortened(block.text, 180)),
      block.field ? element("span", { class: "soft small" }, block.field) : null,
      element("span", { class: "number soft" }, percent(block.probability)), bar(block.probability)));
}

/** The perplexity of each sentence; `ask()` gets it from the server. */
export const sentences = (ask, choose) => async (panel, result) => {
  const wait = element("p", { class: "empty soft" }, "Reading the sentences…");
  panel.append(wait);
  try {
    const found = await ask();
    if (!panel.contains(wait)) return;
    const labels = new Map((result.blocks ?? []).map((block) => [block.id, block.label]));
    const rated = found.sentences ?? [];
    if (!found.sentences) throw new Error(found.reason || "There is no reading of this page.");
    fill(panel, element("p", { class: "soft small padded" },
      `${rated.length} sentences by the language model ${found.language_model}. A high perplexity is improbable text; its limit is ${found.limit}.`),
      element("ol", { class: "sentences" }, rated.slice(0, 2_000).map((one) => sentence(one, found.limit, labels, choose))));
  } catch (error) {
    fill(panel, element("p", { class: "empty soft" }, error.message));
  }
};

function sentence(one, limit, labels, choose) {
  const isOver = one.perplexity > limit;
  const label = labels.get(one.block) ?? "other";
  return element("li", { class: `sentence ${isOver ? "over" : ""} ${label === "other" ? "dropped" : "kept"}` },
    element("button", { type: "button", onclick: () => choose(one.block) },
      labelMark(label), element("span", { class: "text" }, one.text),
      element("span", { class: "number" }, one.perplexity === null ? "–" : one.perplexity.toLocaleString("en"),
        isOver ? element("span", { class: "small" }, " improbable") : null)));
}

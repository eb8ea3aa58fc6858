// Why a block has its label: the same tables as those of `victor explain`.
import { element, fill } from "./elements.js";

const KINDS = { p: "paragraph", h: "heading", l: "list item", c: "continuation", other: "noise" };

export const kindName = (label) => KINDS[label] ?? label;
export const percent = (value) => (value === null || value === undefined ? "–" : `${Math.round(value * 100)} %`);

export function labelMark(label) {
  return element("span", { class: `label ${label === "other" ? "dropped" : "kept"}`, title: kindName(label) },
    label === "other" ? "–" : label);
}

/** A bar from 0 to 1, with its figure beside it as text. */
export function bar(value, kind = "") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `bar ${kind}`);
  svg.setAttribute("viewBox", "0 0 100 6");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  rect.setAttribute("height", "6");
  rect.setAttribute("width", String(Math.max(0, Math.min(1, value || 0)) * 100));
  svg.append(rect);
  return svg;
}

/** A panel for a block. `ask(tables)` asks the server why; `close` and `step(by)` are the user's wishes. */
export function blockInspector(block, ask, { close, step }) {
  const why = element("div", { class: "why" }, element("p", { class: "soft" }, "Asking the model…"));
  const isKept = block.label !== "other";
  const panel = element("aside", {
    class: "inspector sheet", "aria-label": `Block ${block.id}`, tabindex: "-1",
    onkeydown: (event) => { if (event.key === "Escape") close(); },
  },
    element("header", { class: "row spread" },
      element("h2", {}, `Block ${block.id}`),
      element("div", { class: "row tight" },
        element("button", { class: "quiet", type: "button", onclick: () => step(-1), "aria-label": "Block before" }, "↑"),
        element("button", { class: "quiet", type: "button", onclick: () => step(1), "aria-label": "Next block" }, "↓"),
        element("button", { class: "quiet", type: "button", onclick: close, "aria-label": "Close" }, "✕"))),
    element("p", { class: "verdict" }, labelMark(block.label), " ",
      element("strong", {}, isKept ? `kept as ${kindName(block.label)}` : "dropped as noise")),
    block.probability === null || block.probability === undefined ? null : element("div", { class: "chance" },
      element("span", {}, "Probability of content"), element("span", { class: "number" }, percent(block.probability)),
      bar(block.probability)),
    element("blockquote", { class: "excerpt" }, shortened(block.text, 400)),
    why);

  explain(why, ask);
  return panel;
}

async function explain(why, ask) {
  try {
    fill(why, parts(await ask("labels,figures,weights,neighbours"), why, ask));
  } catch (error) {
    fill(why, element("p", { class: "soft" }, error.message));
  }
}

function parts(found, why, ask) {
  if (!found.tables) return [element("p", { class: "soft" }, found.reason || "There is no explanation.")];
  const { labels, figures, weights, neighbours } = found.tables;
  const more = element("div", {}, element("button", { type: "button", onclick: () => flips(more, ask) },
    "What would change it?"), element("p", { class: "soft small" }, "Tries every value of every feature; takes a while."));
  return [
    found.forced ? element("p", { class: "notice" }, "A selector or a rule of comments decides this block, not the model.") : null,
    found.repeats === null ? null : element("p", { class: "notice" }, `Repeats block ${found.repeats}, which is kept.`),
    section("Labels, before the bias", probabilities(labels)),
    figures.length ? section("What matters most to the network", influences(figures)) : null,
    weights.length ? section(`Weights for ${found.label_by_model} rather than ${found.rival}`, margins(weights)) : null,
    neighbours.length ? section("Its neighbours", margins(neighbours)) : null,
    more,
  ];
}

async function flips(more, ask) {
  fill(more, element("p", { class: "soft" }, "Trying…"));
  try {
    const rows = (await ask("flips")).tables?.flips ?? [];
    fill(more, section("Changes of one feature that would make it another",
      rows.length ? plainTable(rows) : element("p", { class: "soft" }, "No single feature would change it.")));
  } catch (error) {
    fill(more, element("p", { class: "soft" }, error.message));
  }
}

const section = (title, content) => element("section", {}, element("h3", {}, title), content);

function probabilities(rows) {
  const sorted = [...rows].sort((one, two) => two.probability - one.probability);
  return element("ul", { class: "bars" }, sorted.map((row) => element("li", {},
    labelMark(row.label), element("span", {}, kindName(row.label)), element("span", { class: "number" }, percent(row.probability)),
    bar(row.probability, row.label === "other" ? "against" : ""))));
}

function influences(rows) {
  const most = Math.max(...rows.map((row) => Math.abs(row.change)), 1e-9);
  return element("div", {}, element("p", { class: "soft small" }, "How the probability would change, were the figure as usual."),
    element("ul", { class: "bars wide" }, rows.slice(0, 10).map((row) => element("li", {},
      element("code", {}, row.feature),
      element("span", { class: "number" }, `${row.change > 0 ? "+" : "−"}${Math.abs(row.change * 100).toFixed(1)}`),
      bar(Math.abs(row.change) / most, row.change > 0 ? "against" : "")))));
}

function margins(rows) {
  const most = Math.max(...rows.map((row) => Math.abs(row.margin)), 1e-9);
  return element("ul", { class: "bars wide" }, rows.slice(0, 12).map((row) => element("li", {},
    element("code", {}, [row.template ?? row.neighbour, row.value ?? row.label].filter(Boolean).join(" = ")),
    element("span", { class: "number" }, row.margin.toFixed(2).replace("-", "−")),
    bar(Math.abs(row.margin) / most, row.margin < 0 ? "against" : ""))));
}

function plainTable(rows) {
  const names = Object.keys(rows[0]);
  return element("div", { class: "scroll", tabindex: "0" }, element("table", {},
    element("thead", {}, element("tr", {}, names.map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, rows.map((row) => element("tr", {}, names.map((name) => element("td", {}, String(row[name]))))))));
}

export const shortened = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);

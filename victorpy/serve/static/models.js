// The view Models: the models at hand, adapting and training, and scores on held-out pages.
import { post } from "./change_queue.js";
import { element, fill } from "./elements.js";
import { say } from "./messages.js";

const SECONDS = 1;
const count = (number) => number?.toLocaleString("en") ?? "";
const percent = (score) => (100 * score).toFixed(1);

export async function show(root) {
  const view = { root, progress: element("div", { class: "sheet padded work", "aria-label": "Training", role: "region" }) };
  try {
    await draw(view);
  } catch (error) {
    fill(root, element("div", { class: "sheet padded" }, element("h1", {}, "Models"), element("p", { role: "alert" }, error.message)));
  }
}

async function draw(view) {
  const found = await post("/models/list", {});
  fill(view.root, element("h1", {}, "Models"), start(view, found), view.progress, table(view, found));
  drawTraining(view, found);
  if (found.isRunning) follow(view);
}

function start(view, found) {
  const can = found.models.filter((one) => one.canBeAdapted);
  const select = (name, label, options, chosen) => element("div", { class: "field" }, element("label", { for: name }, label),
    element("select", { id: name, name }, ...options.map((one) => element("option", { value: one.name ?? one, selected: (one.name ?? one) === chosen }, one.shown ?? one))));
  const begin = (body) => async () => {
    try {
      drawTraining(view, await post("/models/adapt", body()));
      follow(view);
    } catch (error) {
      say(error.message, "error");
    }
  };
  const origin = select("origin", "Model", can, found.current), config = select("config", "Config", found.configs, "cleaneval");
  const none = !found.labeledPages;
  return element("section", { class: "sheet padded start", "aria-label": "Learn" },
    element("p", {}, `${found.labeledPages} page${found.labeledPages === 1 ? "" : "s"} of the folder with labels, ${count(found.labeledBlocks)} blocks in all.`,
      none ? element("span", {}, " Label some in ", element("a", { href: "/annotate" }, "Annotate"), " first.") : ""),
    element("div", { class: "row" }, origin,
      element("button", { class: "primary", disabled: none, onclick: begin(() => ({ origin: origin.querySelector("select").value })) }, "Adapt"),
      element("span", { class: "soft small" }, "takes seconds; for a few pages of one site")),
    element("div", { class: "row" }, config,
      element("button", { disabled: none, onclick: begin(() => ({ config: config.querySelector("select").value })) }, "Train anew"),
      element("span", { class: "soft small" }, "for many pages; the model knows nothing else")));
}

async function follow(view) {
  const found = await post("/models/training", {});
  drawTraining(view, found);
  if (found.isRunning) setTimeout(() => follow(view), SECONDS * 1000);
  else draw(view);
}

function drawTraining(view, found) {
  const name = element("input", { name: "name", placeholder: "name", required: true });
  const keep = element("form", { class: "row", onsubmit: async (event) => {
    event.preventDefault();
    try {
      say((await post("/models/keep", { name: name.value })).message);
      draw(view);
    } catch (error) {
      say(error.message, "error");
    }
  } }, element("label", { class: "row" }, "Keep the model as", name), element("button", {}, "Keep"));
  const last = found.history.at(-1);
  fill(view.progress,
    element("h2", {}, found.isRunning ? "Learning …" : "Last training"),
    element("p", { role: "status" }, found.status || "none since the server was started"),
    found.problem && element("p", { class: "problem", role: "alert" }, found.problem),
    found.isRunning && element("div", { class: "row" }, element("progress", { "aria-label": "Learning" }),
      element("button", { onclick: async () => drawTraining(view, await post("/models/stop", {})) }, "Stop")),
    last && history(found.history),
    last && !found.isRunning && keep);
}

function history(past) {
  return element("table", {}, element("caption", { class: "soft small" }, "Word F1 on pages that were held out"),
    element("thead", {}, element("tr", {}, ...["Pages", "Blocks", "Before", "After"].map((text) => element("th", { scope: "col", class: "number" }, text)))),
    element("tbody", {}, ...past.slice(-8).map((one) => element("tr", {},
      ...[one.pages, one.blocks, one.before === null ? "–" : percent(one.before), percent(one.word_f1)]
        .map((value) => element("td", { class: "number" }, String(value)))))));
}

function table(view, found) {
  const use = (name) => async () => {
    try {
      await post("/models/use", { name });
      say("Annotate now takes its suggestions from this model");
      draw(view);
    } catch (error) {
      say(error.message, "error");
    }
  };
  const row = (one) => element("tr", {},
    element("th", { scope: "row" }, one.shown, one.name === found.suggests && element("span", { class: "label kept" }, "suggests")),
    element("td", {}, one.error ? element("span", { class: "problem" }, one.error) : about(one)),
    element("td", { class: "number" }, count(one.pages)), element("td", { class: "number" }, count(one.blocks)),
    element("td", {}, one.name !== found.suggests && !one.error && element("button", { onclick: use(one.name) }, "Use")));
  return element("section", { class: "sheet padded scrolls", "aria-label": "Models", tabindex: "0" },
    element("table", {}, element("thead", {}, element("tr", {},
      ...["Name", "What it is", "Pages", "Blocks", ""].map((text) => element(text ? "th" : "td", text ? { scope: "col" } : {}, text)))),
    element("tbody", {}, ...found.models.map(row))));
}

function about(one) {
  const scores = Object.entries(one.scores).map(([name, score]) => `${name} ${score}`);
  return element("div", {}, one.summary && element("p", {}, one.summary),
    one.adaptedFrom.length ? element("p", {}, `adapted from ${one.adaptedFrom.join(", ")}`) : null,
    scores.length ? element("details", {}, element("summary", {}, "scores"), element("p", { class: "small number" }, scores.join(" · "))) : null);
}

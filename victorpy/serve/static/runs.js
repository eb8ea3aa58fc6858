// The view Runs: outcomes of runs, their dropped and failed pages with reasons, and samples.
import { post } from "./change_queue.js";
import { element, fill } from "./elements.js";

const GOOD = new Set(["ok"]);

export async function show(root) {
  const found = await post("/runs/list", {}).catch((error) => ({ error: error.message, runs: [] }));
  const list = element("div", { class: "run-list" }, ...found.runs.map((run) => entry(run, () => open(run))));
  const details = element("div", { class: "run-details" });
  const none = element("div", { class: "sheet padded" }, element("p", { role: found.error ? "alert" : null },
    found.error || `There is no run in ${found.folder}.`), element("p", { class: "soft" }, "A run is made by ",
    element("code", {}, "victor run PAGES -o FOLDER/run"), "."));
  fill(root, element("h1", {}, "Runs"), found.runs.length ? element("div", { class: "runs" }, list, details) : none);
  if (found.runs.length) open(found.runs[0]);

  function open(run) {
    for (const button of list.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.dataset.run === run.name));
    showRun(details, run);
  }
}

function entry(run, choose) {
  return element("button", { class: "run", "data-run": run.name, "aria-pressed": "false", onclick: choose },
    element("strong", {}, run.name === "." ? "this folder" : run.name),
    element("span", { class: "small soft" }, run.error ? "cannot be read" : `${run.pages.toLocaleString("en")} page${run.pages === 1 ? "" : "s"} · ${run.is_finished ? "finished" : "not finished"}`));
}

function showRun(details, run) {
  if (run.error) return fill(details, element("p", { class: "sheet padded problem", role: "alert" }, run.error));
  const bad = Object.keys(run.statuses).filter((status) => !GOOD.has(status));
  const state = { run, statuses: new Set(bad), search: "", seed: 0 };
  const pages = element("section", { class: "sheet padded scrolls", "aria-label": "Outcomes", tabindex: "0" });
  const samples = element("section", { class: "sheet padded samples", "aria-label": "Samples" });
  fill(details, summary(state, () => showOutcomes(state, pages)), pages, samples);
  showOutcomes(state, pages);
  showSamples(state, samples);
}

function summary(self, changed) {
  const { run, statuses } = self;
  const box = (status) => {
    const count = run.statuses[status], share = Math.max(1, Math.round((100 * count) / Math.max(1, run.pages)));
    const input = element("input", { type: "checkbox", checked: statuses.has(status), onchange: (event) => {
      if (event.target.checked) statuses.add(status);
      else statuses.delete(status);
      changed();
    } });
    const bar = element("span", { class: `bar ${GOOD.has(status) ? "good" : "bad"}` });
    bar.style.width = `${share}%`;
    return element("label", { class: "status-row" }, input, element("span", { class: "status-name" }, status),
      element("span", { class: "number" }, count.toLocaleString("en")), element("span", { class: "bar-room", "aria-hidden": "true" }, bar));
  };
  const search = element("input", { type: "search", "aria-label": "Search in ids, addresses and reasons", placeholder: "id, address or reason",
    oninput: (event) => { self.search = event.target.value; changed(); } });
  return element("section", { class: "sheet padded summary", "aria-label": "Statuses" },
    element("h2", {}, run.name === "." ? "This folder" : run.name),
    element("p", { class: "soft small" }, `model ${run.model || "–"} · format ${run.format} · ${run.is_finished ? "finished" : "not finished: the same victor run goes on"}`),
    run.damages.length ? element("p", { class: "problem" }, `Damaged inputs: ${run.damages.slice(0, 3).join("; ")}`) : null,
    element("div", { class: "statuses" }, ...Object.keys(run.statuses).map(box)), search);
}

async function showOutcomes(self, root) {
  const statuses = [...self.statuses];
  const turn = (self.turn = (self.turn || 0) + 1);
  if (!statuses.length) return fill(root, element("p", { class: "soft" }, "Choose a status to see its pages."));
  try {
    const { outcomes } = await post("/runs/outcomes", { run: self.run.name, statuses, search: self.search });
    if (turn !== self.turn) return;
    const total = statuses.reduce((sum, status) => sum + self.run.statuses[status], 0);
    fill(root, element("h2", {}, self.search ? `${outcomes.length} pages found` : `${total.toLocaleString("en")} page${total === 1 ? "" : "s"}${outcomes.length < total ? `, the first ${outcomes.length}` : ""}`),
      outcomes.length ? element("table", {}, element("thead", {}, element("tr", {},
        ...["Page", "Status", "Reason"].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...outcomes.map((one) => element("tr", {}, element("td", { class: "id" }, one.url || one.id),
        element("td", {}, one.status), element("td", {}, one.reason))))) : null);
  } catch (error) {
    fill(root, element("p", { class: "problem", role: "alert" }, error.message));
  }
}

async function showSamples(self, root) {
  const again = element("button", { onclick: () => { self.seed += 1; showSamples(self, root); } }, "Other pages");
  try {
    const { pages } = await post("/runs/sample", { run: self.run.name, seed: self.seed });
    fill(root, element("div", { class: "row spread" }, element("h2", {}, "A sample of the texts"), pages.length ? again : null),
      pages.length ? null : element("p", { class: "soft" }, "This run has written no text yet."),
      ...pages.map((page) => element("details", {}, element("summary", {}, page.title || page.url || page.id),
        element("pre", { tabindex: "0" }, page.text))));
  } catch (error) {
    fill(root, element("p", { class: "problem", role: "alert" }, error.message));
  }
}

// The controls for the settings of one cleaning, and what they mean as a query, a command and a program.
import { element, fill } from "./elements.js";

export const NONE = { model: "", labeler: "", scope: "", bias: 0, keep: "", drop: "", comments: "" };

let count = 0;

/** A form for the settings; `changed` gets the new settings. */
export function settingsForm(name, choices, settings, changed) {
  const id = `settings-${(count += 1)}`;
  let now = { ...settings };

  const field = (key, label, control) =>
    element("div", { class: `field of-${key}` }, element("label", { for: `${id}-${key}` }, label), control);
  const select = (key, options, set = (value) => ({ [key]: value })) => {
    const made = element("select", { id: `${id}-${key}`, onchange: () => update(set(made.value)) },
      options.map(([value, title]) => element("option", { value }, title)));
    return made;
  };
  const text = (key, placeholder) => element("input", {
    id: `${id}-${key}`, type: "text", placeholder, value: now[key], spellcheck: "false", autocomplete: "off",
    onchange: (event) => update({ [key]: event.target.value.trim() }),
  });

  const system = select("model", [
    ...choices.models.map((one) => [`model:${one}`, one]),
    ...choices.labelers.map((one) => [`labeler:${one}`, `${one} (no training)`]),
  ], (value) => {
    const [kind, chosen] = [value.slice(0, value.indexOf(":")), value.slice(value.indexOf(":") + 1)];
    return kind === "model" ? { model: chosen, labeler: "" } : { model: "", labeler: chosen, scope: "", bias: 0 };
  });
  system.value = now.labeler ? `labeler:${now.labeler}` : `model:${now.model || choices.model}`;
  const scope = select("scope", choices.scopes.map((one) => [one === "auto" ? "" : one, one]));
  scope.value = now.scope;
  const comments = select("comments", [["", "as the model decides"], ...choices.comments.map((one) => [one, one])]);
  comments.value = now.comments;
  const biasText = element("output", { class: "number" });
  const bias = element("input", {
    id: `${id}-bias`, type: "range", min: "-3", max: "3", step: "0.25", value: now.bias,
    oninput: () => fill(biasText, biasName(Number(bias.value))),
    onchange: () => update({ bias: Number(bias.value) }),
  });

  function update(changes) {
    now = { ...now, ...changes };
    show();
    changed(now);
  }

  function show() {
    for (const control of [scope, bias]) control.disabled = Boolean(now.labeler);
    scope.value = now.scope;
    bias.value = now.bias;
    fill(biasText, biasName(now.bias));
  }

  show();
  return element("form", { class: "settings", "aria-label": name, onsubmit: (event) => event.preventDefault() },
    field("model", "Model or labeler", system),
    field("scope", "Scope", scope),
    element("div", { class: "field of-bias" },
      element("label", { for: `${id}-bias` }, "Bias ", biasText), bias),
    field("comments", "Comments", comments),
    field("keep", "Keep (CSS)", text("keep", "e.g. article table")),
    field("drop", "Drop (CSS)", text("drop", "e.g. .share, aside")));
}

function biasName(bias) {
  return bias === 0 ? "as the model" : bias > 0 ? `+${bias} keeps more` : `${bias} keeps less`.replace("-", "−");
}

/** The settings that differ from the defaults, as [name, value]. */
function pairs(settings) {
  return ["model", "labeler", "scope", "bias", "keep", "drop", "comments"]
    .filter((name) => settings[name]).map((name) => [name, settings[name]]);
}

/** The settings as the query of an address. */
export function query(settings, more = {}) {
  return new URLSearchParams([...pairs(settings), ...Object.entries(more)]).toString();
}

const quoted = (text) => (/^[\w./:@%+=-]+$/.test(text) ? text : `'${String(text).replaceAll("'", `'\\''`)}'`);

export function asCommand(settings, page) {
  const words = pairs(settings).map(([name, value]) => `--${name} ${quoted(value)}`);
  return ["victor clean", ...words, "-f markdown", quoted(page.file || "page.html")].join(" ");
}

export function asPython(settings, page) {
  const text = JSON.stringify;
  const named = settings.labeler || settings.model;
  const given = [named ? text(named) : null, ...["scope", "bias"].filter((name) => settings[name])
    .map((name) => `${name}=${name === "bias" ? settings.bias : text(settings[name])}`)].filter(Boolean);
  const selectors = ["keep", "drop"].filter((name) => settings[name]).map((name) => `${name}=${text(settings[name])}`);
  return [
    "from pathlib import Path",
    "",
    "import victorpy",
    "",
    `cleaner = victorpy.load(${given.join(", ")})`,
    selectors.length ? `cleaner = cleaner.selecting(${selectors.join(", ")})` : null,
    settings.comments ? `cleaner = cleaner.with_comments(${text(settings.comments)})` : null,
    `html = Path(${text(page.file || "page.html")}).read_bytes()`,
    `print(cleaner.clean(html${page.url ? `, ${text(page.url)}` : ""}).markdown)`,
  ].filter((line) => line !== null).join("\n");
}

export function asRequest(settings, page) {
  const address = `${location.origin}/api/clean?${query(settings, { formats: "markdown,metadata" })}`;
  return `curl --data-binary @${quoted(page.file || "page.html")} -H 'Content-Type: text/html' '${address}'`;
}

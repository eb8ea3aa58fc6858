// Tabs: a row of buttons and the panel of the chosen one. Arrow keys move between them.
import { element } from "./elements.js";

let count = 0;

/** `parts` are [name, title, show(panel)]; `changed` gets the name of a tab that the user chooses. */
export function tabs(label, parts, chosen, changed = () => {}) {
  const group = `tabs-${(count += 1)}`;
  const panel = element("div", { class: "panel", role: "tabpanel", id: `${group}-panel`, tabindex: "0" });
  const buttons = parts.map(([name, title]) => element("button", {
    role: "tab", type: "button", id: `${group}-${name}`, "aria-controls": `${group}-panel`, "data-name": name,
    onclick: () => { open(name); changed(name); },
  }, title));
  const list = element("div", { class: "tabs", role: "tablist", "aria-label": label, onkeydown: move }, buttons);

  function move(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const at = buttons.indexOf(document.activeElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = buttons[(at + step + buttons.length) % buttons.length];
    next.focus();
    next.click();
  }

  function open(name) {
    const part = parts.find((one) => one[0] === name) ?? parts[0];
    for (const button of buttons) {
      const isChosen = button.dataset.name === part[0];
      button.setAttribute("aria-selected", isChosen);
      button.tabIndex = isChosen ? 0 : -1;
      if (isChosen) panel.setAttribute("aria-labelledby", button.id);
    }
    panel.replaceChildren();
    panel.dataset.tab = part[0];
    part[2](panel);
  }

  open(chosen);
  return { element: element("section", { class: "tabbed sheet" }, list, panel), open };
}

// A page as it looks, in a frame where nothing runs and nothing is loaded, with its blocks marked.
import { element } from "./elements.js";

const STYLE = `
victor-block { cursor: pointer; border-radius: 2px; padding-block: 0.1em; }
[data-marks] victor-block[data-kind="kept"] { background: rgb(20 150 130 / 18%); }
[data-marks] victor-block[data-kind="only"] { background: rgb(230 160 20 / 30%); text-decoration: underline 2px rgb(160 100 0); }
[data-marks] victor-block[data-kind="missing"] { background: rgb(200 50 50 / 16%); text-decoration: line-through 1px rgb(160 30 30); }
[data-marks] victor-block[data-kind="dropped"] { opacity: 0.42; }
victor-block:hover { outline: 2px solid rgb(20 130 115); outline-offset: 2px; opacity: 1 !important; }
victor-block[data-chosen] { outline: 3px solid rgb(11 100 89); outline-offset: 3px; opacity: 1 !important; }
`;

/** The block that a click means: the text itself, or that of the paragraph whose empty part is clicked. */
function blockAt(target) {
  const found = target.closest?.("victor-block");
  if (found) return found;
  const inside = [...(target.querySelectorAll?.("victor-block") ?? [])];
  return new Set(inside.map((block) => block.getAttribute("n"))).size <= 3 ? inside[0] : undefined;
}

/** A frame for a page. `pick` gets the number of a block that is clicked. */
export function pageFrame(title, pick) {
  const frame = element("iframe", {
    class: "page-frame",
    title,
    // Same origin, so that this script can mark blocks; no scripts of the page run without "allow-scripts".
    sandbox: "allow-same-origin",
    referrerpolicy: "no-referrer",
  });
  let kinds = new Map();
  let chosen = null;
  let marks = true;

  const blocks = (number) => frame.contentDocument?.querySelectorAll(
    number === undefined ? "victor-block" : `victor-block[n="${number}"]`) ?? [];

  function paint() {
    frame.contentDocument?.documentElement?.toggleAttribute("data-marks", marks);
    for (const block of blocks()) block.dataset.kind = kinds.get(Number(block.getAttribute("n"))) ?? "dropped";
  }

  function choose(number, scrolls = true) {
    for (const block of blocks(chosen)) block.removeAttribute("data-chosen");
    chosen = number;
    if (number === null) return;
    const found = blocks(number);
    for (const block of found) block.setAttribute("data-chosen", "");
    if (scrolls) found[0]?.scrollIntoView({ block: "center" });
  }

  frame.addEventListener("load", () => {
    const inner = frame.contentDocument;
    if (!inner?.documentElement) return;
    inner.documentElement.append(Object.assign(inner.createElement("style"), { textContent: STYLE }));
    inner.addEventListener("submit", (event) => event.preventDefault(), true);
    inner.addEventListener("click", (event) => {
      event.preventDefault();
      const block = blockAt(event.target);
      if (block) pick(Number(block.getAttribute("n")));
    }, true);
    paint();
    if (chosen !== null) choose(chosen);
  });

  return {
    element: frame,
    /** Shows a page; `found` is a Map from the number of a block to its kind: kept, dropped, only or missing. */
    show(html, found) {
      kinds = found;
      if (frame.srcdoc === html) paint();
      else frame.srcdoc = html;
    },
    mark(isOn) { marks = isOn; paint(); },
    choose,
  };
}

// The page as it looks, in a frame in which no script runs; its blocks show their labels.
import { element } from "./elements.js";
import { kind } from "./labeling.js";

export class PageFrame {
  /** `choose(block, isRange)` hears of clicks and drags, `press(event)` of keys. */
  constructor(choose, press) {
    Object.assign(this, { choose, press, marks: new Map(), cursor: null, range: [] });
    this.box = element("iframe", { class: "page-frame", sandbox: "allow-same-origin", title: "The page as it looks" });
    this.box.addEventListener("load", () => this.loaded());
  }

  open(address, labeling) {
    this.labeling = labeling;
    this.marks = new Map();
    this.box.src = address;
  }

  loaded() {
    const page = this.box.contentDocument;
    if (!page || !this.labeling) return;
    for (const mark of page.querySelectorAll("victor-block")) {
      const block = Number(mark.getAttribute("n"));
      if (!this.marks.has(block)) this.marks.set(block, []);
      this.marks.get(block).push(mark);
    }
    // Links and forms of the page stay where they are.
    page.addEventListener("click", (event) => event.preventDefault(), true);
    page.addEventListener("submit", (event) => event.preventDefault(), true);
    page.addEventListener("mousedown", (event) => this.pick(event, event.shiftKey), true);
    page.addEventListener("mouseover", (event) => event.buttons === 1 && this.pick(event, true), true);
    page.addEventListener("keydown", (event) => this.press(event), true);
    this.show(this.labeling);
  }

  pick(event, isRange) {
    const mark = event.target.closest?.("victor-block");
    if (!mark) return;
    event.preventDefault();
    this.choose(Number(mark.getAttribute("n")), isRange);
  }

  /** All blocks anew: after loading, and when suggestions come. */
  show(labeling) {
    this.labeling = labeling;
    for (const block of this.marks.keys()) this.paint(block);
    this.follow();
  }

  /** Some blocks anew, and the cursor. */
  update(labeling, blocks) {
    if (labeling !== this.labeling) return;
    for (const block of blocks) this.paint(block);
    this.follow();
  }

  paint(block) {
    const one = this.labeling, label = kind(one.labels[block]);
    const suggested = label ? "" : kind(one.suggestions ? one.suggestions[block][0] : null);
    for (const mark of this.marks.get(block) || []) {
      put(mark, "l", label);
      put(mark, "s", suggested);
      put(mark, "f", one.flags.has(block) ? "1" : "");
    }
  }

  /** The cursor and the range. */
  follow() {
    const one = this.labeling, [first, last] = one.marked;
    this.each([this.cursor], "c", "");
    this.each(this.range, "m", "");
    this.cursor = one.cursor;
    this.range = [];
    if (one.anchor !== null) for (let block = first; block <= last; block++) this.range.push(block);
    this.each([this.cursor], "c", "1");
    this.each(this.range, "m", "1");
    this.marks.get(this.cursor)?.[0].scrollIntoView({ block: "nearest" });
  }

  each(blocks, name, value) {
    for (const block of blocks) for (const mark of this.marks.get(block) || []) put(mark, name, value);
  }
}

function put(mark, name, value) {
  if (value) mark.setAttribute(name, value);
  else mark.removeAttribute(name);
}

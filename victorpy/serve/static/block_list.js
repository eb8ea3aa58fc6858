// The list of blocks: only the rows in view exist, so that pages of any size are quick.
import { element } from "./elements.js";
import { kind, letter } from "./labeling.js";
import { linesOf } from "./wrapped_lines.js";

const EXTRA_ROWS = 8;
const MOST_CHARACTERS = { one: 300, wrapped: 3000 };

export class BlockList {
  /** `choose(block, isRange)` hears of clicks and drags. */
  constructor(choose) {
    this.choose = choose;
    this.rows = element("div", { class: "rows", role: "presentation" });
    this.box = element("div", {
      class: "block-list", role: "listbox", tabindex: "0", "aria-label": "Blocks of the page",
      "aria-multiselectable": "true", onscroll: () => this.draw(),
    }, this.rows);
    this.box.addEventListener("mousedown", (event) => this.pick(event, event.shiftKey));
    this.box.addEventListener("mouseover", (event) => event.buttons === 1 && this.pick(event, true));
    this.isWrapped = false;
    new ResizeObserver(() => this.resized()).observe(this.box);
  }

  /** Full texts, or one line each. */
  wrap() {
    this.isWrapped = !this.isWrapped;
    this.place();
    this.scrollToCursor(true);
    this.draw();
  }

  resized() {
    if (!this.labeling) return;
    if (this.isWrapped && this.box.clientWidth !== this.width) this.place();
    this.draw();
  }

  /** Gives each block its place, in lines. */
  place() {
    const one = this.labeling, size = one.size;
    this.width = this.box.clientWidth;
    this.starts = new Uint32Array(size + 1);
    const lines = this.isWrapped && size ? linesOf((block) => this.text(block), size, this.sampleText()) : null;
    for (let block = 0; block < size; block++) this.starts[block + 1] = this.starts[block] + (lines ? lines[block] : 1);
    this.rows.style.height = `${this.starts[size] * this.height}px`;
    this.box.classList.toggle("wrapped", this.isWrapped);
  }

  /** The text element of a row, to measure in. */
  sampleText() {
    this.box.classList.toggle("wrapped", this.isWrapped);
    const row = this.row(0);
    this.rows.replaceChildren(row);
    return row.lastChild;
  }

  text(block) {
    const most = MOST_CHARACTERS[this.isWrapped ? "wrapped" : "one"];
    return this.labeling.page.leads[block] + this.labeling.page.texts[block].slice(0, most);
  }

  top(block) { return this.starts[block] * this.height; }
  bottom(block) { return this.starts[block + 1] * this.height; }

  /** The block at this height of the list. */
  blockAt(height) {
    let low = 0, high = Math.max(0, this.labeling.size - 1);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.top(middle) <= height) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  pick(event, isRange) {
    const row = event.target.closest("[data-block]");
    if (!row) return;
    this.choose(Number(row.dataset.block), isRange);
    event.preventDefault();
    this.box.focus({ preventScroll: true });
  }

  show(labeling) {
    this.labeling = labeling;
    this.height = this.rowHeight();
    this.place();
    this.scrollToCursor(true);
    this.draw();
  }

  rowHeight() {
    const size = parseFloat(getComputedStyle(this.box).fontSize);
    return Math.round(size * 1.75);
  }

  /** The first block in view, and the last one that is wholly in view. */
  get visible() {
    const first = this.blockAt(this.box.scrollTop), end = this.box.scrollTop + this.box.clientHeight;
    const last = this.blockAt(end);
    return [first, Math.max(first, this.bottom(last) > end ? last - 1 : last)];
  }

  get pageSize() {
    const [first, last] = this.visible;
    return Math.max(1, last - first);
  }

  scrollToCursor(isFar = false) {
    const cursor = this.labeling.cursor, top = this.top(cursor), bottom = this.bottom(Math.min(cursor, this.labeling.size - 1));
    const now = this.box.scrollTop, room = this.box.clientHeight, margin = 2 * this.height;
    if (!this.labeling.size) return;
    if (isFar || top < now - room || top > now + 2 * room) this.box.scrollTop = top - room / 2;
    else if (top < now + margin) this.box.scrollTop = top - margin;
    else if (bottom > now + room - margin) this.box.scrollTop = bottom + margin - room;
  }

  draw() {
    if (!this.labeling) return;
    const [first, last] = this.visible;
    const from = Math.max(0, first - EXTRA_ROWS), to = Math.min(this.labeling.size - 1, last + 1 + EXTRA_ROWS);
    const made = [];
    for (let block = from; block <= to; block++) made.push(this.row(block));
    this.rows.replaceChildren(...made);
    if (this.labeling.size) this.box.setAttribute("aria-activedescendant", `block-${this.labeling.cursor}`);
  }

  row(block) {
    const one = this.labeling, [first, last] = one.marked, label = one.labels[block];
    const shown = one.shown(block), isMarked = one.anchor !== null && block >= first && block <= last;
    const row = document.createElement("div");
    row.id = `block-${block}`;
    row.className = ["block", block === one.cursor && "cursor", isMarked && "marked", shown && `is-${kind(shown)}`,
      label ? "given" : "open"].filter(Boolean).join(" ");
    row.dataset.block = block;
    row.style.top = `${this.top(block)}px`;
    if (this.isWrapped) row.style.height = `${this.bottom(block) - this.top(block)}px`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", block === one.cursor || isMarked);
    row.setAttribute("aria-setsize", one.size);
    row.setAttribute("aria-posinset", block + 1);
    row.append(
      part("number", block), part("flag", one.flags.has(block) ? "⚑" : ""), ...this.labelParts(block, label),
      part("text", this.text(block)),
    );
    return row;
  }

  labelParts(block, label) {
    const one = this.labeling;
    if (one.sides) {
      const [left, right] = one.sides.map((side) => side[block]);
      return [part(left === right ? "sides" : "sides disputed", `${letter(left)}|${letter(right)}`),
        part("letter", letter(label))];
    }
    if (label) return [part("letter", letter(label)), part("chance", "")];
    if (!one.suggestions) return [part("letter", "·"), part("chance", "")];
    const [suggested, chance] = one.suggestions[block];
    return [part("letter", `${letter(suggested)}?`), part("chance", `${Math.min(99, Math.floor(100 * chance))}%`)];
  }
}

function part(name, text) {
  const made = document.createElement("span");
  made.className = name;
  made.textContent = text;
  return made;
}

// The list of blocks: only the rows in view exist, so that pages of any size are quick.
import { element } from "./elements.js";
import { kind, letter } from "./labeling.js";

const EXTRA_ROWS = 8;

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
    new ResizeObserver(() => this.draw()).observe(this.box);
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
    this.rows.style.height = `${labeling.size * this.height}px`;
    this.digits = String(labeling.size - 1).length;
    this.scrollToCursor(true);
    this.draw();
  }

  rowHeight() {
    const size = parseFloat(getComputedStyle(this.box).fontSize);
    return Math.round(size * 1.75);
  }

  get visible() {
    const first = Math.floor(this.box.scrollTop / this.height);
    return [first, Math.max(first, Math.floor((this.box.scrollTop + this.box.clientHeight) / this.height) - 1)];
  }

  get pageSize() { return Math.max(1, Math.floor(this.box.clientHeight / this.height) - 1); }

  scrollToCursor(isFar = false) {
    const top = this.labeling.cursor * this.height, room = this.box.clientHeight, margin = 2 * this.height;
    const now = this.box.scrollTop;
    if (isFar || top < now - room || top > now + 2 * room) this.box.scrollTop = top - room / 2;
    else if (top < now + margin) this.box.scrollTop = top - margin;
    else if (top + this.height > now + room - margin) this.box.scrollTop = top + this.height + margin - room;
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
    row.style.top = `${block * this.height}px`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", block === one.cursor || isMarked);
    row.setAttribute("aria-setsize", one.size);
    row.setAttribute("aria-posinset", block + 1);
    row.append(
      part("number", block), part("flag", one.flags.has(block) ? "⚑" : ""), ...this.labelParts(block, label),
      part("text", one.page.leads[block] + one.page.texts[block].slice(0, 300)),
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

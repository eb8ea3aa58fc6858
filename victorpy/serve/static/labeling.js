// The state of labeling a page, and each action on it. The same rules as in the terminal.

const DOUBTFUL = 0.7;
const FIELDS = { title: "T", date: "W", author: "B", comment: "M", other: "o" };
const KINDS = { title: "h", date: "other", author: "other", comment: "p" };

export const ALL_LABELED = "every block of the page has a label";
export const SOME_OPEN = "end of the page; some blocks have no label yet";

/** The letter of a label, as in the terminal. */
export const letter = (label) => (label ? FIELDS[label] || label : "·");
/** One of p, h, l, c, o: fields look as what they count as. */
export const kind = (label) => (label ? (KINDS[label] || label).replace("other", "o") : "");

export class Labeling {
  /** `changed(change)` is called with each change that is to be written. */
  constructor(page, changed) {
    Object.assign(this, { page, changed, labels: [...page.labels], cursor: page.cursor, anchor: null });
    this.flags = new Map(Object.entries(page.flags).map(([block, note]) => [Number(block), note]));
    this.sides = page.sides || null;
    this.suggestions = null;
    Object.assign(this, { past: [], future: [], search: "", message: "", order: "page", top: 0, bottom: 0 });
    if (!this.cursor && !this.labels.some(Boolean)) this.cursor = 0;
  }

  get size() { return this.labels.length; }
  get isDone() { return this.labels.every(Boolean); }
  get marked() {
    const other = this.anchor === null ? this.cursor : this.anchor;
    return [Math.min(this.cursor, other), Math.max(this.cursor, other)];
  }
  shown(block) { return this.labels[block] || (this.suggestions ? this.suggestions[block][0] : null); }
  say(message) { this.message = message; }

  // Moving

  moveTo(block, message = "") {
    const before = this.cursor;
    this.cursor = Math.max(0, Math.min(block, this.size - 1));
    this.message = message;
    if (this.cursor !== before && !this.silent) this.changed({ cursor: this.cursor });
  }
  moveBy(by) { this.moveTo(this.cursor + by); }
  rank(block) { return this.order === "uncertain" && this.suggestions ? this.suggestions[block][1] : 0; }
  /** Compares two blocks in the current order. */
  isBefore(one, two) { return this.rank(one) - this.rank(two) || one - two; }
  toNextOpen(step = 1) {
    const open = [];
    for (let block = 0; block < this.size; block++) if (!this.labels[block] && block !== this.cursor) open.push(block);
    if (!open.length) return this.say(`every ${this.isDone ? "" : "other "}block has a label`);
    open.sort((one, two) => step * this.isBefore(one, two));
    const ahead = open.find((block) => step * this.isBefore(block, this.cursor) > 0);
    this.moveTo(ahead ?? open[0]);
  }
  toNextDoubtful(step = 1) {
    if (!this.suggestions) return this.say("no suggestions yet");
    for (let block = this.cursor + step; block >= 0 && block < this.size; block += step)
      if (!this.labels[block] && this.suggestions[block][1] < DOUBTFUL) return this.moveTo(block);
    this.say("no more doubtful blocks in this direction");
  }
  toNextKind(step = 1) {
    const now = this.shown(this.cursor);
    for (let block = this.cursor + step; block >= 0 && block < this.size; block += step)
      if (this.shown(block) !== now) return this.moveTo(block);
    this.moveTo(step > 0 ? this.size - 1 : 0);
  }
  toNextFlag() {
    const flags = [...this.flags.keys()].sort((one, two) => one - two);
    if (!flags.length) return this.say("no block is flagged");
    this.moveTo(flags.find((block) => block > this.cursor) ?? flags[0]);
  }
  switchOrder() {
    if (!this.suggestions) return this.say("no suggestions yet: blocks stay in page order");
    this.order = this.order === "page" ? "uncertain" : "page";
    this.say(`order: ${this.order === "page" ? "as on the page" : "least certain first"}`);
  }

  // Marking

  toggleMark() { this.anchor = this.anchor === null ? this.cursor : null; this.message = ""; }
  extendMark(by) {
    if (this.anchor === null) this.anchor = this.cursor;
    this.moveBy(by);
  }
  markTo(block) {
    if (this.anchor === null) this.anchor = this.cursor;
    this.moveTo(block);
  }
  unmark() { this.anchor = null; this.message = ""; }

  // Labeling

  label(label) {
    const [first, last] = this.marked;
    this.change(first, Array(last + 1 - first).fill(label), () => {
      if (label) this.moveOn(last);
      else this.anchor = null;
    });
  }
  accept(first = this.marked[0], last = this.marked[1]) {
    if (!this.suggestions) return this.say("no suggestions yet");
    const after = [];
    for (let block = first; block <= last; block++) after.push(this.labels[block] || this.suggestions[block][0]);
    this.change(first, after, () => this.moveOn(last));
  }
  takeSide(side) {
    if (!this.sides) return this.say("not a review: there are no two annotators to choose from");
    const [first, last] = this.marked;
    const labels = this.sides[side].slice(first, last + 1);
    if (labels.includes(null)) return this.say(`annotator ${side + 1} gave no label here`);
    this.change(first, labels, () => this.moveOn(last));
  }
  /** Labels with their undoing; `move` moves the cursor, and both are one change to be written. */
  change(first, after, move) {
    const before = this.labels.slice(first, first + after.length);
    const isChange = before.some((label, number) => label !== after[number]);
    if (isChange) {
      this.past.push({ first, before, after });
      this.future = [];
    }
    this.write(first, after, isChange, () => move(isChange && before.includes(null)));
  }
  write(first, after, isChange, move) {
    const from = this.cursor;
    if (isChange) this.labels.splice(first, after.length, ...after);
    this.message = "";
    this.silent = true;
    move();
    this.silent = false;
    if (isChange) this.changed({ first, labels: after, cursor: this.cursor });
    else if (this.cursor !== from) this.changed({ cursor: this.cursor });
  }
  moveOn(last) {
    const wasOpen = this.past.length && this.past.at(-1).before.includes(null);
    this.anchor = null;
    if (this.isDone && wasOpen) return this.moveTo(last + 1, ALL_LABELED);
    if (this.order === "uncertain" || this.sides) return this.toNextOpen();
    this.moveTo(last + 1, last + 1 === this.size && !this.isDone ? SOME_OPEN : "");
  }
  /** Labels of blocks that need not be neighbours, as one change. */
  labelBlocks(blocks, label) {
    if (!blocks.length) return;
    const first = Math.min(...blocks), last = Math.max(...blocks), chosen = new Set(blocks);
    const after = this.labels.slice(first, last + 1).map((old, number) => (chosen.has(first + number) ? label : old));
    this.change(first, after, () => {});
  }

  // Undoing

  undo() { this.restore(this.past, this.future, "before", "nothing to undo"); }
  redo() { this.restore(this.future, this.past, "after", "nothing to redo"); }
  restore(from, to, side, otherwise) {
    const edit = from.pop();
    if (!edit) return this.say(otherwise);
    to.push(edit);
    this.anchor = null;
    this.write(edit.first, edit[side], true, () => this.moveTo(edit.first));
  }

  // Flags

  flag() { this.note(this.flags.has(this.cursor) ? null : ""); }
  note(text) {
    if (text === null) this.flags.delete(this.cursor);
    else this.flags.set(this.cursor, text);
    this.message = "";
    this.changed({ flag: [this.cursor, text] });
  }

  // Searching

  find(text, step = 1, from = this.cursor + step) {
    if (text) this.search = text;
    if (!this.search) return this.say("no text to search for");
    this.folded ??= this.page.texts.map((one) => one.toLowerCase());
    const wanted = this.search.toLowerCase();
    for (let count = 0, block = from; count < this.size; count++, block += step) {
      const at = ((block % this.size) + this.size) % this.size;
      if (this.folded[at].includes(wanted)) return this.moveTo(at);
    }
    this.say(`not on this page: ${this.search}`);
  }

  counts() {
    const found = { p: 0, h: 0, l: 0, c: 0, o: 0 };
    for (const label of this.labels) if (label) found[letter(label)] = (found[letter(label)] || 0) + 1;
    return found;
  }
}

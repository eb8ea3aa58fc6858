// Labels the pages of a folder, or decides between two annotators: the list of blocks, the page, and the keys.
import { BlockList } from "./block_list.js";
import { ChangeQueue, post, tab } from "./change_queue.js";
import { element, fill } from "./elements.js";
import { OF_BROWSER, keyName, shownKey } from "./key_names.js";
import { ALL_LABELED, Labeling, SOME_OPEN, letter } from "./labeling.js";
import { PageFrame } from "./page_frame.js";

const QUESTIONS = { search: "Search", go: "Go to block", note: "Note on the block" };
const TRAINING_SECONDS = 1;

/** Fills the view. `review` names the folders of two annotators, or is null. */
export async function showLabeling(root, review, onLeave) {
  const view = new LabelingView(root, review, onLeave);
  await view.start();
  return view;
}

class LabelingView {
  constructor(root, review, onLeave) {
    Object.assign(this, { root, review, onLeave, queue: [], number: 0, changes: null, canLeave: false });
    Object.assign(this, { unpainted: new Set(), isPaintDue: false });
    this.list = new BlockList((block, isRange) => this.choose(block, isRange));
    this.frame = new PageFrame((block, isRange) => this.choose(block, isRange), (event) => this.press(event));
    this.title = element("h1", {}, review ? "Review" : "Annotate");
    this.address = element("span", { class: "soft small address" });
    this.state = element("span", { class: "save-state soft small", role: "status" });
    this.progress = element("progress", { max: "100", "aria-label": "Share of labeled blocks" });
    this.counts = element("span", { class: "counts small number" });
    this.message = element("p", { class: "note-line", role: "status", "aria-live": "polite" });
    this.detail = element("div", { class: "detail", "aria-label": "The block under the cursor", role: "region", tabindex: "0" });
    this.training = element("span", { class: "small training" });
    this.banner = element("div", { class: "banner", role: "alert", hidden: true });
    this.bar = element("div", { class: "key-bar" });
    this.question = element("form", { class: "question", hidden: true, onsubmit: (event) => this.answer(event) });
    addEventListener("keydown", (this.onKey = (event) => this.press(event)));
  }

  async start() {
    fill(this.root, this.layout());
    try {
      await this.loadQueue();
      await this.open(this.found.resume, { isFirst: true });
    } catch (error) {
      this.fail(error.message);
    }
  }

  layout() {
    const button = (text, action, title) =>
      element("button", { type: "button", title, onclick: () => { this.act(action); this.list.box.focus(); } }, text);
    return element("div", { class: "labeling" },
      element("div", { class: "head" },
        element("div", { class: "what" }, this.title, this.address),
        element("div", { class: "row tools" },
          button("‹", "previous-page", "Previous page"), button("Pages", "pages", "List of pages"),
          button("›", "next-page", "Next page"), button("Save", "save", "Save now"),
          this.review ? null : button("Adapt", "retrain", "Adapt the model to all labeled pages"),
          button("Keys", "help", "All keys"))),
      element("div", { class: "row status" }, this.progress, this.counts, this.state, this.training),
      this.banner,
      element("div", { class: "halves" },
        element("section", { class: "left sheet", "aria-label": "Blocks" },
          this.list.box, this.detail, this.message, this.question),
        element("section", { class: "right sheet", "aria-label": "Page" }, this.frame.box)),
      this.bar);
  }

  fail(message) {
    fill(this.root, element("div", { class: "sheet padded trouble-sheet" },
      element("h1", {}, this.review ? "Review" : "Annotate"), element("p", { role: "alert" }, message),
      element("p", { class: "soft" }, "The folder is the one that ", element("code", {}, "victor serve FOLDER"), " names.")));
  }

  async loadQueue() {
    this.found = await post("/annotate/queue", this.of());
    this.queue = this.found.pages;
    this.actions = Object.values(this.found.actions).flat();
    this.byKey = new Map(this.actions.flatMap((one) => one.keys.map((key) => [key, one.name])));
    this.drawBar();
  }

  of(page = undefined) { return { ...(this.review ? { review: this.review } : {}), ...(page ? { page } : {}) }; }
  get id() { return this.queue[this.number]?.id; }

  // Pages

  async open(number, { take = false, isFirst = false } = {}) {
    if (number < 0 || number >= this.queue.length) return this.tell(number < 0 ? "this is the first page" : "this is the last page");
    if (!(await this.leavePage())) return;
    this.number = number;
    const own = this.of(this.id);
    this.banner.hidden = true;
    this.tell("opening the page …");
    try {
      this.show(await post("/annotate/open", { ...own, take }));
    } catch (error) {
      this.refuse(error, isFirst);
    }
  }

  show(page) {
    const own = this.of(page.id);
    this.changes = new ChangeQueue(own, (state, reason) => this.report(state, reason), () => this.reopen());
    this.labeling = new Labeling(page, (change) => this.changes.add(change));
    fill(this.title, `${this.number + 1}/${this.queue.length} ${page.title}`);
    fill(this.address, page.url || page.id);
    document.title = `${page.title} · Victor`;
    this.list.show(this.labeling);
    this.frame.open(`/annotate/frame?${new URLSearchParams({ page: page.id, tab, ...(this.review || {}) })}`, this.labeling);
    this.report("saved");
    this.drawAll();
    this.tell(page.messages.join("; ") || (this.labeling.size ? "" : "this page has no text"));
    this.list.box.focus();
    this.suggest();
  }

  async suggest() {
    const labeling = this.labeling;
    try {
      const found = await post("/annotate/suggestions", this.of(this.id));
      if (this.labeling !== labeling) return;
      labeling.suggestions = found.suggestions;
      this.frame.show(labeling);
      this.drawAll();
    } catch (error) {
      this.tell(`no suggestions: ${error.message}`);
    }
  }

  /** The server was started again, or thought that this tab was gone. Its labels and those still here make the page. */
  async reopen() {
    const page = await post("/annotate/open", this.of(this.id));
    const labeling = this.labeling;
    labeling.labels = [...page.labels];
    for (const change of this.changes.waiting) {
      if (change.labels) labeling.labels.splice(change.first, change.labels.length, ...change.labels);
    }
    this.frame.show(labeling);
    this.drawAll();
    this.tell("connected again; nothing is lost");
  }

  /** Saves and gives back the page; false if it must stay. */
  async leavePage() {
    if (!this.changes || this.changes.isOver) return true;
    try {
      if (!(await this.changes.settled())) throw new Error("some labels are not written yet");
      await post("/annotate/close", this.of(this.id));
    } catch (error) {
      if (error.status !== 409) {
        this.tell(`the page stays open: ${error.message}`);
        return false;
      }
    }
    this.updateEntry();
    this.changes.end();
    return true;
  }

  updateEntry() {
    const labeled = this.labeling.labels.filter(Boolean).length;
    const state = this.labeling.isDone ? "done" : labeled ? "started" : "open";
    Object.assign(this.queue[this.number], { labeled, blocks: this.labeling.size, state });
  }

  /** The page cannot be opened: say why, and offer what is possible. */
  refuse(error, isFirst) {
    const takeOver = element("button", { type: "button", onclick: () => this.open(this.number, { take: true }) }, "Continue here");
    const next = element("button", { type: "button", onclick: () => this.open(this.number + 1) }, "Next page");
    const list = element("button", { type: "button", onclick: () => this.openPages() }, "List of pages");
    fill(this.banner, element("p", {}, error.message), element("div", { class: "row" }, error.kind === "LeaseError" && takeOver, next, list));
    this.banner.hidden = false;
    if (isFirst) fill(this.title, `${this.number + 1}/${this.queue.length} ${this.id}`);
    this.labeling = null;
    this.changes = null;
  }

  report(state, reason = "") {
    const texts = { saved: "All labels are on disk", saving: "Writing …", trouble: `NOT SAVED: ${reason}; trying again`, lost: reason };
    this.state.className = `save-state small ${state}`;
    this.state.textContent = texts[state];
    if (state !== "lost") return;
    const takeOver = element("button", { type: "button", onclick: () => this.open(this.number, { take: true }) }, "Continue here");
    fill(this.banner, element("p", {}, reason), takeOver);
    this.banner.hidden = false;
  }

  // Keys

  press(event) {
    const target = event.target;
    if (event.defaultPrevented || target.closest?.("dialog, input, textarea, select, form")) return;
    if (target.closest?.("button, a, summary") && [" ", "Enter", "Tab"].includes(event.key)) return;
    const key = keyName(event);
    const action = key && this.byKey?.get(key);
    if (!action || !this.isUsable(action)) return;
    // After Escape, Tab leaves the list as everywhere else.
    if (key.endsWith("tab") && this.canLeave) return;
    this.canLeave = key === "escape" && this.labeling?.anchor === null;
    event.preventDefault();
    this.act(action);
  }

  isUsable(action) { return this.labeling || ["help", "pages", "next-page", "previous-page", "quit"].includes(action); }

  act(action) {
    const one = this.labeling;
    if (this.found.unavailable.includes(action)) return this.tell(`the model has no label '${action.slice(6)}'`);
    if (VIEW_ACTIONS[action]) VIEW_ACTIONS[action](this);
    else if (one && one.size && LABELING_ACTIONS[action]) this.update(() => LABELING_ACTIONS[action](one, this));
  }

  choose(block, isRange) {
    if (!this.labeling) return;
    this.update(() => {
      if (isRange) return this.labeling.markTo(block);
      this.labeling.unmark();
      this.labeling.moveTo(block);
    });
  }

  /** Does something with the labels, then shows what has changed, before the server is asked. */
  update(action) {
    const one = this.labeling, before = [...one.labels], flags = new Map(one.flags);
    action();
    this.list.scrollToCursor();
    this.list.draw();
    for (let block = 0; block < one.size; block++) {
      if (before[block] !== one.labels[block] || flags.has(block) !== one.flags.has(block)) this.unpainted.add(block);
    }
    this.paintSoon();
    this.drawState();
    this.tell(this.nextStep(one.message));
  }

  /** The frame follows when the list is on the screen: laying out a large page takes longer than all else. */
  paintSoon() {
    if (this.isPaintDue) return;
    this.isPaintDue = true;
    requestAnimationFrame(() => setTimeout(() => {
      this.isPaintDue = false;
      const blocks = [...this.unpainted];
      this.unpainted.clear();
      if (this.labeling) this.frame.update(this.labeling, blocks);
    }));
  }

  nextStep(message) {
    const key = (name) => this.actions.find((one) => one.name === name).keys.map(shownKey).join("/");
    if (message === ALL_LABELED && this.number + 1 < this.queue.length) return `${message}; ${key("next-page")} goes to the next page`;
    return message === SOME_OPEN ? `${message}; ${key("next-open")} goes to the next of them` : message;
  }

  acceptScreen() {
    const [first, last] = this.list.visible, end = Math.min(last, this.labeling.size - 1);
    this.labeling.accept(first, end);
    this.list.box.scrollTop = this.list.top(end);
  }

  // Questions

  ask(name) {
    const value = name === "note" ? this.labeling.flags.get(this.labeling.cursor) || "" : "";
    const input = element("input", { name: "answer", "aria-label": QUESTIONS[name], value, autocomplete: "off" });
    this.asked = { name, from: this.labeling.cursor };
    input.addEventListener("keydown", (event) => event.key === "Escape" && this.endQuestion());
    input.addEventListener("input", () => name === "search" && this.update(() => this.labeling.find(input.value, 1, this.asked.from)));
    fill(this.question, element("label", {}, `${QUESTIONS[name]} `, input), element("button", {}, "OK"));
    this.question.hidden = false;
    input.focus();
    input.select();
  }

  answer(event) {
    event.preventDefault();
    const text = new FormData(this.question).get("answer"), name = this.asked.name;
    this.endQuestion();
    if (name === "note") this.update(() => this.labeling.note(text));
    else if (name === "go" && /^\d+$/.test(text)) this.update(() => this.labeling.moveTo(Number(text)));
    else if (name === "go") this.tell(`expected the number of a block, got '${text}'`);
    else if (!text) this.update(() => this.labeling.find(""));
  }

  endQuestion() {
    this.question.hidden = true;
    this.list.box.focus();
  }

  // Around the page

  async save() {
    try {
      await this.changes.settled();
      this.tell((await post("/annotate/save", this.of(this.id))).message);
    } catch (error) {
      this.tell(error.message);
    }
  }

  async labelAlike() {
    const one = this.labeling, label = one.labels[one.cursor];
    if (!label) return this.tell("give the block a label first: all blocks alike then get the same");
    this.tell("labeling blocks alike …");
    try {
      await this.changes.settled();
      const found = await post("/annotate/alike", { ...this.of(this.id), block: one.cursor, label });
      this.update(() => one.labelBlocks(found.blocks, label));
      this.tell(found.message);
      this.refreshQueue();
    } catch (error) {
      this.tell(error.message);
    }
  }

  async refreshQueue() {
    const found = await post("/annotate/queue", this.of());
    const now = this.id;
    this.queue = found.pages;
    this.number = Math.max(0, this.queue.findIndex((one) => one.id === now));
  }

  async retrain() {
    if (this.review) return this.tell("there is no training in a review");
    try {
      await this.save();
      const { status, generation } = await post("/models/adapt", {});
      this.training.textContent = status;
      this.generation = generation;
      this.follow();
    } catch (error) {
      this.tell(error.message);
    }
  }

  /** Shows how the training goes; new suggestions come with the new model. */
  async follow() {
    const found = await post("/models/training", {});
    this.training.textContent = found.status;
    if (found.problem) this.tell(found.problem);
    if (found.generation !== this.generation) this.suggest();
    this.generation = found.generation;
    if (found.isRunning) setTimeout(() => this.follow(), TRAINING_SECONDS * 1000);
  }

  async showSource() {
    const block = this.labeling.cursor;
    const found = await post("/annotate/source", { ...this.of(this.id), block });
    this.dialog(`HTML of block ${block}`, element("p", { class: "small soft" }, found.path), element("pre", { tabindex: "0" }, found.source));
  }

  openCopy() { window.open(this.frame.box.src, "_blank", "noopener"); }

  async openPages() {
    if (this.labeling) this.updateEntry();
    const rows = this.queue.map((page, number) => element("tr", { class: page.state },
      element("td", {}, element("button", { class: "quiet", type: "button", autofocus: number === this.number,
        onclick: () => { this.box.close(); this.open(number); } }, page.id)),
      element("td", {}, page.state), element("td", { class: "number" }, page.blocks ? `${page.labeled}/${page.blocks}` : "")));
    const states = ["done", "started", "open"].map((state) => `${this.queue.filter((page) => page.state === state).length} ${state}`);
    this.dialog(`Pages: ${states.join(", ")}`, element("table", {},
      element("thead", {}, element("tr", {}, ...["Page", "State", "Labeled"].map((text) => element("th", { scope: "col" }, text)))),
      element("tbody", {}, ...rows)));
  }

  help() {
    const rows = Object.entries(this.found.actions).flatMap(([group, actions]) => [
      element("tr", {}, element("th", { colspan: "2", scope: "colgroup" }, group)),
      ...actions.map((one) => element("tr", {},
        element("td", {}, ...one.keys.filter((key) => !OF_BROWSER.has(key)).flatMap((key) => [element("kbd", {}, shownKey(key)), " "])), element("td", {}, one.help))),
    ]);
    this.dialog("Keys", element("p", { class: "small soft" }, "A click selects a block, dragging or Shift marks a range. Esc, then Tab, leaves the list."),
      element("table", {}, element("tbody", {}, ...rows)));
  }

  dialog(heading, ...children) {
    const close = element("button", { type: "button", onclick: () => this.box.close() }, "Close");
    this.box = element("dialog", { class: "sheet", "aria-label": heading },
      element("div", { class: "row spread" }, element("h2", {}, heading), close), ...children);
    this.box.addEventListener("close", () => { this.box.remove(); this.list.box.focus(); });
    this.root.append(this.box);
    this.box.showModal();
  }

  async quit() {
    if (await this.leavePage()) {
      this.labeling = null;
      if (this.onLeave) return this.onLeave();
      this.tell("saved; choose a page to go on");
      this.openPages();
    }
  }

  // What is shown

  drawAll() {
    this.list.draw();
    this.drawState();
  }

  drawState() {
    const one = this.labeling, done = one.labels.filter(Boolean).length;
    const share = one.size ? Math.floor((100 * done) / one.size) : 100;
    this.progress.value = share;
    const counts = Object.entries(one.counts()).map(([name, count]) => `${name} ${count}`).join(" · ");
    this.counts.textContent = `${done}/${one.size} labeled ${share}% · ${counts}${one.order === "page" ? "" : " · least certain first"}`;
    const note = one.flags.get(one.cursor);
    fill(this.detail, element("p", { class: "small soft" }, this.blockState(one)), note && element("p", { class: "note" }, `⚑ ${note}`),
      element("p", {}, one.page.texts[one.cursor] || ""));
  }

  blockState(one) {
    const label = one.labels[one.cursor], suggested = one.suggestions?.[one.cursor];
    const given = label ? `labeled ${letter(label)}` : "no label";
    return `Block ${one.cursor} · ${given}${suggested ? ` · suggested ${letter(suggested[0])} ${Math.floor(100 * suggested[1])}%` : ""}`;
  }

  tell(message) { this.message.textContent = message || ""; }

  drawBar() {
    const first = this.review ? ["take-one", "take-two", "help"] : ["help"];
    const short = this.actions.filter((one) => one.short && one.keys.length && !this.found.unavailable.includes(one.name))
      .filter((one) => this.review || !one.name.startsWith("take"));
    short.sort((one, two) => first.includes(two.name) - first.includes(one.name));
    fill(this.bar, ...short.map((one) => element("span", {}, element("kbd", {}, shownKey(one.keys[0])), ` ${one.short}`)));
  }
}

const LABELING_ACTIONS = {
  "label-p": (one) => one.label("p"), "label-h": (one) => one.label("h"), "label-l": (one) => one.label("l"),
  "label-c": (one) => one.label("c"), "label-o": (one) => one.label("other"),
  "label-title": (one) => one.label("title"), "label-date": (one) => one.label("date"),
  "label-author": (one) => one.label("author"), "label-comment": (one) => one.label("comment"),
  unlabel: (one) => one.label(null), undo: (one) => one.undo(), redo: (one) => one.redo(),
  flag: (one) => one.flag(), "next-flag": (one) => one.toNextFlag(),
  accept: (one) => one.accept(), "accept-screen": (_, view) => view.acceptScreen(),
  "take-one": (one) => one.takeSide(0), "take-two": (one) => one.takeSide(1),
  "next-open": (one) => one.toNextOpen(), "previous-open": (one) => one.toNextOpen(-1),
  "next-doubtful": (one) => one.toNextDoubtful(), "previous-doubtful": (one) => one.toNextDoubtful(-1),
  order: (one) => one.switchOrder(),
  down: (one) => one.moveBy(1), up: (one) => one.moveBy(-1), choose: (one) => one.moveBy(1),
  "page-down": (one, view) => one.moveBy(view.list.pageSize), "page-up": (one, view) => one.moveBy(-view.list.pageSize),
  first: (one) => one.moveTo(0), last: (one) => one.moveTo(one.size - 1),
  "next-kind": (one) => one.toNextKind(), "previous-kind": (one) => one.toNextKind(-1),
  "search-next": (one) => one.find(""), "search-previous": (one) => one.find("", -1),
  mark: (one) => one.toggleMark(), "mark-down": (one) => one.extendMark(1), "mark-up": (one) => one.extendMark(-1),
  back: (one) => one.unmark(),
};

const VIEW_ACTIONS = {
  "label-alike": (view) => view.labelAlike(), note: (view) => view.ask("note"), retrain: (view) => view.retrain(),
  go: (view) => view.ask("go"), search: (view) => view.ask("search"), html: (view) => view.showSource(),
  browser: (view) => view.openCopy(), help: (view) => view.help(), save: (view) => view.save(),
  "next-page": (view) => view.open(view.number + 1), "previous-page": (view) => view.open(view.number - 1),
  wrap: (view) => view.labeling && view.list.wrap(), pages: (view) => view.openPages(), quit: (view) => view.quit(),
};

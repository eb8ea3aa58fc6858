// Sends changes to the server in their order. What is not acknowledged stays here and is sent again.

const SECONDS_BETWEEN_TRIES = 1;
const SECONDS_BETWEEN_SIGNS = 10;

/** The name of this tab for the server; a reload is the same tab. */
export const tab = (sessionStorage.victorTab ||= crypto.randomUUID());

/** POST with JSON; an Error has `status` and `kind` if the server answered. */
export async function post(path, body, options = {}) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tab, ...body }),
    ...options,
  });
  const text = await answer.text();
  const found = text ? JSON.parse(text) : {};
  if (answer.ok) return found;
  const error = new Error(found.error || `${answer.status} ${answer.statusText}`);
  throw Object.assign(error, { status: answer.status, kind: found.kind });
}

export class ChangeQueue {
  /** `report(state, reason)` hears "saved", "saving", "trouble" or "lost"; `reopen()` opens the page again. */
  constructor(page, report, reopen) {
    Object.assign(this, { page, report, reopen, waiting: [], isBusy: false, isOver: false });
    this.timer = setInterval(() => this.signOfLife(), SECONDS_BETWEEN_SIGNS * 1000);
    this.leave = () => this.beacon();
    addEventListener("pagehide", this.leave);
  }

  add(change) {
    this.waiting.push(change);
    this.report("saving");
    this.send();
  }

  async send() {
    if (this.isBusy || this.isOver || !this.waiting.length) return;
    this.isBusy = true;
    const changes = this.waiting.slice();
    try {
      await post("/annotate/changes", { ...this.page, changes });
      this.waiting.splice(0, changes.length);
      this.isBusy = false;
      this.report(this.waiting.length ? "saving" : "saved");
      this.send();
    } catch (error) {
      await this.repair(error);
    }
  }

  /** After a failure: open the page again if the server does not know it, and try again. */
  async repair(error) {
    this.report("trouble", error.status ? error.message : "the server does not answer");
    if (error.status === 409) {
      try {
        await this.reopen();
      } catch (again) {
        this.isBusy = false;
        if (again.status === 409) return this.lose(again.message);
      }
    }
    setTimeout(() => { this.isBusy = false; this.send(); }, SECONDS_BETWEEN_TRIES * 1000);
  }

  lose(reason) {
    this.end();
    this.report("lost", reason);
  }

  /** Waits until all is acknowledged; gives up after some seconds. */
  async settled(seconds = 5) {
    for (let waited = 0; this.waiting.length && waited < seconds * 20; waited++) {
      this.send();
      await new Promise((done) => setTimeout(done, 50));
    }
    return !this.waiting.length;
  }

  async signOfLife() {
    if (this.isOver || this.isBusy || this.waiting.length) return;
    try {
      await post("/annotate/alive", this.page);
    } catch (error) {
      this.isBusy = true;
      await this.repair(error);
    }
  }

  /** The tab closes: the rest goes with a request that outlives it. */
  beacon() {
    if (this.isOver) return;
    post("/annotate/close", { ...this.page, changes: this.waiting }, { keepalive: true }).catch(() => {});
    this.end();
  }

  end() {
    this.isOver = true;
    clearInterval(this.timer);
    removeEventListener("pagehide", this.leave);
  }
}

"use strict";
{
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const one = (selector, within = document) => within.querySelector(selector);

  const unpacked = async (element) => {
    const bytes = Uint8Array.from(atob(element.textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  };

  const button = (text, action) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.addEventListener("click", action);
    return made;
  };

  // Blocks: those of one mark, and one of them in the page.

  const showBlock = (view, item) => {
    for (const other of all(".now", view)) other.classList.remove("now");
    item.classList.add("now");
    const inside = one("iframe", view)?.contentDocument;
    if (!inside) return;
    for (const other of all(".now", inside)) other.classList.remove("now");
    const found = all(`victor-block[n="${item.dataset.block}"]`, inside);
    for (const piece of found) piece.classList.add("now");
    found[0]?.scrollIntoView({ block: "center" });
  };

  // Banners that float above the page would hide it.
  const unpin = (inside) => {
    for (const element of all("body *", inside).slice(0, 5000)) {
      const { position } = inside.defaultView.getComputedStyle(element);
      if (position === "fixed" || position === "sticky") element.style.setProperty("position", "static", "important");
    }
  };

  const listenInFrame = (view) => {
    const kept = one(".blocks .kept, .blocks .extra", view)?.dataset.block;
    const inside = one("iframe", view)?.contentDocument;
    if (inside?.defaultView) unpin(inside);
    if (kept && inside?.scrollingElement) {
      const first = one(`victor-block[n="${kept}"]`, inside);
      inside.scrollingElement.scrollTop += Math.max((first?.getBoundingClientRect().top ?? 0) - 60, 0);
    }
    one("iframe", view)?.contentDocument?.addEventListener("click", (event) => {
      event.preventDefault();
      const number = event.target.closest?.("victor-block")?.getAttribute("n");
      const item = number && one(`li[data-block="${number}"]`, view);
      if (!item) return;
      one('[role="tab"]', view)?.click();
      showBlock(view, item);
      item.scrollIntoView({ block: "center" });
    });
  };

  const showMark = (view, chosen) => {
    for (const other of all(".choices button", view)) other.setAttribute("aria-pressed", String(other === chosen));
    const mark = chosen.dataset.show;
    for (const item of all(".blocks > li", view)) item.hidden = Boolean(mark) && !item.classList.contains(mark);
  };

  // The parts of a page, as tabs.

  const selectTab = (tabs, panels, number) => {
    tabs.forEach((tab, at) => {
      tab.setAttribute("aria-selected", String(at === number));
      tab.tabIndex = at === number ? 0 : -1;
      panels[at].hidden = at !== number;
    });
  };

  const makeTabs = (panel, name) => {
    const panels = all(":scope > section", panel);
    const list = document.createElement("div");
    list.className = "tabs";
    list.setAttribute("role", "tablist");
    list.setAttribute("aria-label", "Parts of the page");
    const tabs = panels.map((part, number) => {
      const tab = button(one("h3", part).textContent, () => selectTab(tabs, panels, number));
      tab.setAttribute("role", "tab");
      tab.id = `${name}-tab-${number}`;
      part.id = `${name}-part-${number}`;
      tab.setAttribute("aria-controls", part.id);
      part.setAttribute("role", "tabpanel");
      part.setAttribute("aria-labelledby", tab.id);
      return tab;
    });
    list.append(...tabs);
    list.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = (tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length;
      selectTab(tabs, panels, next);
      tabs[next].focus();
    });
    panel.prepend(list);
    panel.classList.add("with-tabs");
    selectTab(tabs, panels, 0);
  };

  const prepare = (view, name) => {
    const panel = one(".panel", view);
    if (!panel) return;
    makeTabs(panel, name);
    one(".choices", view).hidden = false;
    view.addEventListener("click", (event) => {
      const target = event.target;
      if (target.matches(".n")) showBlock(view, target.closest("li"));
      if (target.matches("[data-show]")) showMark(view, target);
    });
    const frame = one("iframe", view);
    if (frame?.contentDocument?.readyState === "complete") listenInFrame(view);
    frame?.addEventListener("load", () => listenInFrame(view));
  };

  // The list of pages.

  const index = one("#index");
  const rows = index ? all(".pages tbody tr", index) : [];

  const numberOf = (row) => Number(one("a", row).hash.replace("#page-", ""));

  const filter = () => {
    const words = one("#find").value.toLowerCase();
    const status = one("#status").value;
    const most = Number(one("#most").value || 100) / 100;
    for (const row of rows) {
      const figure = row.dataset.figure === "" ? 0 : Number(row.dataset.figure);
      row.hidden =
        !one("th", row).textContent.toLowerCase().includes(words) ||
        (status && row.dataset.status !== status) || figure > most;
    }
    one("#shown").textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} pages`;
  };

  const valueOf = (row, column) => {
    const text = row.cells[column].textContent;
    const number = Number.parseFloat(text.replaceAll(",", ""));
    return Number.isNaN(number) ? text.toLowerCase() : number;
  };

  const sortBy = (head, column) => {
    const isUp = head.getAttribute("aria-sort") !== "ascending";
    for (const other of all(".pages thead th", index)) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", isUp ? "ascending" : "descending");
    const compare = (one, other) => (one < other ? -1 : one > other ? 1 : 0);
    rows.sort((a, b) => (isUp ? 1 : -1) * compare(valueOf(a, column), valueOf(b, column)));
    one(".pages tbody", index).append(...rows);
  };

  const prepareIndex = () => {
    const form = one(".filters", index);
    form.hidden = false;
    form.addEventListener("input", filter);
    form.addEventListener("submit", (event) => event.preventDefault());
    all(".pages thead th", index).forEach((head, column) => {
      const sorter = button(head.textContent, () => sortBy(head, column));
      head.replaceChildren(sorter);
    });
    filter();
  };

  const place = one("#place");

  const stepTo = (number, text) => {
    const link = document.createElement("a");
    link.href = number === null ? "#index" : `#page-${number}`;
    link.textContent = text;
    return link;
  };

  const steps = (number) => {
    const shown = rows.filter((row) => !row.hidden).map(numberOf);
    const at = shown.indexOf(number);
    const nav = document.createElement("nav");
    nav.className = "steps";
    nav.setAttribute("aria-label", "Pages");
    nav.append(stepTo(null, "All pages"));
    if (at > 0) nav.append(stepTo(shown[at - 1], "Previous page"));
    if (at >= 0 && at + 1 < shown.length) nav.append(stepTo(shown[at + 1], "Next page"));
    return nav;
  };

  const showPage = async () => {
    const number = Number(/^#page-(\d+)$/.exec(location.hash)?.[1] ?? -1);
    const stored = number < 0 ? null : one(`script[data-page="${number}"]`);
    index.hidden = Boolean(stored);
    place.hidden = !stored;
    if (!stored) {
      if (location.hash === "#index") one("h2", index).focus();
      return;
    }
    const view = document.createElement("article");
    view.innerHTML = await unpacked(stored);
    const frame = one(".frame", view);
    const look = one(`script[data-look="${number}"]`);
    if (frame && look) frame.innerHTML = await unpacked(look);
    else if (frame) frame.textContent = "The look of this page was left out, to keep the file small.";
    place.replaceChildren(steps(number), view);
    prepare(view, `page-${number}`);
    one("h2", view).focus();
    scrollTo(0, 0);
  };

  if (index) {
    prepareIndex();
    addEventListener("hashchange", showPage);
    showPage();
  } else {
    prepare(one("article"), "page");
  }
}

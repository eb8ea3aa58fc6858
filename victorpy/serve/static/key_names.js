// Keys of the browser by the names that the terminal uses.

const NAMES = {
  ArrowUp: "up", ArrowDown: "down", ArrowLeft: "left", ArrowRight: "right", Home: "home", End: "end",
  PageUp: "page-up", PageDown: "page-down", Tab: "tab", " ": "space", Enter: "enter", Escape: "escape",
  Backspace: "backspace", Delete: "delete", Insert: "insert",
};
const SIGNS = {
  up: "↑", down: "↓", left: "←", right: "→", "page-up": "PgUp", "page-down": "PgDn", escape: "Esc",
  backspace: "Bksp", delete: "Del",
};
// The browser's own: find, reload, copy and the like.
export const OF_BROWSER = new Set(["ctrl-f", "ctrl-b", "ctrl-r", "ctrl-c", "f1"]);

/** The name of the pressed key; null for keys that are the browser's. */
export function keyName(event) {
  if (event.metaKey || event.altKey || event.isComposing) return null;
  const name = NAMES[event.key] || (/^F\d+$/.test(event.key) ? event.key.toLowerCase() : event.key);
  if (event.ctrlKey) {
    const control = `ctrl-${name.toLowerCase()}`;
    return OF_BROWSER.has(control) ? null : control;
  }
  if (OF_BROWSER.has(name)) return null;
  return event.shiftKey && name.length > 1 ? `shift-${name}` : name;
}

/** The name of a key as on keyboards. */
export function shownKey(key) {
  if (key.length === 1) return key;
  const plain = key.replace(/^shift-/, "");
  const name = SIGNS[plain] || plain.replace(/(^|-)[a-z]/g, (found) => found.toUpperCase());
  return (plain === key ? "" : "Shift-") + name;
}

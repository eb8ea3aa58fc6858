// Short messages at the lower edge, which screen readers read as well.
import { element } from "./elements.js";

const SECONDS = 8;

/** Shows a message for some seconds; kind is "note" or "error". */
export function say(text, kind = "note") {
  const message = element("p", { class: `message ${kind}` }, text);
  document.getElementById("messages").append(message);
  setTimeout(() => message.remove(), SECONDS * 1000);
}

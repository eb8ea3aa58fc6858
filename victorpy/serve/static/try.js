import { element } from "./elements.js";

export function show(root) {
  root.append(element("h1", {}, "Try"), element("p", {}, "Clean a page and see why."));
}

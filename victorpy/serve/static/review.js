// The view Review: two annotators' labels of the same pages, and the decisions.
import { post } from "./change_queue.js";
import { element, fill } from "./elements.js";
import { showLabeling } from "./labeling_view.js";

const OUTPUT = "decided";

export async function show(root) {
  document.head.append(element("link", { rel: "stylesheet", href: "/static/annotate.css" }));
  const found = await post("/review/folders", {});
  const annotators = found.folders.filter((name) => name !== "." && name !== OUTPUT);
  const field = (name, label, value) => element("div", { class: "field" }, element("label", { for: name }, label),
    element("input", { id: name, name, value, list: "folders", required: true, autocomplete: "off" }));
  const trouble = element("p", { class: "trouble", role: "alert" });
  const form = element("form", { class: "sheet padded chooser", onsubmit: (event) => begin(event) },
    element("h1", {}, "Review"),
    element("p", { class: "soft" }, "Two annotators labeled the same pages. Blocks on which they agree are decided; you decide the others."),
    field("one", "Folder of the first annotator", annotators[0] || ""),
    field("two", "Folder of the second annotator", annotators[1] || ""),
    field("output", "Folder for the decisions", OUTPUT),
    element("datalist", { id: "folders" }, ...found.folders.map((name) => element("option", { value: name }))),
    element("p", { class: "small soft" }, `All within ${found.folder}`),
    trouble, element("div", {}, element("button", { class: "primary" }, "Review")));
  fill(root, form);
  form.querySelector("input").focus();

  async function begin(event) {
    event.preventDefault();
    const review = Object.fromEntries(new FormData(form));
    try {
      await post("/annotate/queue", { review });
    } catch (error) {
      trouble.textContent = error.message;
      return;
    }
    await showLabeling(root, review, () => show(root));
  }
}

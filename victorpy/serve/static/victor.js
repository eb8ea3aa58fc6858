// Fills the page with the view that it names.
import { say } from "./messages.js";

const view = document.body.dataset.view;

try {
  const { show } = await import(`/static/${view}.js`);
  await show(document.getElementById("main"));
} catch (error) {
  say(`The view cannot be shown: ${error.message}`, "error");
}

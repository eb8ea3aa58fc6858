// The view Annotate: the pages of the served folder.
import { showLabeling } from "./labeling_view.js";

export const show = (root) => showLabeling(root, null);

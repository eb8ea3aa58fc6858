// Makes elements. Texts are always texts: no string is read as HTML.

/** An element with attributes, handlers (onclick …) and children. Children that are null or false are left out. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value === "boolean") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Replaces what an element holds. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter(Boolean));
  return parent;
}

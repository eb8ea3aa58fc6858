// How many lines texts take in a column, without showing them.

const MOST_LINES = 12;

/** For each text the lines that it takes in this element, at most twelve. */
export function linesOf(text, count, box) {
  const style = getComputedStyle(box), pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font || `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  // Headings are bold, and a little wider.
  const room = 0.97 * box.clientWidth, widths = new Map();
  const width = (piece) => {
    let found = widths.get(piece);
    if (found === undefined) widths.set(piece, (found = pen.measureText(piece).width));
    return found;
  };
  return Array.from({ length: count }, (_, number) => lines(text(number), width, room));
}

/** Words go to the next line whole, as in browsers; those longer than a line are cut. */
function lines(text, width, room) {
  let used = 1, place = 0;
  for (const piece of text.match(/\s+|[^\s]+/g) || []) {
    const wide = width(piece);
    if (!piece.trim()) place += wide;
    else if (place + wide <= room) place += wide;
    else {
      const more = Math.ceil(wide / room);
      used += place ? more : more - 1;
      place = wide - (more - 1) * room;
    }
    if (used >= MOST_LINES) return MOST_LINES;
  }
  return used;
}

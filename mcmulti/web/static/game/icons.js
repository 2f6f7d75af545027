// Small signs for buttons. No font has all of them everywhere.

const SHAPES = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M5 3v10l7-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  on: "M3 3v10l6-5zM10 3h3v10h-3z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
};

/**
 * @param {keyof typeof SHAPES} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("width", "16");
  svg.setAttribute("height", "16");
  svg.setAttribute("aria-hidden", "true");
  svg.setAttribute("fill", "currentColor");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}

// Small signs for buttons. No font has all of them everywhere.

import { drawn } from "../lib/dom.js";

const SHAPES = {
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  back: "M11 3v10L4 8z",
  play: "M5 3v10l7-5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  on: "M3 3v10l6-5zM10 3h3v10h-3z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
};

/** @param {keyof typeof SHAPES} name */
export const icon = (name) =>
  drawn("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", fill: "currentColor" }, drawn("path", { d: SHAPES[name] }));


/**
 * Lets the reader keep something as a file.
 *
 * @param {string} name
 * @param {Uint8Array<ArrayBuffer>} content
 */
export function save(name, content) {
  const href = URL.createObjectURL(new Blob([content], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

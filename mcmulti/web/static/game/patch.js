// JSON Patches (RFC 6902), of the four operations that the replay uses.

/** @typedef {import("../lib/api.js").Schemas["Change"]} Change */

/**
 * Applies a patch to a value, which is not changed.
 *
 * @param {any} value
 * @param {readonly Change[]} changes
 * @returns {any}
 */
export function patched(value, changes) {
  const root = { "": structuredClone(value) };
  for (const change of changes) {
    const moved = change.op === "move" ? taken(root, change.from ?? "") : change.value;
    if (change.op === "remove") taken(root, change.path);
    else put(root, change.path, structuredClone(moved), change.op === "replace");
  }
  return root[""];
}

/**
 * Resolves a pointer.
 *
 * @param {any} root
 * @param {string} pointer
 * @returns {[any, string]} What holds it, and under which name.
 */
function place(root, pointer) {
  const names = pointer.split("/").map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = names.pop() ?? "";
  return [names.reduce((within, name) => within[name], root), last];
}

/**
 * @param {any} root
 * @param {string} pointer
 * @returns {any}
 */
function taken(root, pointer) {
  const [within, name] = place(root, pointer);
  const value = within[name];
  if (Array.isArray(within)) within.splice(Number(name), 1);
  else delete within[name];
  return value;
}

/**
 * @param {any} root
 * @param {string} pointer
 * @param {any} value
 * @param {boolean} instead
 */
function put(root, pointer, value, instead) {
  const [within, name] = place(root, pointer);
  if (Array.isArray(within) && !instead) within.splice(name === "-" ? within.length : Number(name), 0, value);
  else within[name] = value;
}

// What this browser keeps, as JSON.

/**
 * @param {string} name
 * @param {any} [otherwise] If there is nothing, or it cannot be read.
 * @param {Storage} [storage]
 */
export function kept(name, otherwise = {}, storage = localStorage) {
  try {
    return JSON.parse(storage.getItem(name) ?? "null") ?? otherwise;
  } catch {
    return otherwise;
  }
}

/**
 * @param {string} name
 * @param {unknown} value
 */
export const keep = (name, value) => localStorage.setItem(name, JSON.stringify(value));

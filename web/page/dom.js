// Elements of the page.

/**
 * Returns the element with this id.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 */
export function $(id) {
  return /** @type {T} */ (document.getElementById(id));
}

/** @param {string} id */
export const button = (id) => /** @type {HTMLButtonElement} */ ($(id));
/** @param {string} id */
export const input = (id) => /** @type {HTMLInputElement} */ ($(id));
/** @param {string} id */
export const select = (id) => /** @type {HTMLSelectElement} */ ($(id));
/** @param {string} id */
export const dialog = (id) => /** @type {HTMLDialogElement} */ ($(id));

/**
 * Makes an element with some properties and its content.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Partial<HTMLElementTagNameMap[K]>} [properties]
 * @param {(Node | string)[]} content
 */
export function make(name, properties = {}, ...content) {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...content);
  return element;
}

/**
 * Makes an element of SVG with these attributes.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string | number>} attributes
 */
export function svg(name, attributes = {}) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, String(value));
  }
  return element;
}

/**
 * Returns whether a key belongs to the page and not to the browser, as Alt with an arrow does.
 * @param {KeyboardEvent} event
 */
export function isPlain(event) {
  return !event.altKey && !event.ctrlKey && !event.metaKey;
}

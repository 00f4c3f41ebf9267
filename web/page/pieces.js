// Drawings of the pieces, as SVG in a square of 40 by 40. The class of the svg gives the colour.

const base = '<path d="M9 36v-3q0-3 4-3h14q4 0 4 3v3z"/>';

/** @type {Record<string, string>} */
const shapes = {
  p: `<path d="M14 30q4-4 3.5-11h5q-.5 7 3.5 11z"/><circle cx="20" cy="14" r="6"/>${base}`,
  n: `<path d="M11 30q0-7 7-12-3 1-6 4l-3-1-1-4 6-9 0-4 4 3q11 1 12 12 .5 6-1 11z"/>
      <circle class="mark" cx="16.5" cy="12.5" r="1.3"/>${base}`,
  b: `<path d="M14 30q3-3 1-7-4-6 5-15 9 9 5 15-2 4 1 7z"/><circle cx="20" cy="6.5" r="2.5"/>
      <path class="line" d="M20 13v7M16.8 16.5h6.4"/>${base}`,
  r: `<path d="M12 30l2-14h-3V7h4.5v3h2.5V7h4v3h2.5V7H29v9h-3l2 14z"/>
      <path class="line" d="M14 16.5h12"/>${base}`,
  q: `<path d="M12 30L7 12l6.5 7L15 8l5 10 5-10 1.5 11L33 12l-5 18z"/>
      <circle cx="7" cy="11" r="2"/><circle cx="15" cy="7.5" r="2"/><circle cx="25" cy="7.5" r="2"/>
      <circle cx="33" cy="11" r="2"/><path class="line" d="M12.5 26.5h15"/>${base}`,
  k: `<path d="M12 30q-6-6-4-11 4-6 12 0 8-6 12 0 2 5-4 11z"/>
      <path d="M18.5 15V9h-3V6h3V3h3v3h3v3h-3v6z"/><path class="line" d="M20 20v9"/>${base}`,
};

/** @type {Record<string, string>} */
export const names = {
  p: 'pawn',
  n: 'knight',
  b: 'bishop',
  r: 'rook',
  q: 'queen',
  k: 'king',
};

/**
 * Returns the drawing of a piece by its letter in a FEN; upper case is White.
 * @param {string} letter
 */
export function drawing(letter) {
  const kind = letter.toLowerCase();
  const color = letter === kind ? 'black' : 'white';
  return `<svg class="piece ${color}" viewBox="0 0 40 40" aria-hidden="true">${shapes[kind]}</svg>`;
}

/** In place of the package yaml (see own-imports.js). */
export function stringify() {
  throw new Error('The API is described in JSON only.');
}

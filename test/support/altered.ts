/** A real part of which some methods do something else; the rest is the part's own. */
export function altered<Part extends object>(part: Part, changes: Partial<Part>): Part {
  return new Proxy(part, {
    get(target, name) {
      if (name in changes) return Reflect.get(changes, name) as unknown;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Why a query string is refused. `parameter` is missing when no name could be read. */
export class BadQuery extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadQuery';
  }
}

/** The query string of a request target, without its question mark. */
export function queryOf(target: string): string {
  const mark = target.indexOf('?');
  return mark === -1 ? '' : target.slice(mark + 1);
}

/**
 * Parses a query string strictly: only known parameters, each at most once, with valid encoding.
 * @throws BadQuery naming the parameter
 */
export function readQuery<Name extends string>(
  text: string,
  names: readonly Name[],
): Partial<Readonly<Record<Name, string>>> {
  const values: Partial<Record<Name, string>> = {};
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    if (name === undefined) throw new BadQuery('The query string is not valid percent-encoded UTF-8.');
    if (!isOneOf(name, names))
      throw new BadQuery(`There is no parameter ${quoted(name)}; known are ${names.join(', ')}.`);
    if (values[name] !== undefined) throw new BadQuery(`The parameter ${name} is given more than once.`);
    const value = equals === -1 ? '' : decoded(pair.slice(equals + 1));
    if (value === undefined) throw new BadQuery(`The parameter ${name} is not valid percent-encoded UTF-8.`);
    values[name] = value;
  }
  return values;
}

/** A name from a request, quoted for a sentence. */
export function quoted(name: string): string {
  const start = name.slice(0, 60);
  return JSON.stringify(start.length < name.length ? `${start}…` : start);
}

function isOneOf<Name extends string>(name: string, names: readonly Name[]): name is Name {
  return (names as readonly string[]).includes(name);
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

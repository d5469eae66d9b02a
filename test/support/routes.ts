/** The addresses of a printed tree of routes, but for those with a pattern, which are files of one name or another. */
export function routesOf(printed: string): string[] {
  const stack: string[] = [];
  const found: string[] = [];
  for (const line of printed.split('\n')) {
    const [, indentation = '', segment = ''] = /^((?:│ {3}| {4})*)[├└]── (\S+) \(/.exec(line) ?? [];
    if (segment === '') continue;
    stack.splice(indentation.length / 4, Infinity, segment);
    const path = stack.join('').replace(/^\/\//, '/');
    if (!path.includes('(')) found.push(path);
  }
  return found;
}

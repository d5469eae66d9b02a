import { readFileSync } from 'node:fs';

/** What src/config.ts takes from the environment, NAME_FILE of secrets included. */
export function settingNames(): ReadonlySet<string> {
  const text = readFileSync(new URL('../../src/config.ts', import.meta.url), 'utf8');
  const names = [...text.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name = '']) => name);
  const [, secrets = ''] = /const secrets = \[([^\]]*)\]/.exec(text) ?? [];
  const files = [...secrets.matchAll(/'(\w+)'/g)].map(([, name = '']) => `${name}_FILE`);
  if (names.length <= 10 || files.length <= 2) throw new Error('src/config.ts names no settings as before.');
  return new Set([...names, ...files]);
}

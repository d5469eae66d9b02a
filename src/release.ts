import { readFileSync } from 'node:fs';

/** The running release, from package.json. */
export const release = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  }
).version;

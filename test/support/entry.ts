import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The file that starts a checkout: older ones had it in TypeScript. Relative to the checkout. */
export const entryOf = (root: string): string =>
  existsSync(join(root, 'src/main.js')) ? 'src/main.js' : 'src/main.ts';

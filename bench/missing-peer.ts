import { findPackageJSON } from 'node:module';

/** What is to be done before a package of bench/package.json is measured. Undefined: it is there. */
export function missingPeer(name: string): string | undefined {
  try {
    if (findPackageJSON(name, import.meta.url) !== undefined) return undefined;
  } catch {
    // It throws for a package that is nowhere.
  }
  return `${name} is not installed (npm ci --prefix bench)`;
}

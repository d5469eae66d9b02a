import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServer, type ServerProcess } from './process.ts';
import { entryOf } from '../test/support/entry.ts';

/** Sources to measure: an older checkout with its own node_modules, or this one. */
export interface Checkout {
  readonly name: 'before' | 'ours';
  readonly root: string;
}

/** A value of each checkout that is measured. */
export type Each<Value> = { readonly ours: Value; readonly before?: Value };

/** The older checkout first, where there is one: rows take turns in this order. */
export const checkouts = (before: string | undefined): readonly Checkout[] => [
  ...(before === undefined ? [] : [{ name: 'before', root: resolve(before) } as const]),
  { name: 'ours', root: resolve(import.meta.dirname, '..') },
];

/** Starts the server of a checkout by its own sources, with the options for Node that its `npm start` has. */
export const serveCheckout = (
  { root }: Checkout,
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> =>
  startServer(
    pathToFileURL(join(root, entryOf(root))),
    ['serve', '--json'],
    { ...env, PORT: '0' },
    nodeOptionsOf(root),
  );

function nodeOptionsOf(root: string): readonly string[] {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly start: string };
  };
  return manifest.scripts.start.split(' ').filter((word) => word.startsWith('--'));
}

/** Does the same for every checkout, one after the other. */
export async function eachOf<Value>(
  measured: readonly Checkout[],
  work: (checkout: Checkout) => Promise<Value>,
): Promise<Each<Value>> {
  const values: { ours?: Value; before?: Value } = {};
  for (const checkout of measured) values[checkout.name] = await work(checkout);
  return values as Each<Value>;
}

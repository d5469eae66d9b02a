import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';
import { tokensFrom } from '../support/site-tokens.ts';

const folder = temporaryFolder();
let serving: Serving;
beforeAll(async () => {
  serving = await startServing(folder.path);
});
afterAll(async () => {
  await serving.stop();
  folder.remove();
});

interface Rotated {
  readonly kid: string;
  readonly signs: string;
}
const rotate = async (...words: readonly string[]) =>
  (await runCommand(folder.path, 'keys', 'rotate-signing', ...words)) as Rotated;
const jwks = async () => (await (await fetch(`${serving.origin}/oauth/jwks.json`)).json()) as JSONWebKeySet;
const published = async () => (await jwks()).keys.map(({ kid }) => kid);

test('a new signing key stands in the JWKS of a running server beside the one that still signs', async () => {
  const tokens = await tokensFrom(serving.origin, folder.path);
  const [first] = await published();
  const { kid, signs } = await rotate();
  expect(signs).toBe('later');
  expect(await published()).toEqual(expect.arrayContaining([first, kid]));
  expect(decodeProtectedHeader((await tokens.refresh()).idToken).kid).toBe(first);
});

test('with --at-once a running server signs with the new key and shows it alone, once the command is done', async () => {
  let tokens = await tokensFrom(serving.origin, folder.path);
  for (let round = 0; round < 3; round++) {
    const { kid, signs } = await rotate('--at-once');
    tokens = await tokens.refresh();
    const keys = await jwks();
    expect(signs).toBe('now');
    expect(keys.keys.map((key) => key.kid)).toEqual([kid]);
    const { protectedHeader } = await jwtVerify(tokens.idToken, createLocalJWKSet(keys));
    expect(protectedHeader.kid).toBe(kid);
  }
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';

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
const published = async () => {
  const jwks = (await (await fetch(`${serving.origin}/oauth/jwks.json`)).json()) as {
    keys: { kid: string }[];
  };
  return jwks.keys.map(({ kid }) => kid);
};

test('a new signing key stands in the JWKS beside the one that still signs', async () => {
  const [first] = await published();
  const { kid, signs } = await rotate();
  expect(signs).toBe('later');
  // A running server looks for new keys once a minute, one that starts at once.
  await serving.stop();
  serving = await startServing(folder.path);
  expect(await published()).toEqual(expect.arrayContaining([first, kid]));
});

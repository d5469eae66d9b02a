import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';

const folder = temporaryFolder();
const run = (...words: string[]) => runCommand(folder.path, ...words);
let server: Serving;
beforeAll(async () => {
  await run('teams', 'create', 'harbour', '--name', 'Harbour House');
  server = await startServing(folder.path);
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

test('the keys of a team are refused by a server that has cached them, once a command of another process has closed it', async () => {
  const make = ['keys', 'create', '--kind', 'team', '--team', 'harbour', '--scopes', 'resources:read'];
  const { key } = (await run(...make)) as { key: string };
  const status = async () =>
    (await fetch(`${server.origin}/dash/api/v1/resources`, { headers: { authorization: `Bearer ${key}` } }))
      .status;
  for (let round = 0; round < 5; round++) {
    expect([await status(), await status()]).toEqual([200, 200]);
    expect(await run('teams', 'close', 'harbour', '--name', 'Harbour House')).toMatchObject({
      team: 'harbour',
      closed: true,
    });
    expect(await status()).toBe(401);
    expect(await run('teams', 'reopen', 'harbour')).toMatchObject({ team: 'harbour', closed: false });
    expect(await status()).toBe(200);
  }
  await expect(run('teams', 'close', 'harbour', '--name', 'Harbour')).rejects.toThrow(
    'The team is called Harbour House: type its name as it stands.',
  );
});

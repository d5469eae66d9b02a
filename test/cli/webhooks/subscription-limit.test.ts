import { expect, test } from 'vitest';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';

test('a team has so many subscriptions, without deleted ones, and is told what to do about one more', async () => {
  const folder = temporaryFolder();
  const run = (...words: readonly string[]) =>
    runCommandLine(words, folder.path, {
      WEBHOOK_SUBSCRIPTIONS_PER_TEAM: '2',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
    });
  const create = (team: string) =>
    run(
      ...['subscriptions', 'create', '--team', team, '--url', 'http://127.0.0.1:9/hook'],
      ...['--events', 'resource.approved', '--json'],
    );
  for (const team of ['harbour', 'other']) await run('teams', 'create', team, '--name', team);
  const [first, second] = [await create('harbour'), await create('harbour')];
  expect([first.code, second.code]).toEqual([0, 0]);
  const third = await create('harbour');
  expect([third.code, third.stderr.trim()]).toEqual([
    1,
    'The team harbour has 2 webhooks, and 2 are the most. Delete one that is no longer needed, or send to one address that passes the events on.',
  ]);
  expect((await create('other')).code).toBe(0);
  const { subscription } = JSON.parse(first.stdout) as { subscription: string };
  await run('subscriptions', 'delete', subscription);
  expect((await create('harbour')).code).toBe(0);
  expect((await create('harbour')).code).toBe(1);
  folder.remove();
});

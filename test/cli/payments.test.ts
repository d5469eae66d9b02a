import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { joinTeam } from '../../src/commands/teams/member.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { context } from '../api/harness.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';

const folder = temporaryFolder();
let beside: System;
let member: string;
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
  beside = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const ana = { email: 'ana@example.org', profile: { name: 'Ana' } };
  member = (await registerPerson(beside, ana, context())).userId;
  await joinTeam(beside, { team: 'harbour', user: member, role: 'member' }, context());
});
afterAll(async () => {
  await beside.close();
  folder.remove();
});

interface Payment {
  readonly payment: string;
}

const of = ['--team', 'harbour', '--email', 'ana@example.org'] as const;
const json = <Answer>(...words: readonly string[]) =>
  runCommand(folder.path, 'payments', ...words) as Promise<Answer>;
const told = (...words: readonly string[]) => runCommandLine(['payments', ...words], folder.path);
const amount = (minor: string, code = 'USD') => ['--amount-minor', minor, '--currency', code] as const;

test('payments are recorded, listed and reversed', async () => {
  const recorded = await json<Payment>('record', ...of, ...amount('1250'), '--memo', 'Spring dues');
  expect(recorded).toMatchObject({
    team: 'harbour',
    member,
    amount_minor: 1250,
    currency: 'USD',
    memo: 'Spring dues',
    status: 'recorded',
  });
  expect(await json('list', ...of)).toEqual([recorded]);
  expect((await told('list', '--team', 'harbour')).stdout).toContain('12.50 USD');
  const because = 'Paid twice by mistake';
  expect(await json('reverse', recorded.payment, '--reason', because)).toEqual({
    payment: recorded.payment,
    status: 'reversed',
  });
  expect(await json('list', '--team', 'harbour')).toMatchObject([
    { status: 'reversed', memo: 'Spring dues', reason: because },
  ]);
  const again = await told('reverse', recorded.payment);
  expect([again.code, again.stderr.trim()]).toEqual([1, 'The payment is reversed already.']);
});

test('the same command with the same key is one payment', async () => {
  const words = ['record', ...of, '--key', 'receipt-41'] as const;
  const first = await json<Payment>(...words, ...amount('500'));
  expect(await json(...words, ...amount('500'))).toEqual(first);
  const other = await told(...words, ...amount('501'));
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('--key was used before') as string]);
});

test.each([
  [['--amount-minor', '12.50', '--currency', 'USD'], '--amount-minor'],
  [['--amount-minor', '1e3', '--currency', 'USD'], '--amount-minor'],
  [['--amount-minor', '9007199254740992', '--currency', 'USD'], '--amount-minor'],
  [['--amount-minor', '99999999999999999999', '--currency', 'USD'], '--amount-minor'],
  [['--amount-minor', '1', '--currency', 'DEM'], '--currency'],
  [['--amount-minor', '1', '--currency', 'USD', '--occurred-at', 'soon'], '--occurred-at'],
])('%j is not understood', async (words, named) => {
  const { code, stderr } = await told('record', ...of, ...words);
  expect([code, stderr]).toEqual([2, expect.stringContaining(named) as string]);
});

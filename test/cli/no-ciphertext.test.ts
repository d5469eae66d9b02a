import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commands } from '../../src/cli/program.ts';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { beginClaim } from '../../src/commands/directory/upkeep/claim.ts';
import { suggestChange } from '../../src/commands/directory/upkeep/suggestion.ts';
import { reportMistake } from '../../src/commands/directory/upkeep/mistake.ts';
import { formIdOf } from '../../src/commands/forms.ts';
import { submitForm } from '../../src/commands/forms-submissions.ts';
import { createApiKey } from '../../src/commands/keys.ts';
import { joinTeam } from '../../src/commands/teams/member.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { submitOrganization } from '../../src/commands/directory/organization.ts';
import { context } from '../api/harness.ts';
import { consentForm } from '../support/any-form.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';

/** Each command that lists or shows something, with its arguments, and what of the sealed it opens. */
const team = ['--team', 'harbour'];
const form = [...team, '--slug', 'help'];
const ana = ['--email', 'ana@example.org'];

const folder = temporaryFolder();
let beside: System;
const ids = {
  resource: '',
  bulk: '',
  organization: '',
  report: '',
  suggestion: '',
  claim: 'ab'.repeat(32),
  key: '',
  delivery: '',
  subscription: '',
  person: '',
  hold: '',
  payment: '',
  listed: '',
};

beforeAll(async () => {
  const run = <Answer = Readonly<Record<string, string>>>(...words: readonly string[]) =>
    runCommand(folder.path, ...words) as Promise<Answer>;
  await run('teams', 'create', 'harbour', '--name', 'Harbour House');
  beside = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const profile = { name: 'Ana Sample' };
  ids.person = (await registerPerson(beside, { email: 'ana@example.org', profile }, context())).userId;
  await joinTeam(beside, { team: 'harbour', user: ids.person, role: 'admin' }, context());
  await run('administrators', 'add', '--email', 'opal@example.org');
  await run('members', 'invite', ...team, '--email', 'ben@example.org', '--role', 'member');
  ids.hold = (await run('hold', 'place', ids.person, '--reason', 'A court asks'))['hold'] ?? '';
  const sum = ['--amount-minor', '1250', '--currency', 'USD'];
  const paid = await run('payments', 'record', ...team, ...ana, ...sum, '--memo', 'Spring dues');
  ids.payment = paid['payment'] ?? '';
  await run('payments', 'reverse', ids.payment, '--reason', 'Paid twice');
  const wish = {
    kind: 'team',
    team: 'harbour',
    scopes: ['resources:read'],
    label: 'Laptop of Ana',
    domains: [],
  } as const;
  const by = { ...context(), actor: { kind: 'user', id: ids.person } } as const;
  ids.key = (await createApiKey(beside, wish, randomBytes(32), by)).keyId;
  const contacts = JSON.stringify([{ name: 'Cem Contact' }]);
  const record = ['--name', 'Corner Pantry', '--category', 'food', '--contacts', contacts];
  ids.resource = (await run('resources', 'submit', ...team, ...record))['svc_id'] ?? '';
  const verified = await run(
    'resources',
    'bulk',
    'verified',
    ...team,
    '--filter',
    'status=submitted',
    '--day',
    '2026-01-05',
  );
  ids.bulk = verified['bulk'] ?? '';
  await run('views', 'save', 'Waiting', 'status=submitted', ...team);
  const lia = ['--name', 'Lia Listed', '--email', 'lia@example.org'];
  ids.listed = (await run('payments', 'members', 'add', ...team, ...lia))['member'] ?? '';
  const fields = { name: 'Harbor Trust', contacts: [{ name: 'Olga Office' }] };
  ids.organization =
    (await submitOrganization(beside, { team: 'harbour', fields }, context())).state?.org_id ?? '';
  const to = ['--url', 'https://93.184.215.14/hook-with-a-secret', '--events', 'payment.received'];
  ids.subscription = (await run('subscriptions', 'create', ...team, ...to))['subscription'] ?? '';
  const said = { text: 'It has closed', contact: 'dora@example.org' };
  const about = { svc_id: ids.resource, team: 'harbour', kind: 'closed' } as const;
  const seen = (await run('resources', 'submit', ...team, '--name', 'Seen', '--category', 'food'))['svc_id'];
  await run('resources', 'approve', seen ?? '');
  const moved = { note: 'It moved', contact: 'dora@example.org' };
  const suggested = { svc_id: seen ?? '', team: 'harbour', by: 'visitor', kind: 'change' } as const;
  ids.suggestion =
    (await suggestChange(beside, { ...suggested, suggested: moved }, context())).state?.suggestion ?? '';
  const claimed = { claim: ids.claim, team: 'harbour', subject: seen ?? '', svc_id: seen ?? '' };
  const claimant = { host: 'pantry.example', language: 'en', address: 'eva@pantry.example' };
  await beginClaim(beside, { ...claimed, ...claimant }, context());
  ids.report = (await reportMistake(beside, { ...about, said }, context())).state?.report ?? '';
  const file = join(folder.path, 'form.json');
  writeFileSync(file, JSON.stringify(consentForm('You keep this.')));
  await run('forms', 'publish', ...form, '--file', file);
  const of = { team: 'harbour', form: formIdOf('harbour', 'help'), version: 1 };
  await submitForm(beside, of, { name: 'Emil', agrees: true }, context());
});
afterAll(async () => {
  await beside.close();
  folder.remove();
});

const looks = (): Readonly<Record<string, readonly [readonly string[], ...string[]]>> => ({
  'administrators list': [[], 'opal@example.org'],
  'administrators show': [['opal@example.org'], 'opal@example.org'],
  'clients list': [[]],
  'deliveries list': [team],
  'forms list': [team],
  'asking show': [team],
  'forms show': [form],
  'forms submissions': [form, 'Emil'],
  'hold list': [[], 'A court asks', 'ana@example.org'],
  'hold show': [[ids.hold], 'A court asks', 'ana@example.org'],
  'imports list': [team],
  'keys list': [[], 'Laptop of Ana'],
  'keys show': [[ids.key], 'Laptop of Ana'],
  'keys usage': [[ids.key]],
  'members invitations': [team, 'ben@example.org'],
  'members list': [team, 'ana@example.org', 'Ana Sample'],
  'members show': [['ana@example.org', ...team], 'Ana Sample'],
  'organizations list': [team, 'Olga Office'],
  'organizations show': [[ids.organization], 'Olga Office'],
  'own-data': [[ids.person], 'Spring dues', 'ana@example.org'],
  'payments members list': [team, 'Lia Listed', 'lia@example.org'],
  'payments members show': [[ids.listed], 'Lia Listed', 'lia@example.org'],
  'payments show': [[ids.payment], 'Spring dues', 'Paid twice'],
  'payments list': [team, 'Spring dues', 'Paid twice'],
  'projections list': [[]],
  'projections show': [['teams']],
  'reports list': [[], 'It has closed', 'dora@example.org'],
  'reports show': [[ids.report], 'It has closed', 'dora@example.org'],
  'claims list': [[], 'pantry.example'],
  'claims show': [[ids.claim], 'pantry.example'],
  'suggestions list': [[], 'It moved', 'dora@example.org'],
  'suggestions show': [[ids.suggestion], 'It moved', 'dora@example.org'],
  'resources bulk list': [team],
  'resources bulk show': [[ids.bulk]],
  'resources list': [[...team, '--status', 'submitted'], 'Cem Contact'],
  'resources people': [[ids.resource], 'Cem Contact'],
  'resources show': [[ids.resource], 'Cem Contact'],
  'sources list': [team],
  'subscriptions health': [[ids.subscription]],
  'subscriptions list': [[], 'https://93.184.215.14/hook-with-a-secret'],
  'subscriptions show': [[ids.subscription], 'https://93.184.215.14/hook-with-a-secret'],
  'teams list': [[]],
  'teams show': [['harbour']],
  'views list': [team],
  'views show': [['Waiting', ...team]],
  'webhooks parked list': [[]],
});
/** Of one delivery each, which test/cli/webhooks shows. Of the others nothing is sealed. */
const elsewhere = [
  ...['deliveries show', 'imports show', 'sources show', 'clients show', 'webhooks parked show'],
  // Counts of searches, which name nobody.
  ...['needs list', 'needs show'],
];

test('every command that lists or shows something is looked at', async () => {
  const found: string[] = [];
  const walk = (command: Command, path: string): void => {
    for (const each of command.commands) walk(each, `${path} ${each.name()}`);
    if (/ (list|show|submissions|invitations|people|usage|health)$/.test(path)) found.push(path);
  };
  for (const [name, make] of Object.entries(commands))
    walk(await make({ environment: {}, exitCode: 0 }), name);
  const listed = [...Object.keys(looks()), ...elsewhere];
  expect(found.filter((each) => !listed.includes(each))).toEqual([]);
});

test('what is sealed is opened where it may be read, and never printed as it is stored', async () => {
  const { events } = await beside.store.readAll({ after: beginning, limit: 1_000 });
  const sealed = new Set<string>();
  const collect = (value: unknown): void => {
    // Encrypted texts are longer than ids and hashes have a shape of their own.
    if (typeof value === 'string' && /^[A-Za-z0-9_-]{44,}$/.test(value) && !/^[0-9a-f]+$/.test(value))
      sealed.add(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const { data } of events) collect(data);
  expect(sealed.size).toBeGreaterThan(9);
  for (const [name, [words, ...opened]] of Object.entries(looks()))
    for (const json of [true, false]) {
      const line = [...name.split(' '), ...words, ...(json ? ['--json'] : [])];
      const { code, stdout, stderr } = await runCommandLine(line, folder.path);
      expect(code, `${line.join(' ')}: ${stderr}`).toBe(0);
      expect(
        [...sealed].filter((each) => stdout.includes(each)),
        line.join(' '),
      ).toEqual([]);
      for (const each of json ? opened : []) expect(stdout, line.join(' ')).toContain(each);
    }
});

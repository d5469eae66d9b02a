import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commandPerson, registerPerson, requirePerson } from '../../../src/commands/accounts/person.ts';
import { createApiKey } from '../../../src/commands/keys.ts';
import { joinTeam } from '../../../src/commands/teams/member.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import type { CommandContext } from '../../../src/events/metadata.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { runCommand, startServing } from '../../support/serving.ts';
import { until } from '../../support/until.ts';

/** What the commands of the example audit name, as docs/example-audit.md writes them. */
export type LeakedKey = Readonly<Record<'KEY' | 'BEFORE' | 'NOW' | 'EVENT' | 'VKEY' | 'FOLDER', string>>;

/** The receiver of the webhook is on this machine. */
const settings = { BASE_URL: 'https://directory.example.org', ALLOW_PRIVATE_WEBHOOKS: 'true' };

const by = (actor: CommandContext['actor']): CommandContext => ({
  actor,
  commandId: randomUUID(),
  correlationId: randomUUID(),
  at: new Date(),
});
const operator = () => by({ kind: 'system', id: 'cli' });

/**
 * The story of the example audit, in a data folder: Ana Ruiz makes a key for the calendar of Harbour House. Somebody finds
 * it on a public page, reads the directory, and enters and approves a record with it, which is delivered to the team's webhook. An
 * operator revokes it, and it is tried again.
 */
export async function leakKey(dataDir: string): Promise<LeakedKey> {
  const run = <Answer>(...words: string[]) => runCommand(dataDir, ...words) as Promise<Answer>;
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const { keyId, key } = await before(dataDir);
  const url = `http://localhost:${(receiver.address() as AddressInfo).port}/hook`;
  const serving = await startServing(dataDir, settings);
  try {
    await until(async () => (await fetch(`${serving.origin}/audit/log/checkpoint`)).ok);
    const subscribe = `subscriptions create --team harbour --url ${url} --events resource.approved`;
    const { code, stderr } = await runCommandLine(subscribe.split(' '), dataDir, settings);
    if (code !== 0) throw new Error(stderr);
    const ask = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(`${serving.origin}/dash/api/v1/resources${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { readonly svc_id: string };
    };
    const list = async () =>
      (
        await fetch(`${serving.origin}/dash/api/v1/resources`, {
          headers: { authorization: `Bearer ${key}` },
        })
      ).status;
    for (let n = 0; n < 3; n++) await expectStatus(200, list);
    const { svc_id } = await ask('', { name: 'Cheap Loans Today', category: 'money' });
    await ask(`/${svc_id}/approve`, {});
    await delivered(dataDir);
    const BEFORE = new Date().toISOString();
    await run('keys', 'revoke', keyId, '--reason', 'Found on a public page');
    const NOW = new Date().toISOString();
    for (let n = 0; n < 2; n++) await expectStatus(401, list);
    await serving.stop();
    const found = await run<{ data: { id: string }[] }>(
      ...['audit', 'events', '--actor', `key:${keyId}`, '--type', 'ResourceApproved'],
    );
    const { vkey } = await run<{ vkey: string }>('audit', 'log', 'status');
    const EVENT = found.data[0]?.id ?? '';
    return { KEY: keyId, BEFORE, NOW, EVENT, VKEY: vkey, FOLDER: `${dataDir}/leaked-key` };
  } finally {
    receiver.close();
    await serving.stop();
  }
}

async function expectStatus(expected: number, request: () => Promise<number>): Promise<void> {
  const status = await request();
  if (status !== expected) throw new Error(`Answered ${status}, not ${expected}.`);
}

/** A team, Ana Ruiz, and her key. */
async function before(dataDir: string): Promise<{ keyId: string; key: string }> {
  const system = await openSystem(readConfig({ DATA_DIR: dataDir }));
  try {
    const team = 'harbour';
    await commandTeam(system.store, { kind: 'create', team, name: 'Harbour House' }, operator());
    const enable = { kind: 'enable-scopes', team, scopes: ['directory:manage'] } as const;
    await commandTeam(system.store, enable, operator());
    const ana = { email: 'ana@harbour.example', profile: { name: 'Ana Ruiz' } };
    const { userId } = await registerPerson(system, ana, operator());
    const { email } = await requirePerson(system, userId);
    await commandPerson(system, userId, { kind: 'verify-email', email }, operator());
    await joinTeam(system, { team, user: userId, role: 'admin' }, operator());
    const { keyId, key } = await createApiKey(
      system,
      {
        kind: 'team',
        team,
        label: 'Calendar',
        scopes: ['resources:read', 'resources:submit', 'directory:manage'],
        domains: [],
      },
      randomBytes(32),
      by({ kind: 'user', id: userId }),
    );
    return { keyId, key: key ?? '' };
  } finally {
    await system.close();
  }
}

/** Waits until the webhook has been delivered. */
async function delivered(dataDir: string): Promise<void> {
  const system = await openSystem(readConfig({ DATA_DIR: dataDir }));
  await until(async () => {
    const { events } = await system.store.readAll({ after: beginning, limit: 1_000 });
    return events.some(({ type }) => type === 'DeliverySucceeded');
  });
  await system.close();
}

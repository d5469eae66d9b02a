import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatOf } from '../../../src/audit/exports/formats.ts';
import { ocsfClasses } from '../../../src/audit/ocsf-activities.ts';
import { createSender } from '../../../src/dispatch/attempts/sender.ts';
import { newSigningSecret, standardHeaders } from '../../../src/dispatch/signature.ts';
import { pushEvents } from '../../../src/runtime/operators/audit-push.ts';
import {
  everyOwn,
  fill,
  signedScene,
  signLog,
  teamEvents,
  type SignedScene,
} from '../../audit/signed-log.ts';
import { receiver, type Received } from '../../dispatch/receivers.ts';
import { problemsBySchema } from '../../support/json-schema.ts';

/** With the name of the installation, which is the first event. */
const events = 1_300;
const key = newSigningSecret((size) => Buffer.alloc(size, 7));
const installation = '11111111-0000-4000-8000-000000000001';
const form = formatOf('ocsf', { installation, domain: 'localhost' });
let scene: SignedScene;

beforeEach(async () => {
  scene = await signedScene(events - 1);
});
afterEach(async () => {
  await scene.system.close();
  scene.folder.remove();
});

type From = 'now' | 'beginning';

/** One run of the job: until it has nothing left to send, or fails. Before each further look `more` happens. */
async function push(url: string, from: From, more: readonly (() => Promise<void>)[] = [], timeoutMs = 5_000) {
  const sender = createSender({ policy: { allowPrivate: true, ownHosts: [] }, timeoutMs });
  const stopping = new AbortController();
  const left = [...more];
  const wait = async () => {
    const next = left.shift();
    if (next) await next();
    else stopping.abort();
  };
  const progress = { succeeded: () => undefined, failed: () => undefined };
  try {
    await pushEvents(scene.system, { url, key, from }, form, sender, wait)(stopping.signal, progress, 0);
  } finally {
    await sender.close();
  }
}

/** The ids of the events of a request, in order. */
const idsIn = ({ body }: Received): string[] =>
  body
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { metadata: { uid: string } }).metadata.uid);

/** A receiver that keeps what it acknowledges. `status`: of the answer to a request, by its number. */
async function keeping(status: (request: number, received: Received) => number = () => 204) {
  const requests: Received[] = [];
  const taken: string[] = [];
  const to = await receiver((response, received) => {
    requests.push(received);
    response.statusCode = status(requests.length, received);
    if (response.statusCode < 300) taken.push(...idsIn(received));
    response.end();
  });
  return { to, requests, taken };
}

const idsOfLog = async (): Promise<string[]> => (await everyOwn(scene.system)).map(({ id }) => id);

describe('pushing the audit log', () => {
  it('sends every event once and in order, in signed requests of bounded size, and goes on from there', async () => {
    const { to, requests, taken } = await keeping();
    await using _ = to;
    const grow = (team: string) => async () => {
      await fill(scene.system, 5, 1, team);
      await signLog(scene.system, scene.key);
    };
    await push(to.url, 'beginning', [grow('later')]);
    expect(taken).toEqual(await idsOfLog());
    expect(requests.map((each) => idsIn(each).length)).toEqual([500, 500, 300, 5]);
    for (const { headers, body } of requests) {
      expect(headers['content-type']).toBe('application/x-ndjson');
      const id = String(headers['webhook-id']);
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
      expect(headers).toMatchObject(standardHeaders({ secret: key, id, body, at }));
    }
    // A later start, such as on another node, sends nothing again.
    await push(to.url, 'beginning', [grow('much-later')]);
    expect(taken).toEqual(await idsOfLog());
    expect(new Set(taken).size).toBe(taken.length);
  });

  it('sends what is valid by the schema that OCSF publishes', async () => {
    const published = JSON.parse(
      readFileSync(new URL('../../fixtures/ocsf-1.8.0.json', import.meta.url), 'utf8'),
    ) as { readonly $schema: string; readonly $defs: Readonly<Record<string, object>> };
    const problems = new Map(
      Object.entries(ocsfClasses).map(([name, { uid }]) => [
        uid as number,
        problemsBySchema({ $schema: published.$schema, $defs: published.$defs, $ref: `#/$defs/${name}` }),
      ]),
    );
    const { to, requests } = await keeping();
    await using _ = to;
    await push(to.url, 'beginning');
    const lines = requests.flatMap(({ body }) => body.toString().trimEnd().split('\n'));
    expect(lines).toHaveLength(events);
    const found = lines.flatMap((line) => {
      const event = JSON.parse(line) as { readonly class_uid: number };
      return problems.get(event.class_uid)?.(event) ?? [{ class: event.class_uid }];
    });
    expect(found).toEqual([]);
  });

  it('begins with what is recorded from then on, and only with what a checkpoint covers', async () => {
    const { to, taken } = await keeping();
    await using _ = to;
    const unsigned = async () => fill(scene.system, 3, 1, 'later');
    const signed = async () => {
      await signLog(scene.system, scene.key);
    };
    await push(to.url, 'now', [unsigned]);
    expect(taken).toEqual([]);
    await push(to.url, 'now', [signed]);
    expect(taken).toEqual((await idsOfLog()).slice(events));
  });

  it.each([
    ['an error', 500, /the answer was 500/],
    ['a refusal', 403, /the answer was 403/],
    ['a redirect', 302, /the answer was 302/],
  ])('fails on %s, and sends the same again with the same id', async (_what, status, sentence) => {
    const { to, requests, taken } = await keeping((request) => (request === 2 ? status : 200));
    await using _ = to;
    await expect(push(to.url, 'beginning')).rejects.toThrow(sentence);
    expect(taken).toEqual((await idsOfLog()).slice(0, 500));
    await push(to.url, 'beginning');
    expect(taken).toEqual(await idsOfLog());
    expect(requests[2]?.headers['webhook-id']).toBe(requests[1]?.headers['webhook-id']);
    expect(requests[2]?.body.equals(requests[1]?.body ?? Buffer.alloc(0))).toBe(true);
  });

  it('fails when nobody answers in time, and names the host and no secret', async () => {
    await using to = await receiver(() => undefined);
    const failing = push(`${to.url}?token=very-secret`, 'beginning', [], 200);
    const { message } = await failing.then(
      () => new Error('It did not fail.'),
      (error: unknown) => error as Error,
    );
    expect(message).toMatch(
      /^500 events from leaf 0 could not be sent to 127\.0\.0\.1:\d+, which AUDIT_PUSH names: /,
    );
    expect(message).not.toContain('very-secret');
  });

  it('halves the requests of a receiver that finds them too large', async () => {
    const { to, requests, taken } = await keeping((_n, received) =>
      idsIn(received).length > 200 ? 413 : 200,
    );
    await using _ = to;
    await push(to.url, 'beginning');
    expect(taken).toEqual(await idsOfLog());
    expect(requests.slice(0, 3).map((each) => idsIn(each).length)).toEqual([500, 250, 125]);
  });

  it('bounds the bytes of a request, whatever its events have', async () => {
    const large = { note: 'x'.repeat(700_000), scopes: [] };
    for (const n of [1, 2, 3]) {
      const [event] = teamEvents(`large-${String(n)}`, 1, 1);
      if (event)
        await scene.system.store.append(`team-large-${String(n)}`, [{ ...event, data: large }], 'any');
    }
    await signLog(scene.system, scene.key);
    const { to, requests, taken } = await keeping();
    await using _ = to;
    await push(to.url, 'beginning');
    expect(taken).toEqual(await idsOfLog());
    expect(requests.map((each) => idsIn(each).length)).toEqual([500, 500, 301, 1, 1]);
  });

  it('sends nothing behind an event that was changed, and names it', async () => {
    const [, , changed] = await everyOwn(scene.system);
    const file = new DatabaseSync(join(scene.folder.path, 'events.db'));
    for (const { name } of file.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
      file.exec(`DROP TRIGGER ${String(name)}`);
    file.prepare('UPDATE events SET type = ? WHERE position = ?').run('TeamErased', changed?.position ?? 0n);
    file.close();
    const { to, taken } = await keeping();
    await using _ = to;
    await expect(push(to.url, 'beginning')).rejects.toThrow(
      new RegExp(`^The event ${changed?.id ?? ''} .* as leaf 2: it was changed.*Run "commonweal verify"`),
    );
    expect(taken).toEqual([]);
  });

  it('sends everything again when the log does not have the event that was sent last', async () => {
    const { to, taken } = await keeping();
    await using _ = to;
    await push(to.url, 'beginning');
    await scene.system.side
      .table('audit-push')
      .put('pushed', { from: 100, next: 1_200, last: crypto.randomUUID() });
    taken.length = 0;
    await push(to.url, 'beginning');
    expect(taken).toEqual((await idsOfLog()).slice(100));
    // Behind the end of the log.
    await scene.system.side
      .table('audit-push')
      .put('pushed', { from: 0, next: 5_000, last: crypto.randomUUID() });
    taken.length = 0;
    await push(to.url, 'beginning');
    expect(taken).toEqual(await idsOfLog());
  });
});

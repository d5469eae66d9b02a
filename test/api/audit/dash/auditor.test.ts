import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { entryOf, leafHash } from '../../../../src/audit/proof-log/entry.ts';
import { ensureLogKey } from '../../../../src/audit/proof-log/format/log-key.ts';
import { hashBytes, tileWidth } from '../../../../src/audit/proof-log/format/tiles.ts';
import { auditAccessStream } from '../../../../src/events/audit.ts';
import { commandApiKey, createApiKey } from '../../../../src/commands/keys.ts';
import { auditEvents } from '../../../../src/projections/audit.ts';
import { visible } from '../../../../src/projections/engine/read-your-writes.ts';
import { StoreError } from '../../../../src/stores/errors.ts';
import { beginning, type RecordedEvent } from '../../../../src/stores/event-store/port.ts';
import { logName, signLog } from '../../../audit/signed-log.ts';
import { appendImport } from '../../../support/append-import.ts';
import { context, v1 } from '../../harness.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { parseTlogProof, verifyTlogProof } from '../../../support/tlog-proof.ts';

let dash: Dashboard;
let admin: Account;
let auditor: PlainBrowser;
let administrator: PlainBrowser;

beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('quay');
  admin = await dash.account({ profile: { name: 'Ana Diaz' } });
  await dash.member('harbour', admin, 'admin');
  await dash.resources(2);
  await dash.submission('quay');
  auditor = await dash.signedIn(admin);
  administrator = await dash.signedIn(await dash.account({ role: 'administrator' }));
  await indexed();
});
afterAll(() => dash.stop());

const indexed = async () => {
  const { documents, store } = dash.system;
  await visible(documents, [auditEvents.collection.name], await store.head());
};
const audit = (query = '') => `/dash/audit?team=harbour${query}`;
const questions = async () =>
  (await dash.events(`${auditAccessStream.name}-`)).filter(({ type }) => type === 'AuditQueried');
const logged = async (fits: (event: RecordedEvent) => boolean): Promise<RecordedEvent> => {
  const { events } = await dash.system.store.readAll({ after: beginning, limit: 1_000 });
  const found = events.find(fits);
  if (!found) throw new Error('There is no such event.');
  return found;
};

describe('an auditor', () => {
  test('finds who made a leaked key, what it read, when it was revoked, and the proof', async () => {
    const by = { ...context(), actor: { kind: 'user', id: admin.user } as const };
    const wish = { kind: 'team', team: 'harbour', label: 'Leaked', scopes: ['resources:read'] } as const;
    const { key, keyId } = await createApiKey(dash.system, { ...wish, domains: [] }, randomBytes(32), by);
    await dash.caughtUp();
    // A server writes what it has counted when it stops, and every few seconds before.
    const api = await dash.another();
    const read = await api.inject({ url: v1, headers: { authorization: `Bearer ${key ?? ''}` } });
    expect(read.statusCode).toBe(200);
    await api.close();
    const revoking = { ...context(), actor: { kind: 'user', id: admin.user } as const };
    await commandApiKey(
      dash.system.store,
      keyId,
      { kind: 'revoke', reason: 'It was on a web page' },
      revoking,
    );
    await signLog(dash.system, await ensureLogKey(dash.system.vault, logName));
    await indexed();

    // The key is pasted as it was found. Only its id goes into the address and the log.
    await auditor.open(audit(`&${new URLSearchParams({ about: key ?? '' }).toString()}`));
    expect(auditor.status).toBe(200);
    expect(auditor.url.search).toContain(`about=${keyId}`);
    expect(auditor.html).not.toContain(key);
    expect(JSON.stringify(await questions())).not.toContain(key);
    expect(auditor.text).toMatch(/Ana Diaz revoked the key Leaked.*Ana Diaz .*key Leaked/);

    await auditor.follow('Ana Diaz revoked the key Leaked: “It was on a web page”.');
    expect(auditor.heading).toBe('Event');
    expect(auditor.text).toContain('The proof log has this event.');
    const page = auditor.url.pathname + auditor.url.search;
    const tile = /href="(\/audit\/log\/tile\/0\/[^"]+)"/.exec(auditor.html)?.[1] ?? '';
    await auditor.follow('Download the proof');
    expect(auditor.answer.get('content-disposition')).toMatch(
      /^attachment; filename="[0-9a-f-]{36}\.tlog-proof"$/,
    );
    const event = await logged(({ type, stream }) => type === 'ApiKeyRevoked' && stream.endsWith(keyId));
    const { verifier } = await ensureLogKey(dash.system.vault, logName);
    const proof = parseTlogProof(auditor.html);
    expect(verifyTlogProof(proof, leafHash(entryOf(event)), verifier).size).toBeGreaterThan(proof.index);
    const hashes = Buffer.from(await (await fetch(`${dash.origin}${tile}`)).arrayBuffer());
    const at = (proof.index % tileWidth) * hashBytes;
    expect(hashes.subarray(at, at + hashBytes)).toEqual(Buffer.from(leafHash(entryOf(event))));

    await auditor.open(page);
    await auditor.follow('What this key was used for');
    expect(auditor.heading).toBe('What a key was used for');
    expect(auditor.text).toContain('Leaked, revoked.');
    expect(auditor.text).toMatch(/list or search records ?accepted ?1/);
  });

  test('follows all of one request, by its id or that of one of its events', async () => {
    const event = await logged(({ type, data }) => type === 'MemberJoined' && userIn(data) === admin.user);
    const correlation = String(event.metadata['correlation_id']);
    for (const id of [correlation, event.id]) {
      await auditor.open(`/dash/audit/walk/${id}?team=harbour`);
      expect(auditor.status).toBe(200);
      expect(auditor.heading).toBe('What one request did');
      expect(auditor.text).toContain('Asked for directly');
      expect(auditor.text).toContain('Ana Diaz');
    }
    await auditor.open('/dash/audit/walk/00000000-0000-4000-8000-000000000000?team=harbour');
    expect(auditor.status).toBe(404);
  });

  test('sees personal data that the team may see, and that it is erased afterwards', async () => {
    const member = await dash.account({ profile: { name: 'Ben Ode' }, email: 'ben@example.org' });
    await dash.member('harbour', member, 'member');
    const { id } = await logged(({ type, data }) => type === 'MemberJoined' && userIn(data) === member.user);
    await indexed();
    await auditor.open(`/dash/audit/events/${id}?team=harbour`);
    expect(auditor.text).toContain('"email":"ben@example.org"');
    await dash.system.personal.erase(`person/${member.user}`);
    await auditor.open(`/dash/audit/events/${id}?team=harbour`);
    expect(auditor.text).not.toContain('ben@example.org');
    expect(auditor.text).toContain('erased');
  });
});

describe('a search', () => {
  test('shows the events of the team alone, page by page', async () => {
    await dash.resources(60, { team: 'quay' });
    await indexed();
    await administrator.open('/dash/audit?team=quay');
    const first = sentencesOf(administrator);
    expect(first).toHaveLength(50);
    await administrator.follow('Show more');
    const second = sentencesOf(administrator);
    expect(second.length).toBeGreaterThan(10);
    expect(first.filter((each) => second.includes(each))).toEqual([]);
    await auditor.open(audit('&type=TeamCreated'));
    expect(sentencesOf(auditor)).toHaveLength(1);
    expect(auditor.text).not.toContain('quay');
  });

  test('has an import as one line, which opens its records, until each is asked for', async () => {
    const correlation = await appendImport(dash.system.store, { team: 'harbour', records: 510 });
    await indexed();
    await auditor.open(audit());
    expect(auditor.text).not.toContain('Imported');
    expect(auditor.text).toContain('Ana Diaz');
    const line = 'An operator imported from county into the directory of harbour: 510 new.';
    await auditor.follow(line);
    expect(auditor.url.searchParams.get('correlation')).toBe(correlation);
    expect(auditor.text).toContain('Imported 509');
    await auditor.open(audit());
    await auditor.follow('Show each record and webhook');
    expect(auditor.text).toContain('Imported 509');
    // The choice stays on the next page.
    await auditor.follow('Show more');
    expect(auditor.text).toContain('Imported 480');
    await auditor.follow('Show an import as one line');
    expect(auditor.text).not.toContain('Imported');
    // Who asks for one request, or for one type, sees its parts.
    for (const query of [`&correlation=${correlation}`, '&type=ResourceSubmitted']) {
      await auditor.open(audit(query));
      expect(auditor.text, query).toContain('Imported 509');
      expect(auditor.text, query).not.toContain('Show each record');
    }
    // As a tree it is cut, and the list has all.
    await auditor.open(`/dash/audit/walk/${correlation}?team=harbour`);
    expect(auditor.text).not.toContain('Imported 509');
    await auditor.follow('List all of them');
    expect(auditor.text).toContain('Imported 509');
  });

  test('of an administrator without a team is over everything', async () => {
    await administrator.open('/dash/audit?type=TeamCreated');
    expect(administrator.text).toContain('quay');
    expect(administrator.text).toContain('harbour');
  });

  test('takes an email address, and records the id of the person only', async () => {
    await auditor.open(audit(`&about=${encodeURIComponent(admin.email)}`));
    expect(auditor.status).toBe(200);
    const newest = (await questions()).at(-1);
    expect(newest?.data['filter']).toEqual({ subject: `person:${admin.user}`, team: 'harbour' });
    // Of somebody elsewhere, a team does not even learn that there is an account.
    const stranger = await dash.account();
    await auditor.open(audit(`&about=${encodeURIComponent(stranger.email)}`));
    expect(auditor.problem('about')).toBe('You can see nobody with this email address.');
  });

  test.each([
    ['about=no+such+thing', 'about'],
    ['by=r_0123456789abcdef', 'by'],
    ['stream=nothing', 'stream'],
    ['from=2999-01-01T00:00', 'from'],
    ['from=2026-02-01T00:00&until=2026-01-01T00:00', 'until'],
    ['correlation=x', 'correlation'],
  ])('that cannot be answered says why beside the field: %s', async (query, name) => {
    await auditor.open(audit(`&${query}`));
    expect(auditor.status).toBe(400);
    expect(auditor.problem(name)).toBeTruthy();
    for (const value of new URLSearchParams(query).values())
      expect(auditor.html).toContain(`value="${value}"`);
  });

  test('shows nothing when it cannot be recorded', async () => {
    const { store } = dash.system;
    const append = store.append.bind(store);
    store.append = (stream, ...rest) =>
      stream.startsWith(auditAccessStream.name)
        ? Promise.reject(new StoreError('unavailable', 'The disk is away.'))
        : append(stream, ...rest);
    try {
      for (const path of [audit(), '/dash/audit/walk/00000000-0000-4000-8000-000000000000?team=harbour']) {
        await auditor.open(path);
        expect(auditor.status).toBe(503);
        expect(auditor.text).not.toContain('Ana Diaz');
      }
    } finally {
      store.append = append;
    }
  });
});

describe('others', () => {
  test('do not see the audit log of a team, nor an event of it', async () => {
    const member = await dash.account();
    await dash.member('harbour', member, 'reviewer');
    const reviewer = await dash.signedIn(member);
    const quay = await logged(({ type, stream }) => type === 'TeamCreated' && stream === 'team-quay');
    const walk = String(quay.metadata['correlation_id']);
    for (const path of [audit(), `/dash/audit/events/${quay.id}?team=harbour`, '/dash/audit']) {
      await reviewer.open(path);
      expect([path, reviewer.status]).toEqual([path, 404]);
    }
    for (const path of [`/dash/audit/events/${quay.id}`, `/dash/audit/walk/${walk}`, '/dash/audit'])
      for (const team of ['harbour', 'quay']) {
        if (path === '/dash/audit' && team === 'harbour') continue;
        await auditor.open(`${path}?team=${team}`);
        expect([path, team, auditor.status]).toEqual([path, team, 404]);
      }
    await auditor.open('/dash/audit');
    expect(auditor.team).toBe('harbour');
  });

  test('with hostile names do no harm', async () => {
    const name = `<script>alert(1)</script> "><b>${'x'.repeat(60)}`;
    const hostile = await dash.account({ profile: { name } });
    await dash.member('harbour', hostile, 'member');
    await indexed();
    await auditor.open(audit(`&about=person:${hostile.user}`));
    expect(auditor.html).not.toContain('<script>alert');
    expect(auditor.text).toContain('<script>alert(1)</script>');
  });
});

const userIn = (data: unknown) => (data as { readonly user?: string }).user;
const sentencesOf = ({ html }: PlainBrowser): string[] =>
  [...html.matchAll(/href="[^"]*\/audit\/events\/([0-9a-f-]+)/g)].map(([, id = '']) => id);

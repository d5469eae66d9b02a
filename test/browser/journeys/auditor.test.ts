import { readFileSync } from 'node:fs';
import type { Download } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { entryOf, leafHash } from '../../../src/audit/proof-log/entry.ts';
import { ensureLogKey } from '../../../src/audit/proof-log/format/log-key.ts';
import { parseVkey } from '../../../src/audit/proof-log/format/note.ts';
import { auditEvents } from '../../../src/projections/audit.ts';
import { visible } from '../../../src/projections/engine/read-your-writes.ts';
import { everyOwn, logName, signLog } from '../../audit/signed-log.ts';
import { v1 } from '../../api/harness.ts';
import { appendImport } from '../../support/append-import.ts';
import { hasChromium } from '../chromium.ts';
import { screens, startService, visit, type Visitor } from './journey.ts';
import { parseTlogProof, verifyTlogProof } from '../../support/tlog-proof.ts';

/** So that times differ by minutes, as a form asks for them. */
let passed = 0;
const minutes = (count: number) => count * 60_000;

describe.skipIf(!hasChromium)('in a real browser, an auditor', () => {
  const service = startService({ now: () => new Date(Date.now() + passed) });

  test.each(screens)(
    'follows a leaked key from the search to the proof, on %s screen',
    { timeout: 120_000 },
    async (_, screen) => {
      const { dash } = service;
      const { system } = dash;
      const team = `archive-${screen.width}`;
      await dash.team(team);
      await dash.resources(2);
      const maker = await dash.account({ profile: { name: 'Mara Maker' } });
      await dash.member(team, maker, 'admin');
      const auditing = await dash.account({ profile: { name: 'Ana Auditor' } });
      await dash.member(team, auditing, 'admin');

      const mara = await visit(service, screen);
      await mara.signIn(maker);
      await mara.goTo('API keys');
      await mara.fill(/^Label/, 'Kiosk');
      await mara.press('Create');
      const secret = mara.page.getByRole('region', { name: 'Your new key' });
      const key = (await secret.locator('code').textContent()) ?? '';
      const keyId = key.split('_')[2]?.slice(0, 12) ?? '';
      const use = async () =>
        (await fetch(dash.origin + v1, { headers: { authorization: `Bearer ${key}` } })).status;
      passed += minutes(5);
      expect([await use(), await use()]).toEqual([200, 200]);
      const inUse = new Date(Date.now() + passed).toISOString().slice(0, 16);
      passed += minutes(5);
      await mara.goTo('API keys');
      await mara.confirm('Revoke');
      await mara.sees('The key is revoked.');
      expect(await use()).toBe(401);
      await mara.leave();
      passed += minutes(5);
      const logKey = await ensureLogKey(system.vault, logName);
      await signLog(system, logKey);
      const settled = async () =>
        visible(system.documents, [auditEvents.collection.name], await system.store.head());
      await settled();

      const auditor = await visit(service, screen);
      const { page } = auditor;
      await auditor.signIn(auditing);
      await auditor.goTo('Audit log');
      await auditor.looksRight('audit');
      // The key is pasted as it was found. Only its id goes on.
      await page.locator('summary', { hasText: 'Exact search' }).click();
      await auditor.fill(/^About/, key);
      await auditor.press('Find');
      await auditor.sees('Mara Maker revoked the key Kiosk');
      expect(page.url()).toContain(`about=${keyId}`);
      expect(page.url()).not.toContain(key.slice(-8));
      expect(await page.content()).not.toContain(key);
      await auditor.looksRight('audit-of-key');

      await auditor.follow(/^Mara Maker .*key Kiosk.*$/);
      await auditor.heading('Event');
      await auditor.follow('What this key was used for');
      await auditor.sees('list or search records');
      await page.getByRole('img', { name: /^Requests per day, most/ }).waitFor();
      await auditor.sees('revoked.');
      await auditor.looksRight('audit-key-use');
      await auditor.follow('Events about this key');
      await auditor.follow(/^Mara Maker revoked the key Kiosk/);
      await auditor.sees('The proof log has this event.');
      await auditor.looksRight('audit-event');
      const [, eventId = ''] = /events\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
      const proof = parseTlogProof(await downloaded(auditor, () => auditor.follow('Download the proof')));
      await auditor.follow('All of the same request');
      await auditor.heading('What one request did');
      await auditor.sees('Asked for directly');
      await auditor.sees('Mara Maker revoked the key Kiosk');
      await auditor.looksRight('audit-walk');
      await auditor.follow('Back to the audit log');

      await auditor.follow('Export and proof');
      const vkey = (await page.locator('.copy code').textContent()) ?? '';
      await auditor.looksRight('audit-exports');
      const recorded = (await everyOwn(system)).find(({ id }) => id === eventId);
      if (!recorded) throw new Error('There is no such event.');
      const leaf = leafHash(entryOf(recorded));
      const { size } = verifyTlogProof(proof, leaf, parseVkey(vkey));
      expect(size).toBeGreaterThan(proof.index);
      const altered = leafHash(entryOf({ ...recorded, data: { ...(recorded.data as object), reason: 'x' } }));
      expect(() => verifyTlogProof(proof, altered, parseVkey(vkey))).toThrow();
      await auditor.fill(/^About/, keyId);
      const lines = await downloaded(auditor, () => auditor.press('Download'));
      const types = lines
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type);
      expect(types).toEqual(['ApiKeyCreated', 'ApiKeyRevoked']);

      await auditor.follow('As of a time');
      await auditor.choose('What', 'Keys that worked');
      await auditor.fill(/^Date and time/, inUse);
      await auditor.press('Answer');
      await auditor.sees('Kiosk');
      await auditor.looksRight('audit-as-of');
      const now = new Date(Date.now() + passed).toISOString().slice(0, 16);
      await auditor.fill(/^Date and time/, now);
      await auditor.press('Answer');
      await auditor.sees('There was nothing then.');
      await auditor.looksRight('audit-as-of-now');
      await auditor.leave();
    },
  );

  test.each(screens)(
    'opens the records of an import from its one line, on %s screen',
    { timeout: 120_000 },
    async (_, screen) => {
      const { system } = service.dash;
      const team = `monthly-${screen.width}`;
      await service.dash.team(team);
      const steward = await service.dash.account({ profile: { name: 'Stella Steward' } });
      await service.dash.member(team, steward, 'admin');
      const actor = { kind: 'user', id: steward.user } as const;
      await appendImport(system.store, { team, records: 60, source: '211 Miami', actor });
      await appendImport(system.store, { team, records: 3, source: 'Harbor County', actor, ended: false });
      await visible(system.documents, [auditEvents.collection.name], await system.store.head());

      const visitor = await visit(service, screen);
      const { page } = visitor;
      await visitor.signIn(steward);
      const imported = `Stella Steward imported from 211 Miami into the directory of ${team}: 60 new.`;
      await visitor.sees('which has not ended.');
      expect(await page.getByText('Imported 2').count()).toBe(0);
      await visitor.looksRight('home-with-import');
      await visitor.follow(imported);
      await visitor.heading('Audit log');
      await visitor.sees('Stella Steward approved Imported 59');
      await visitor.looksRight('audit-of-import');
      await visitor.goTo('Audit log');
      await visitor.sees(imported);
      expect(await page.getByText('Imported 59').count()).toBe(0);
      await visitor.looksRight('audit-with-import');
      await visitor.follow('Show each record and webhook');
      await visitor.sees('Stella Steward approved Imported 2');
      await visitor.leave();
    },
  );
});

async function downloaded({ page }: Visitor, start: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()]);
  return readFileSync(await (download satisfies Download).path(), 'utf8');
}

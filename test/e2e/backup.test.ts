import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import type { Manifest } from '../../src/backup/manifest.ts';
import { streamId } from '../../src/events/define.ts';
import { deliveryStream } from '../../src/events/webhooks/webhook.ts';
import { dropDatabase, isEmbedded, keepsViewsInFolder, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { OperatedInstallation, startHook, type Hook } from '../support/installation.ts';
import { tokensFrom } from '../support/site-tokens.ts';
import { until } from '../support/until.ts';

const email = 'ada@example.org';
const password = 'seven quiet herons wading';

let folder: ReturnType<typeof temporaryFolder>;
let hook: Hook;

beforeEach(async () => {
  folder = temporaryFolder();
  hook = await startHook();
});
afterEach(async () => {
  await hook[Symbol.asyncDispose]();
  for (const name of ['data', 'new']) await dropDatabase(join(folder.path, name));
  folder.remove();
});

/** With read models in the folder and the log on a server, the parts of a restore are those of the other two. */
describe.skipIf(missing ?? (!isEmbedded && keepsViewsInFolder))(
  onEngines('a backup under load, and a restore where nothing is left'),
  () => {
    it('brings back log, sign-ins, tokens, keys and pending webhooks, and repeats nothing', async () => {
      const settings = {
        PORT: String(await freePort()),
        ADMIN_EMAIL: email,
        ADMIN_PASSWORD: password,
        RATE_LIMIT_PER_MINUTE: '1000000',
        // On a disk that is not lost.
        ERASURE_LEDGER: join(folder.path, 'erasures.log'),
      };
      const data = join(folder.path, 'data');
      const before = new OperatedInstallation(data, settings);
      let serving = await before.serve();
      const { origin } = serving;
      await before.subscribe('harbour', hook.url);
      const { key } = await before.answerTo<{ key: string }>(
        ...['keys', 'create', '--kind', 'developer', '--scopes', 'resources:read,resources:submit'],
      );
      const browser = await new PlainBrowser(origin).open('/dash/sign-in');
      await browser.press('Sign in', { email, password });
      const tokens = await tokensFrom(origin, data);
      await before.approve('harbour', 'Pantry', 'Kitchen');
      await until(() => hook.acknowledged.size === 2);
      await until(async () => (await deliveriesWith('DeliverySucceeded', before)).size === 2);
      hook.refuse(true);
      await before.approve('harbour', 'Shelter');
      await until(() => hook.refused() > 0);

      const load = submissions(origin, key);
      await until(() => load.count() > 20);
      const backup = join(folder.path, 'backup');
      const manifest = await before.answerTo<Manifest>('backup', backup);
      const atBackup = load.count();
      await until(() => load.count() > atBackup + 20);
      await load.stop();
      expect(load.failed()).toEqual([]);
      const later = await tokens.refresh();
      await serving.stop();

      // Everything is lost but the backup and, in another place, the master key.
      const place = join(folder.path, 'new');
      mkdirSync(place);
      if (isEmbedded) copyFileSync(join(data, 'master.key'), join(place, 'master.key'));
      await dropDatabase(data);
      rmSync(data, { recursive: true });
      const after = new OperatedInstallation(place, settings);
      const restored = await after.answerTo<Manifest>('restore', backup);
      expect(restored.log).toEqual(manifest.log);
      const done = await deliveriesWith('DeliverySucceeded', after);
      expect(done.size).toBe(2);
      // The third is pending in the backup, and not given up, or it would never come.
      expect(await deliveriesWith('DeliveryFailed', after)).toEqual(new Set());
      const times = () => [...hook.acknowledged].filter(([id]) => done.has(id)).map(([, each]) => each.times);
      expect(times()).toEqual([1, 1]);

      hook.refuse(false);
      serving = await after.serve();
      await until(() => [...hook.acknowledged.values()].some(({ name }) => name === 'Shelter'));
      await until(async () => (await deliveriesWith('DeliverySucceeded', after)).size === 3);
      expect(times()).toEqual([1, 1]);

      // The session, the password, the key and the tokens of before; what came after the backup never was.
      await browser.open('/dash');
      expect(browser.heading).toBe('Home');
      const again = await new PlainBrowser(origin).open('/dash/sign-in');
      await again.press('Sign in', { email, password });
      expect(again.heading).toBe('Home');
      const list = await fetch(`${origin}/dash/api/v1/resources`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(list.status).toBe(200);
      const userinfo = (token: string) =>
        fetch(`${origin}/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } });
      expect((await userinfo(tokens.accessToken)).status).toBe(200);
      expect((await userinfo(later.accessToken)).status).toBe(401);
      await expect(later.refresh()).rejects.toThrow(/invalid_grant/);
      expect((await userinfo((await tokens.refresh()).accessToken)).status).toBe(200);

      const digest = await after.answerTo<Manifest>('backup', join(folder.path, 'after'));
      expect(digest.log.events).toBeGreaterThan(manifest.log.events);
      await serving.stop();
    }, 180_000);
  },
);

/** The deliveries of which the log has an event of this type. */
async function deliveriesWith(
  type: 'DeliverySucceeded' | 'DeliveryFailed',
  installation: OperatedInstallation,
): Promise<ReadonlySet<string>> {
  const events = await installation.events();
  return new Set(
    events.filter((event) => event.type === type).map((event) => streamId(event, deliveryStream)),
  );
}

/** Submits one resource after another until it is stopped. */
function submissions(origin: string, key: string) {
  const stop = new AbortController();
  const failed: string[] = [];
  let count = 0;
  const run = async () => {
    while (!stop.signal.aborted) {
      const answer = await fetch(`${origin}/dash/api/v1/resources`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: `Under load ${count}`, category: 'food' }),
      });
      if (!answer.ok) failed.push(`${answer.status} ${await answer.text()}`);
      count += 1;
    }
  };
  const running = [run(), run()];
  return {
    count: () => count,
    failed: () => failed,
    stop: async () => {
      stop.abort();
      await Promise.all(running);
    },
  };
}

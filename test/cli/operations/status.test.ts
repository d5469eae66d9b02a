import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { fanOutGroup } from '../../../src/dispatch/fan-out.ts';
import { announcedTypes } from '../../../src/dispatch/payload-of-event.ts';
import { ensureInstallationId } from '../../../src/commands/installation.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { EmbeddedEventStore } from '../../../src/stores/event-store/embedded/store.ts';
import { hurriedReconciler } from '../../contract/consumer-groups.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';

test('status tells how far the reconciler of the fan-out is, and what it repaired', async () => {
  const folder = temporaryFolder();
  const system = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const installation = await ensureInstallationId(system.wholeLog, system.vault);
  await system.close();
  const store = new EmbeddedEventStore({ directory: folder.path, reconciler: hurriedReconciler });
  const approved = (at: Date) => ({
    id: randomUUID(),
    type: 'ResourceApproved',
    data: {},
    metadata: { commonweal_schema: 1, installation, at: at.toISOString() },
  });
  const { position } = await store.append('resource-r_1', [approved(new Date())], 'no_stream');
  const stop = new AbortController();
  const consuming = store.consume(fanOutGroup, {
    filter: { types: announcedTypes },
    signal: stop.signal,
    handle: async (consumed) => consumed.map(() => ({ kind: 'ack' })),
  });
  await until(async () => (await store.consumerGroup(fanOutGroup))?.checkpoint === position);
  stop.abort();
  await consuming;
  await store.append('resource-r_2', [approved(new Date(Date.now() - 3_600_000))], 'no_stream');
  await store.close();

  const { stdout: json } = await runCommandLine(['status', '--json'], folder.path);
  const { webhooks } = JSON.parse(json) as { webhooks: { reconciler: { lag: { seconds: number } } } };
  expect(webhooks.reconciler).toMatchObject({
    checkpoint: position.toString(),
    lag: { events: 1 },
    repaired: 0,
    repaired_at: null,
  });
  expect(webhooks.reconciler.lag.seconds).toBeGreaterThanOrEqual(3_600);
  const { stdout } = await runCommandLine(['status'], folder.path);
  expect(stdout).toMatch(
    new RegExp(`Fan-out reconciler: checkpoint ${position}, 1 event, 36\\d\\d s behind; 0 events repaired`),
  );
  folder.remove();
});

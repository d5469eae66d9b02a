import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { replaceProofLog } from '../../src/audit/proof-log/replace-log.ts';
import { sealNewest } from '../../src/audit/proof-log/sealed-tree.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { projections } from '../../src/projections/all.ts';
import { Health } from '../../src/runtime/health.ts';
import { signProofLog } from '../../src/runtime/proof-log.ts';
import { gatherStatus } from '../../src/status/status.ts';
import { altered } from '../support/altered.ts';
import { engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

test.skipIf(missing)(
  onEngines('health and status tell that no signer works, until one has signed'),
  async () => {
    const folder = temporaryFolder();
    const config = readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) });
    const system = await openSystem(config);
    onTestFinished(async () => {
      await system.close();
      folder.remove();
    });
    const progress = { succeeded: () => undefined, failed: (error: unknown) => expect.fail(String(error)) };
    const proofLog = async () => (await gatherStatus(system)).proof_log;
    /** As the signer does, until everything is signed. */
    const sign = async (epoch: number) => {
      const stopping = new AbortController();
      const signing = signProofLog(system, { everyMs: 100 })(stopping.signal, progress, epoch);
      await until(async () => {
        const { signed_at, waiting } = await proofLog();
        return signed_at !== null && waiting === 0;
      });
      stopping.abort();
      await signing;
    };
    const late = async () => {
      const problems = await new Health({ system, projections, say: () => undefined }).troubles();
      return problems.filter(({ id }) => id === 'proof log late');
    };

    await system.installation.ensureId();
    await sign(1);
    const { entries } = await proofLog();
    expect(await late()).toEqual([]);

    await system.store.append('team-commons', [anEventTwoHoursAgo()], 'no_stream');
    const sentence = expect.stringMatching(/waited for more than an hour/) as string;
    expect(await late()).toMatchObject([{ id: 'proof log late', sentence, stopsChanges: false }]);
    const unsigned = await proofLog();
    expect(unsigned).toMatchObject({ entries, waiting: 1 });
    expect(unsigned.waiting_seconds).toBeGreaterThanOrEqual(7_200);

    await sign(2);
    expect(await late()).toEqual([]);
    expect(await proofLog()).toMatchObject({ entries: entries + 1, waiting: 0, waiting_seconds: 0 });
  },
);

test.skipIf(missing)(
  onEngines('a proof log that is lost is not signed anew, until an operator accepts a new one'),
  async () => {
    const folder = temporaryFolder();
    const config = readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) });
    const system = await openSystem(config);
    const lost = await openSystem(readConfig({ DATA_DIR: join(folder.path, 'lost') }));
    onTestFinished(async () => {
      await Promise.all([system.close(), lost.close()]);
      folder.remove();
    });
    /** Signs with this proof log until everything is signed once. */
    const sign = async (proofLog: typeof system.proofLog) => {
      const stopping = new AbortController();
      const progress = {
        succeeded: () => stopping.abort(),
        failed: (error: unknown) => expect.fail(String(error)),
      };
      await signProofLog({ ...system, proofLog }, { everyMs: 100 })(stopping.signal, progress, 1);
    };
    await system.installation.ensureId();
    await sign(system.proofLog);
    const first = await system.proofLog.newest();
    await system.store.append('team-commons', [anEventTwoHoursAgo()], 'no_stream');
    await sign(system.proofLog);
    const cutBack = altered(system.proofLog, { newest: async () => first });
    await expect(sign(cutBack)).rejects.toThrow('The proof log was cut back');
    // Killed between the checkpoint and the vault: it is brought forward.
    await sealNewest({ vault: system.vault, proofLog: cutBack });
    await sign(system.proofLog);
    await expect(sign(cutBack)).rejects.toThrow('The proof log was cut back');

    // What is left when log.db, or its collections, are deleted: the key and everything else, and an empty proof log.
    await expect(sign(lost.proofLog)).rejects.toThrow('The proof log is lost');
    expect(await lost.proofLog.newest()).toBeUndefined();
    const replacing = {
      actor: { kind: 'system', id: 'cli' },
      now: () => new Date(),
      epoch: 1,
      baseUrl: undefined,
      isBehind: false,
    } as const;
    await expect(replaceProofLog(system, replacing)).rejects.toThrow('it is not lost');

    const signed = await system.proofLog.newest();
    const ended = await replaceProofLog({ ...system, proofLog: lost.proofLog }, replacing);
    expect(ended).toMatchObject({ size: signed?.size, reason: 'replaced' });
    expect((await lost.proofLog.newest())?.note.split('\n')[0]).toBe(ended.successor);
    await sign(lost.proofLog);
    expect((await lost.proofLog.newest())?.size).toBe(3);
  },
);

const anEventTwoHoursAgo = () => ({
  id: randomUUID(),
  type: 'TeamCreated',
  data: { name: 'Commons' },
  metadata: { commonweal_schema: 1, at: new Date(Date.now() - 2 * 3_600_000).toISOString() },
});

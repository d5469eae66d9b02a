import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newLogName } from '../../../src/audit/proof-log/new-log.ts';
import { replaceProofLog } from '../../../src/audit/proof-log/replace-log.ts';
import { logKey, logKeyEntry } from '../../../src/audit/proof-log/format/log-key.ts';
import { contradictionOf, sealNewest } from '../../../src/audit/proof-log/sealed-tree.ts';
import { verifyStore } from '../../../src/audit/verify/verify-store.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem, type System } from '../../../src/container.ts';
import { signProofLog } from '../../../src/runtime/proof-log.ts';
import { signedScene, type SignedScene } from '../signed-log.ts';

const actor = { kind: 'system', id: 'cli' } as const;
const progress = { succeeded: () => undefined, failed: () => undefined };
const replacing = { actor, now: () => new Date(), epoch: 2, baseUrl: undefined, isBehind: true } as const;

/** Opens the stores of a scene once more, as the next process does. */
const reopen = ({ folder }: SignedScene): Promise<System> =>
  openSystem(readConfig({ DATA_DIR: folder.path }));

/** A process that dies at its n-th write. */
class Death extends Error {}
function dyingAt(system: System, n: number): System {
  let left = n;
  const dying = <Store extends object>(store: Store, writes: readonly string[]): Store =>
    new Proxy(store, {
      get(target, name) {
        const member = Reflect.get(target, name) as unknown;
        if (typeof member !== 'function') return member;
        return (...parts: unknown[]): unknown => {
          if (writes.includes(String(name)) && (left -= 1) < 0) throw new Death();
          const result = Reflect.apply(member, target, parts) as unknown;
          return name === 'log' ? dying(result as object, writes) : result;
        };
      },
    });
  return {
    ...system,
    vault: dying(system.vault, ['put', 'putIfAbsent', 'delete']),
    proofLog: dying(system.proofLog, ['end', 'add', 'putTiles', 'putBundles']),
    store: dying(system.store, ['append']),
  };
}

let scene: SignedScene;
beforeEach(async () => {
  scene = await signedScene(30);
  await scene.system.installation.ensureId();
  await sealNewest(scene.system);
});
afterEach(async () => {
  await scene.system.close();
  scene.folder.remove();
});

/** A server that starts and stops: it completes what was begun, and signs. */
async function serveOnce(system: System, epoch = 3): Promise<void> {
  const stopping = new AbortController();
  const wait = async () => {
    stopping.abort();
  };
  await signProofLog(system, { everyMs: 0, wait })(stopping.signal, progress, epoch);
}

describe('a new log', () => {
  it('has a name that no log has had, which grows no longer', () => {
    const at = new Date('2026-03-04T05:06:07Z');
    const second = newLogName('directory.example/audit/log', at);
    expect(second).toMatch(/^directory\.example\/audit\/log\/20260304-[0-9a-f]{8}$/);
    expect(newLogName(second, at)).toMatch(/^directory\.example\/audit\/log\/20260304-[0-9a-f]{8}$/);
    expect(newLogName(second, at)).not.toBe(second);
  });

  it('has another vkey under the same key, and signs all events from the first', async () => {
    const { system, key } = scene;
    const before = await system.proofLog.newest();
    const ended = await replaceProofLog(system, replacing);
    expect(ended).toMatchObject({
      origin: key.name,
      vkey: key.vkey,
      size: before?.size,
      checkpoint: before?.note,
    });
    const now = await logKey(system.vault);
    expect(now?.name).toBe(ended.successor);
    expect(now?.vkey).not.toBe(key.vkey);
    expect(now?.vkey.split('+').slice(2)).toEqual(key.vkey.split('+').slice(2));
    await serveOnce(system);
    const { findings, unsigned } = await verifyStore({ ...system, verifier: now?.verifier ?? key.verifier });
    expect([findings, unsigned]).toEqual([[], 0]);
    expect(await system.proofLog.log(0).newest()).toEqual(before);
  });

  it('is begun or not, wherever the process dies, once a server has started again', async () => {
    const { system, key } = scene;
    const before = await system.proofLog.newest();
    await system.close();
    const outcomes = new Set<string>();
    for (let writes = 0; ; writes += 1) {
      const dying = await reopen(scene);
      const former = (await logKey(dying.vault))?.name;
      const [many, events] = [(await dying.proofLog.ended()).length, await begunIn(dying)];
      const died = await replaceProofLog(dyingAt(dying, writes), {
        ...replacing,
        epoch: 2 + 2 * writes,
      }).then(
        () => false,
        (error: unknown) => {
          if (error instanceof Death) return true;
          throw error;
        },
      );
      await dying.close();
      const next = await reopen(scene);
      await serveOnce(next, 3 + 2 * writes);
      const name = (await logKey(next.vault))?.name;
      const begun = name !== former;
      expect((await next.proofLog.ended()).length).toBe(many + (begun ? 1 : 0));
      expect(await begunIn(next)).toBe(events + (begun ? 1 : 0));
      expect((await next.proofLog.newest())?.note.split('\n')[0]).toBe(name);
      expect(await contradictionOf(next)).toBeUndefined();
      const verifier = (await logKey(next.vault))?.verifier ?? key.verifier;
      expect((await verifyStore({ ...next, verifier })).findings).toEqual([]);
      expect(await next.vault.names('proof-log/new/')).toEqual([]);
      expect(await next.proofLog.log(0).newest()).toEqual(before);
      outcomes.add(begun ? 'begun' : 'not begun');
      await next.close();
      if (!died) break;
      expect(writes).toBeLessThan(40);
    }
    scene = { ...scene, system: await reopen(scene) };
    expect([...outcomes].sort()).toEqual(['begun', 'not begun']);
  });

  it('is none where the log goes on, and is one where the events are not those that were signed', async () => {
    const { system } = scene;
    await expect(replaceProofLog(system, { ...replacing, isBehind: false })).rejects.toThrow('add --behind');
    const tiles = await system.proofLog.tiles([{ level: 0, index: 0 }]);
    const changed = { ...system, proofLog: withTile(system.proofLog, Buffer.alloc(tiles[0]?.length ?? 0)) };
    const ended = await replaceProofLog(changed, { ...replacing, isBehind: false });
    expect(ended.reason).toBe('replaced');
  });

  it('goes on under a key that was lost with the vault', async () => {
    const { system } = scene;
    await system.vault.delete(logKeyEntry);
    const ended = await replaceProofLog(system, { ...replacing, baseUrl: 'https://directory.example.org' });
    expect(ended).toMatchObject({ origin: 'directory.example.org/audit/log' });
    expect((await logKey(system.vault))?.name).toBe(ended.successor);
  });
});

/** The proof log with another first tile than was signed. */
function withTile(proofLog: System['proofLog'], first: Buffer): System['proofLog'] {
  return new Proxy(proofLog, {
    get(target, name) {
      if (name === 'tiles' && first.length > 0) return () => Promise.resolve([first]);
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

const begunIn = async ({ store }: System): Promise<number> =>
  (await store.readAll({ after: -1n, limit: 1_000 })).events.filter(({ type }) => type === 'ProofLogBegun')
    .length;

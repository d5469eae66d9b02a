import { afterEach, describe, expect, it } from 'vitest';
import { verifyStore } from '../../../src/audit/verify/verify-store.ts';
import { ensureLogKey, logKeyEntry } from '../../../src/audit/proof-log/format/log-key.ts';
import {
  everyOwn,
  fill,
  logName,
  metadataAt,
  openLog,
  signedScene,
  signLog,
  type SignedScene,
} from '../signed-log.ts';

const scenes: SignedScene[] = [];
afterEach(async () => {
  for (const { system, folder } of scenes.splice(0)) {
    await system.close();
    folder.remove();
  }
});
const scene = async (count: number) => {
  const made = await signedScene(count);
  scenes.push(made);
  return made;
};
const verified = ({ system, key }: SignedScene) => verifyStore({ ...system, verifier: key.verifier });

describe('a running store', () => {
  it('verifies as it was signed', async () => {
    const made = await scene(700);
    const result = await verified(made);
    expect(result).toMatchObject({
      events: 701,
      checkpoints: 3,
      unsigned: 0,
      foreign: 0,
      findings: [],
      more: false,
    });
    expect(result.newest?.size).toBe(701);
  });

  it('may have events that the signer has not reached yet', async () => {
    const made = await scene(300);
    await fill(made.system, 20, 1);
    expect(await verified(made)).toMatchObject({ findings: [], unsigned: 20 });
  });

  it('verifies with an event that is too large for an entry', async () => {
    const made = await scene(10);
    const large = { team: 'large', name: 'x'.repeat(70_000) };
    const event = {
      id: crypto.randomUUID(),
      type: 'TeamCreated',
      data: large,
      metadata: metadataAt('2026-01-01T00:00:00.000Z'),
    };
    await made.system.store.append('team-large', [event], 'no_stream');
    await signLog(made.system, made.key);
    expect(await verified(made)).toMatchObject({ findings: [], unsigned: 0, events: 12 });
  });

  it('is empty, or lost when its key is there and no checkpoint', async () => {
    const made = await openLog();
    scenes.push(made);
    expect(await verified(made)).toMatchObject({ events: 0, findings: [] });
    await fill(made.system, 3);
    const { findings } = await verified(made);
    expect(findings.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(
        /^The proof log is lost: it has a key, and no checkpoint, so none of the 4 events can be verified\. Restore it/,
      ),
    ]);
  });

  it('of others in the same log are no leaves', async () => {
    const made = await scene(10);
    const stranger = { id: crypto.randomUUID(), type: 'Ordered', data: {}, metadata: {} };
    await made.system.wholeLog.append('order-1', [stranger], 'no_stream');
    await fill(made.system, 5, 1);
    await signLog(made.system, made.key);
    expect(await verified(made)).toMatchObject({ foreign: 1, findings: [], unsigned: 0, events: 16 });
  });

  it('is not trusted with a checkpoint that a stranger has signed', async () => {
    const made = await scene(300);
    const other = await openLog();
    scenes.push(other);
    await fill(made.system, 1, 1);
    await signLog(made.system, other.key);
    const { findings, newest } = await verified(made);
    expect(newest?.size).toBe(301);
    expect(findings).toHaveLength(1);
    expect(findings[0]?.sentence).toMatch(
      /^The checkpoint of 302 entries is not valid\. The note is signed by/,
    );
  });

  it('verifies up to where a lost key had signed, by the key that continues it, and names a change before that', async () => {
    const made = await scene(300);
    await made.system.vault.delete(logKeyEntry);
    const key = await ensureLogKey(made.system.vault, logName, made.system.proofLog);
    await fill(made.system, 5, 1);
    const verify = () => verifyStore({ ...made.system, verifier: key.verifier, continues: key.continues });
    expect(await verify()).toMatchObject({ findings: [], newest: { size: 301 }, unsigned: 5 });
    await signLog(made.system, key);
    expect(await verify()).toMatchObject({ findings: [], newest: { size: 306 }, unsigned: 0 });
    const { findings } = await verifyStore({ ...made.system, verifier: key.verifier });
    expect(findings[0]?.sentence).toMatch(/is not valid\. The note is signed by/);
    const other = await scene(300);
    expect(
      (
        await verifyStore({
          ...made.system,
          store: other.system.store,
          verifier: key.verifier,
          continues: key.continues,
        })
      ).findings[0],
    ).toMatchObject({ kind: 'changed', leaf: 0 });
  });

  it('is not verified by the checkpoints of another log', async () => {
    const made = await scene(300);
    const other = await scene(310);
    const { findings, more } = await verifyStore({
      ...made.system,
      proofLog: other.system.proofLog,
      verifier: other.key.verifier,
    });
    expect(findings.length).toBeGreaterThan(100);
    expect(more).toBe(true);
    expect(findings[0]).toMatchObject({ kind: 'changed', leaf: 0 });
  });

  it('reports a page of events to its caller', async () => {
    const made = await scene(300);
    const seen: number[] = [];
    await verifyStore({
      ...made.system,
      verifier: made.key.verifier,
      onProgress: (events) => seen.push(events),
    });
    expect(seen.at(-1)).toBe((await everyOwn(made.system)).length);
  });
});

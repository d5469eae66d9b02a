import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectingLease } from '../../../src/projections/engine/projector-takeover.ts';
import { teams } from '../../../src/projections/teams.ts';
import { NodeRegistry } from '../../../src/stores/leases/node-registry.ts';
import { StoreError } from '../../../src/stores/errors.ts';
import type { EventBatch, SubscribeOptions } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { all } from '../../support/fold.ts';
import { caughtUp, documentsOf } from '../../support/projector.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import type { DataFolder, Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';
import { any, justTeams, teamsIn, teamsThat } from './teams-under-test.ts';

let folder: DataFolder;
let stores: Stores;
const start = projectorsInAFolder((opened) => ({ folder, stores } = opened));
const { createTeam, failureOf } = teamsIn(() => stores);

describe('of two projectors', () => {
  it('one works and the other takes over when it stops', async () => {
    const workers: string[] = [];
    const by = (worker: string) => [teamsThat({ fold: (doc) => (workers.push(worker), doc) })];
    const other = folder.open();
    const first = start(stores, { projections: by('first') });
    await createTeam('one');
    await caughtUp(stores, justTeams);
    start(other, { projections: by('second') });
    for (let n = 0; n < 20; n++) {
      await createTeam(`team-${n}`);
      await caughtUp(stores, justTeams);
    }
    expect(workers).toEqual(Array.from({ length: 21 }, () => 'first'));
    await first.stop();
    await createTeam('two');
    await caughtUp(stores, justTeams);
    expect(workers.slice(21)).toEqual(['second']);
  });

  it('the second one begins only when the first has written its last', async () => {
    const log: string[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = altered(stores.documents, {
      commit: async (writes, checkpoint) => {
        const something = writes.some(({ changes }) => changes.length > 0);
        if (something) {
          log.push('first begins to write');
          await held;
        }
        await stores.documents.commit(writes, checkpoint);
        if (something) log.push('first has written');
      },
    });
    const first = start(stores, { documents: slow, projections: justTeams });
    await createTeam('one');
    await until(() => log.length > 0);
    const stopping = first.stop();
    const other = folder.open();
    start(other, { projections: [teamsThat({ fold: (doc) => (log.push('second folds'), doc) })] });
    await createTeam('two');
    expect(await other.leases.tryAcquire(projectingLease)).toBeUndefined();
    release();
    await stopping;
    await caughtUp(stores, justTeams);
    expect(log).toEqual(['first begins to write', 'first has written', 'second folds']);
  });

  it('the one that loses its lease stops, and goes on when it gets it back', async () => {
    const losing: AbortController[] = [];
    const leases = altered(stores.leases, {
      acquire: async (...of) => {
        const lease = await stores.leases.acquire(...of);
        if (of[0] !== projectingLease) return lease;
        const lost = new AbortController();
        losing.push(lost);
        return lease && altered(lease, { lost: lost.signal });
      },
    });
    start({ ...stores, leases }, { projections: justTeams });
    for (const slug of ['one', 'two', 'three']) {
      await createTeam(slug);
      await caughtUp(stores, justTeams);
      losing.at(-1)?.abort();
    }
    await until(() => losing.length === 4);
    await createTeam('four');
    await caughtUp(stores, justTeams);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(4);
  });

  it('the one that a store tells of a later holder asks for its lease anew, and nothing has failed', async () => {
    const epochs: (number | undefined)[] = [];
    let epoch = 6;
    const leases = altered(stores.leases, {
      acquire: async (...of) => {
        const lease = await stores.leases.acquire(...of);
        if (of[0] !== projectingLease) return lease;
        return lease && altered(lease, { epoch: (epoch += 1) });
      },
    });
    const documents = altered(stores.documents, {
      writer: async (...of) => {
        epochs.push(of[2]);
        return stores.documents.writer(...of) as never;
      },
      commit: async (writes, checkpoint) => {
        if (epoch === 7) throw new StoreError('fenced', 'teams is written under epoch 8');
        await stores.documents.commit(writes, checkpoint);
      },
    });
    const nodes = new NodeRegistry(() => stores.side);
    start({ ...stores, leases, documents }, { projections: justTeams, nodes });
    await createTeam('one');
    await caughtUp(stores, justTeams);
    expect(epochs).toEqual([7, 8]);
    expect(await failureOf(any(teams))).toBeUndefined();
  });

  it('neither begins while the other still writes, though that one is failing', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let writing = false;
    const documents = altered(stores.documents, {
      commit: async (writes, checkpoint) => {
        writing = true;
        await held;
        await stores.documents.commit(writes, checkpoint);
      },
    });
    // The second tail fails for good while the first is writing.
    async function* subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
      if (!options.filter) {
        yield* stores.store.subscribe(options);
        return;
      }
      await until(() => writing);
      throw new StoreError('replaced', 'views.db was replaced');
    }
    const store = altered(stores.store, { subscribe });
    const deferred = all.filter((each) => each.deferred);
    const failing = start(stores, { documents, store, projections: [any(teams), ...deferred] });
    await createTeam('one');
    await until(() => writing);
    const { leases } = folder.open();
    for (let n = 0; n < 50; n++) {
      await createTeam(`team-${n}`);
      expect(await leases.tryAcquire(projectingLease)).toBeUndefined();
    }
    release();
    await expect(failing.ended).rejects.toMatchObject({ code: 'replaced' });
    expect(await leases.tryAcquire(projectingLease)).toBeDefined();
  });

  it('ends with an error when the files of the read models are exchanged under it', async () => {
    const projector = start(stores);
    await caughtUp(stores);
    rmSync(join(folder.path, 'views.db'));
    const ended = projector.ended.then(
      () => 'without an error',
      (error: unknown) => error,
    );
    let over: unknown;
    void ended.then((how) => (over = how));
    for (let n = 0; over === undefined; n++) {
      await createTeam(`team-${n}`);
      await until(() => true);
    }
    expect(over).toMatchObject({ code: 'replaced' });
    expect(await folder.open().leases.tryAcquire(projectingLease)).toBeDefined();
  });
});

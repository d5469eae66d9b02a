import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease, Leases } from '../../src/stores/leases/port.ts';

/** What a suite needs to know of an adapter: leases, a second client of them, and a holder that can be killed. */
export interface LeasesUnderTest {
  readonly leases: Leases;
  another(): Promise<Leases>;
  /** Another process that has taken the lease; `kill` ends it as if the power of it alone had failed. */
  holderProcess(name: string): Promise<{ kill(): Promise<void> }>;
  dispose(): Promise<void>;
}

/** Every adapter of the Leases port passes this. Names are unique to a run: the store may be shared. */
export function leasesContract(adapter: string, open: () => Promise<LeasesUnderTest>): void {
  describe(`the leases contract, ${adapter}`, () => {
    let under: LeasesUnderTest;
    let leases: Leases;
    let name: string;
    let abort: AbortController;

    beforeEach(async () => {
      under = await open();
      leases = under.leases;
      name = `job${randomUUID().slice(0, 8)}`;
      abort = new AbortController();
    });
    afterEach(async () => {
      abort.abort();
      await under.dispose();
    });

    const taken = async (from: Leases, what = name): Promise<Lease> => {
      const lease = await from.acquire(what, abort.signal);
      if (!lease) throw new Error(`nobody gave ${what}`);
      return lease;
    };

    it('gives a lease that nobody holds, under its name and not lost', async () => {
      const lease = await leases.tryAcquire(name);
      expect(lease?.name).toBe(name);
      expect(lease?.lost.aborted).toBe(false);
    });

    it('has one holder among many contenders at every moment, and everyone gets a turn', async () => {
      const clients = [leases, await under.another(), await under.another()];
      let holding = 0;
      let most = 0;
      let turns = 0;
      const contend = async (client: Leases) => {
        const lease = await taken(client);
        holding += 1;
        most = Math.max(most, holding);
        await new Promise((resolve) => setImmediate(resolve));
        expect(lease.lost.aborted).toBe(false);
        holding -= 1;
        turns += 1;
        await lease.release();
      };
      await Promise.all(Array.from({ length: 9 }, (_, n) => contend(clients[n % 3] as Leases)));
      expect([most, turns]).toEqual([1, 9]);
    });

    it('gives a held lease to nobody, the same client included', async () => {
      await taken(leases);
      const other = await under.another();
      expect(await leases.tryAcquire(name)).toBeUndefined();
      expect(await other.tryAcquire(name)).toBeUndefined();
    });

    it('lets another client wait, and gives it the lease on release', async () => {
      const lease = await taken(leases);
      const other = await under.another();
      let given = false;
      const waiting = taken(other).then((next) => {
        given = true;
        return next;
      });
      expect(await other.tryAcquire(name)).toBeUndefined();
      expect(given).toBe(false);
      await lease.release();
      expect((await waiting).name).toBe(name);
      expect(await leases.tryAcquire(name)).toBeUndefined();
    });

    it('can be taken again after its release', async () => {
      for (let round = 0; round < 3; round++) await (await taken(leases)).release();
      expect(await (await under.another()).tryAcquire(name)).toBeDefined();
    });

    it('is not taken from its new holder by an old one that releases twice', async () => {
      const old = await taken(leases);
      await old.release();
      await taken(leases);
      await old.release();
      expect(await (await under.another()).tryAcquire(name)).toBeUndefined();
    });

    it('has nothing to do with a lease of another name', async () => {
      await taken(leases);
      const other = await under.another();
      const beside = await taken(other, `${name}2`);
      expect(await leases.tryAcquire(`${name}2`)).toBeUndefined();
      await beside.release();
      expect(await other.tryAcquire(name)).toBeUndefined();
    });

    it('stops waiting when its signal aborts, without having taken the lease', async () => {
      const lease = await taken(leases);
      const other = await under.another();
      const leaving = new AbortController();
      const waiting = other.acquire(name, leaving.signal);
      leaving.abort();
      expect(await waiting).toBeUndefined();
      await lease.release();
      expect(await leases.tryAcquire(name)).toBeDefined();
    });

    it('is not taken before its time, though it is free, and then it is', async () => {
      let isTime = false;
      let given = false;
      const waiting = leases.acquire(name, abort.signal, { when: () => isTime });
      void waiting.then(() => (given = true));
      const other = await under.another();
      for (let n = 0; n < 5; n++) {
        const between = await taken(other);
        await between.release();
      }
      expect(given).toBe(false);
      isTime = true;
      expect((await waiting)?.lost.aborted).toBe(false);
      expect(await other.tryAcquire(name)).toBeUndefined();
    });

    it('does not begin to wait with a signal that has aborted', async () => {
      expect(await leases.acquire(name, AbortSignal.abort())).toBeUndefined();
      expect(await (await under.another()).tryAcquire(name)).toBeDefined();
    });

    it('frees all its leases when it closes', async () => {
      const other = await under.another();
      await taken(other);
      await taken(other, `${name}2`);
      await other.close();
      await taken(leases);
      await taken(leases, `${name}2`);
    });

    it('keeps a lease that another process holds, and gives it to who waits when that process is killed', async () => {
      const holder = await under.holderProcess(name);
      expect(await leases.tryAcquire(name)).toBeUndefined();
      const waiting = taken(leases);
      await holder.kill();
      expect((await waiting).name).toBe(name);
    });
  });
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importResource } from '../../src/commands/directory/import-record.ts';
import { commandResource } from '../../src/commands/directory/resource.ts';
import { CommandRefused } from '../../src/ground/refusals.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { untilShown } from '../../src/projections/until-shown.ts';
import { chanceOf } from '../faults/seeded-random.ts';
import { aCommand } from '../support/context.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';

/** MIRROR_SEED repeats a story. */
const seed = Number(process.env['MIRROR_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const steps = Number(process.env['MIRROR_STEPS'] ?? 1_000);
const records = 40;

interface Entry {
  readonly svc_id: string;
  readonly change: 'upsert' | 'removed';
  readonly changed_at: string;
  readonly record?: object;
}
interface Changes {
  readonly data: readonly Entry[];
  readonly has_more: boolean;
  readonly cursor: string;
}
interface Page {
  readonly data: readonly { readonly svc_id: string }[];
  readonly next_cursor: string | null;
}

describe.skipIf(missing)(onEngines(`a mirror that follows the changes (seed ${seed})`), () => {
  const folder = temporaryFolder();
  let serving: Serving;
  let beside: System;
  let key: string;

  beforeAll(async () => {
    serving = await startServing(folder.path, { RATE_LIMIT_PER_MINUTE: '1000000' });
    const scopes = ['--kind', 'developer', '--scopes', 'resources:read'];
    ({ key } = (await runCommand(folder.path, 'keys', 'create', ...scopes)) as { key: string });
    beside = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
  }, 120_000);
  afterAll(async () => {
    await beside.close();
    await serving.stop();
    await dropDatabase(folder.path);
    folder.remove();
  });

  const get = async <Body>(path: string): Promise<Body> => {
    const answer = await fetch(serving.origin + path, { headers: { authorization: `Bearer ${key}` } });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };

  /** What somebody holds who asks again and again, with pages of any size. */
  function mirror(chance: ReturnType<typeof chanceOf>) {
    const held = new Map<string, object>();
    const seen: string[] = [];
    let cursor = '';
    return {
      held,
      seen,
      /** Asks once; false when it is level. */
      async poll(): Promise<boolean> {
        const limit = chance.count(1, 9);
        const page = await get<Changes>(
          `/dash/api/v1/changes?limit=${limit}${cursor && `&cursor=${cursor}`}`,
        );
        for (const entry of page.data) {
          seen.push(JSON.stringify(entry));
          if (entry.record) held.set(entry.svc_id, entry.record);
          else held.delete(entry.svc_id);
        }
        cursor = page.cursor;
        return page.has_more;
      },
    };
  }

  /** Imports, revises, approves and deactivates; each revision has a name of its own. */
  async function story(chance: ReturnType<typeof chanceOf>): Promise<void> {
    const svcIds = new Set<string>();
    const decisions = ['approve', 'deactivate', 'reactivate', 'reject', 'revise', 'revise'] as const;
    for (let step = 0; step < steps; step++) {
      const [svcId] = [...svcIds].slice(chance.count(0, svcIds.size - 1));
      try {
        if (svcId === undefined || (svcIds.size < records && chance.happens(0.3))) {
          const { state } = await imported(step, chance.happens(0.7));
          if (state) svcIds.add(state.svc_id);
        } else {
          const kind = decisions[chance.count(0, decisions.length - 1)] ?? 'revise';
          await commandResource(beside, svcId, decided(kind, step), aCommand());
        }
      } catch (error) {
        // What the directory refuses is part of the story.
        if (!(error instanceof CommandRefused)) throw error;
      }
    }
    const position = await beside.store.head();
    await untilShown(beside.documents, { types: ['ResourceRevised'], position });
  }

  const imported = (step: number, approve: boolean) => {
    const fields = { name: `Imported ${step}`, category: 'food' } as const;
    const source = { system: 'mirror', id: String(step) };
    return importResource(beside, { team: 'commons', source, fields, active: true, approve }, aCommand());
  };

  it('ends with the records of the list, and has met no entry twice, while others change, remove and rebuild', async () => {
    const chance = chanceOf(seed);
    const early = mirror(chanceOf(seed + 1));
    const late = mirror(chanceOf(seed + 2));
    const over = new AbortController();
    const following = (async () => {
      while (!over.signal.aborted) await early.poll();
    })();
    const rebuilding = (async () => {
      for (let round = 0; round < 3; round++) await runCommand(folder.path, 'rebuild', 'resources');
    })();
    const telling = story(chance);
    await Promise.all([telling, rebuilding, late.poll()]).finally(() => over.abort());
    await following;
    for (const each of [early, late]) {
      while (await each.poll());
      expect(new Set(each.seen).size).toBe(each.seen.length);
      expect(each.held).toEqual(await listed());
    }
    expect(early.held.size).toBeGreaterThan(0);
    expect(early.seen.some((entry) => entry.includes('"removed"'))).toBe(true);
  }, 120_000);

  async function listed(): Promise<Map<string, object>> {
    const found = new Map<string, object>();
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: Page = await get(`/dash/api/v1/resources?limit=100${cursor && `&cursor=${cursor}`}`);
      for (const record of page.data) found.set(record.svc_id, record);
      cursor = page.next_cursor;
    }
    return found;
  }
});

function decided(kind: 'approve' | 'deactivate' | 'reactivate' | 'reject' | 'revise', step: number) {
  switch (kind) {
    case 'reject':
      return { kind, reason: 'No.' } as const;
    case 'revise':
      return { kind, change: { name: `Revised ${step}` } } as const;
    case 'approve':
    case 'deactivate':
    case 'reactivate':
      return { kind } as const;
  }
}

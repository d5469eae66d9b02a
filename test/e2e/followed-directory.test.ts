import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commandResource } from '../../src/commands/directory/resource.ts';
import { importResource } from '../../src/commands/directory/import-record.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import type { UnsealedFields } from '../../src/events/directory/resource-fields.ts';
import { agingParts, type AgingPart } from '../../src/events/directory/upkeep/confirmation.ts';
import { CommandRefused } from '../../src/ground/refusals.ts';
import { pagesOf } from '../../src/stores/event-store/port.ts';
import { rewriteHistory } from '../audit/rewritten-history.ts';
import { chanceOf } from '../faults/seeded-random.ts';
import { aCommand } from '../support/context.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

/** FOLLOW_SEED repeats a story; FOLLOW_ROUNDS tells a longer one. */
const seed = Number(process.env['FOLLOW_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const rounds = Number(process.env['FOLLOW_ROUNDS'] ?? 1);
const timeout = 240_000;

interface PublicRecord {
  readonly svc_id: string;
  readonly origin?: { readonly directory: string; readonly svc_id: string };
  readonly confirmed?: Confirmed;
}
/** Of parts as well: whose word it is differs, its dates do not. */
type Confirmed = { readonly on?: string } & {
  readonly [Part in AgingPart]?: { readonly on?: string; readonly changed?: string };
};
interface Followed {
  readonly source: string;
  readonly status: string;
  readonly why?: string;
  readonly detail?: string;
}

/** An installation with a server at a port that the other one can be told. */
class Installation {
  readonly dataDir: string;
  readonly team: string;
  port = 0;
  key = '';
  serving: Serving | undefined;

  constructor(dataDir: string, team: string) {
    this.dataDir = dataDir;
    this.team = team;
  }

  get address() {
    return `http://127.0.0.1:${this.port}`;
  }

  run = (...words: readonly string[]): Promise<unknown> => runCommand(this.dataDir, ...words);

  async begin() {
    this.port = await freePort();
    await this.run('teams', 'create', this.team, '--name', this.team);
    const scopes = ['--kind', 'developer', '--scopes', 'resources:read'];
    ({ key: this.key } = (await this.run('keys', 'create', ...scopes)) as { key: string });
    await this.start();
  }

  async start() {
    this.serving = await startServing(this.dataDir, {
      ...{ CHECKPOINT_SECONDS: '1', FOLLOW_SECONDS: '1', PORT: String(this.port) },
      RATE_LIMIT_PER_MINUTE: '1000000',
    });
  }

  async stop() {
    await this.serving?.stop();
    this.serving = undefined;
  }

  /** As a power button does it. */
  async kill() {
    if (this.serving) process.kill(this.serving.pid, 'SIGKILL');
    await this.stop();
  }

  /** The stores, beside the server. */
  async with(work: (system: System) => Promise<void>) {
    const system = await openSystem(readConfig({ DATA_DIR: this.dataDir }));
    try {
      await work(system);
    } finally {
      await system.close();
    }
  }

  /** Everything that its feed has, by id. */
  async records(): Promise<Map<string, PublicRecord>> {
    const found = new Map<string, PublicRecord>();
    for (let cursor = ''; ;) {
      const answer = await fetch(
        `${this.address}/dash/api/v1/changes?limit=100${cursor && `&cursor=${cursor}`}`,
        { headers: { authorization: `Bearer ${this.key}` } },
      );
      expect(answer.status).toBe(200);
      const page = (await answer.json()) as {
        data: { svc_id: string; record?: PublicRecord }[];
        has_more: boolean;
        cursor: string;
      };
      for (const { svc_id, record } of page.data)
        if (record) found.set(svc_id, record);
        else found.delete(svc_id);
      if (!page.has_more) return found;
      cursor = page.cursor;
    }
  }

  /** Adds a public record of this name. */
  writes = (name: string) =>
    this.with(async (system) => {
      const fields = { name, category: 'food' } as const;
      const source = { system: 'late', id: name };
      await importResource(
        system,
        { team: this.team, source, fields, active: true, approve: true },
        aCommand(),
      );
    });

  has = async (name: string) => JSON.stringify([...(await this.records()).values()]).includes(name);

  async follow(other: Installation) {
    const keyFile = join(this.dataDir, '..', `${this.team}-key.txt`);
    writeFileSync(keyFile, other.key);
    const seen = (await this.run(
      ...['sources', 'look-at', other.address, '--team', this.team, '--key-file', keyFile],
    )) as { vkey: string; name: string };
    const begun = (await this.run(
      ...['sources', 'follow', other.address, '--team', this.team, '--key-file', keyFile],
      ...['--vkey', seen.vkey, '--approve'],
    )) as { source: string };
    return { ...seen, ...begun };
  }

  async following(): Promise<Followed> {
    const [first] = (await this.run('sources', 'following', '--team', this.team)) as Followed[];
    return first as Followed;
  }

  /** Paused for one of these reasons. */
  pausedWith = (...reasons: readonly string[]) =>
    until(async () => {
      const following = await this.following();
      return following.status === 'paused' && reasons.includes(following.why ?? '') && following;
    });
}

/** What a record says, whoever has it. Its dates are a source's word at the other one. */
function content(record: object): object {
  const { svc_id: _, updated_at: _at, origin: _origin, ...rest } = record as Record<string, unknown>;
  const { last_verified: _day, last_modified: _date, confirmed, ...fields } = rest;
  const { on, ...parts } = (confirmed ?? {}) as Confirmed;
  const ofParts = agingParts.map((part) =>
    parts[part]?.changed === undefined ? parts[part]?.on : undefined,
  );
  return { ...fields, confirmed: [on, ...ofParts] };
}

/** The records of the one that were written there, and what the other one has of them. */
async function bothSides(ours: Installation, theirs: Installation, directory: string) {
  const [own, copies] = await Promise.all([ours.records(), theirs.records()]);
  const written = [...own.values()].filter(({ origin }) => origin === undefined);
  // After a restore its log has a name that begins with the first one.
  const taken = [...copies.values()].filter(({ origin }) => origin?.directory.startsWith(directory));
  return [
    new Map(written.map((record) => [record.svc_id, content(record)])),
    new Map(taken.map((record) => [record.origin?.svc_id ?? '', content(record)])),
  ] as const;
}

const areEqual = (one: ReadonlyMap<string, object>, other: ReadonlyMap<string, object>): boolean =>
  one.size === other.size &&
  [...one].every(([id, each]) => JSON.stringify(other.get(id)) === JSON.stringify(each));

// It changes the files of the embedded stores.
describe.skipIf(!isEmbedded)(`a directory that follows another one (seed ${seed})`, { timeout }, () => {
  const folder = temporaryFolder();
  const harbour = new Installation(join(folder.path, 'harbour'), 'harbour');
  const valley = new Installation(join(folder.path, 'valley'), 'valley');
  let harbourLog = '';
  let valleyLog = '';

  beforeAll(async () => {
    await Promise.all([harbour.begin(), valley.begin()]);
    await harbour.with((system) => story(system, chanceOf(seed), 0));
    ({ name: harbourLog } = await valley.follow(harbour));
  }, timeout);
  afterAll(async () => {
    await Promise.all([harbour.stop(), valley.stop()]);
    folder.remove();
  });

  const sides = () => bothSides(harbour, valley, harbourLog);
  let written = 0;
  /**
   * Until the follower has a record. A story may take out so many that it pauses by itself: whoever follows has looked at
   * them, and goes on.
   */
  const untilRead = async (name: string) => {
    for (let looks = 1; !(await valley.has(name)); looks++) {
      await pause(50);
      if (looks % 100 !== 0) continue;
      const { status, why } = await valley.following();
      if (status === 'paused' && why === 'many-gone')
        await valley.run('sources', 'resume-following', harbourLog, '--team', 'valley');
    }
  };
  /** Equal once the follower has read what is written now: before that, both may be as they were. */
  const untilEqual = async () => {
    const last = `Written Last ${++written}`;
    await harbour.writes(last);
    await untilRead(last);
    await vi.waitFor(
      async () => {
        const [own, copies] = await sides();
        expect(copies).toEqual(own);
      },
      { timeout: timeout / 2, interval: 50 },
    );
  };

  test('has the same in the end, through edits, kills of either and a rebuild', async () => {
    await untilEqual();
    for (let round = 1; round <= rounds; round++) {
      const chance = chanceOf(seed + round);
      const telling = harbour.with((system) => story(system, chance, round));
      for (const each of chance.happens(0.5) ? [harbour, valley] : [valley, harbour]) {
        await each.kill();
        await each.start();
      }
      await Promise.all([telling, valley.run('rebuild', 'resources')]);
    }
    await untilEqual();
    const own = await valley.records();
    for (const { origin } of own.values()) expect(origin?.directory).toBe(harbourLog);
    // Each record was taken once, and each change at most once.
    await valley.with(async ({ store }) => {
      const submitted = new Map<string, number>();
      for await (const { events } of pagesOf(store, { limit: 1_000 }))
        for (const { type, data } of events) {
          if (type !== 'ResourceSubmitted') continue;
          const { source } = data as { source?: { id: string } };
          submitted.set(source?.id ?? '', (submitted.get(source?.id ?? '') ?? 0) + 1);
        }
      expect([...submitted.values()].every((times) => times === 1)).toBe(true);
    });
  });

  test('does not take its own records back from one that follows it', async () => {
    await valley.writes('Valley Pantry');
    ({ name: valleyLog } = await harbour.follow(valley));
    await until(async () => {
      const [own, copies] = await bothSides(valley, harbour, valleyLog);
      return own.size > 0 && areEqual(own, copies);
    });
    await untilEqual();
    // What harbour has of valley is that one record: its own came back to it as nobody's.
    const all = [...(await harbour.records()).values()];
    expect(all.filter(({ origin }) => origin !== undefined).map(({ origin }) => origin?.directory)).toEqual([
      valleyLog,
    ]);
    // Each reads the other one again, as its log has grown, and finds nothing of its own to change.
    await harbour.with((system) => story(system, chanceOf(seed + 99), 99));
    await untilEqual();
    await harbour.with(async ({ store }) => {
      const changed = new Set<string>();
      for await (const { events } of pagesOf(store, { limit: 1_000 }))
        for (const { stream, metadata } of events)
          if ((metadata['actor'] as { id: string }).id === 'following' && stream.startsWith('resource-'))
            changed.add(stream);
      expect(changed.size).toBe(1);
    });
    await harbour.run('sources', 'unfollow', valleyLog, '--team', 'harbour');
  });

  test('pauses and names one that a backup has put back, and compares anew when that is accepted', async () => {
    const backup = join(folder.path, 'backup');
    await harbour.run('backup', backup);
    await harbour.writes('Soon Forgotten');
    await untilRead('Soon Forgotten');
    await harbour.stop();
    await harbour.run('restore', backup, '--replace');
    await harbour.start();
    const paused = await valley.pausedWith('another-log');
    expect(paused.detail).toMatch(/a backup was restored/);
    expect(await valley.has('Soon Forgotten')).toBe(true);
    const vkey = (await (await fetch(`${harbour.address}/audit/log/vkey`)).text()).trim();
    await valley.run('sources', 'resume-following', harbourLog, '--team', 'valley', '--vkey', vkey);
    await until(async () => !(await valley.has('Soon Forgotten')));
    await untilEqual();
  });

  test('pauses and names one whose files were put back, and goes on differently', async () => {
    await harbour.stop();
    const old = join(folder.path, 'old');
    cpSync(harbour.dataDir, old, { recursive: true });
    await harbour.start();
    await harbour.with((system) => story(system, chanceOf(seed + 7), 7));
    // Only what was read can be missed.
    await untilEqual();
    await harbour.stop();
    rmSync(harbour.dataDir, { recursive: true });
    cpSync(old, harbour.dataDir, { recursive: true });
    await harbour.start();
    // What was read and not signed yet is known by the cursor alone.
    const { detail } = await valley.pausedWith('rewritten', 'cursor');
    expect(detail).toMatch(/had signed .* before|does not continue|restored or moved/);
    const vkey = (await (await fetch(`${harbour.address}/audit/log/vkey`)).text()).trim();
    await valley.run('sources', 'resume-following', harbourLog, '--team', 'valley', '--vkey', vkey);
    await untilEqual();
  });

  test('pauses and names one whose store was changed and signed anew', async () => {
    await harbour.stop();
    await rewriteHistory(harbour.dataDir, 'harbour', 'harbor');
    await harbour.start();
    const { detail } = await valley.pausedWith('rewritten');
    expect(detail).toMatch(/does not continue|had signed/);
  });
});

/** Imports, revises, approves and deactivates some records; every revision says something of its own. */
async function story(system: System, chance: ReturnType<typeof chanceOf>, round: number): Promise<void> {
  const svcIds: string[] = [];
  const decisions = ['approve', 'deactivate', 'reactivate', 'revise', 'revise', 'confirm'] as const;
  for (let step = 0; step < 40; step++) {
    try {
      if (svcIds.length < 12) {
        const source = { system: 'list', id: String(svcIds.length) };
        const record = { team: 'harbour', source, fields: fieldsOf(chance, round, step), active: true };
        const { state } = await importResource(
          system,
          { ...record, approve: chance.happens(0.8), take: 'all' },
          aCommand(),
        );
        svcIds.push(state?.svc_id ?? '');
        continue;
      }
      const svcId = svcIds[chance.count(0, svcIds.length - 1)] ?? '';
      const kind = decisions[chance.count(0, decisions.length - 1)] ?? 'revise';
      const decided =
        kind === 'revise'
          ? ({
              kind,
              change: { description: `In round ${round}, step ${step}`, hours: `Mon ${step}` },
            } as const)
          : kind === 'confirm'
            ? ({ kind, by: 'team' } as const)
            : ({ kind } as const);
      await commandResource(system, svcId, decided, aCommand());
    } catch (error) {
      // What the directory refuses is part of the story.
      if (!(error instanceof CommandRefused)) throw error;
    }
  }
}

const fieldsOf = (chance: ReturnType<typeof chanceOf>, round: number, step: number): UnsealedFields => ({
  name: `Pantry ${step} of round ${round}`,
  category: chance.happens(0.5) ? 'food' : 'housing',
  description: 'Bags of food\nfor families & others <18 years',
  phones: [{ number: `305-555-0${100 + step}`, type: 'voice' }],
  locations: [{ name: 'Hall', street: `${step + 1} Main Street`, city: 'Miami', region: 'FL' }],
  opening_hours: [{ days: ['mon', 'fri'], opens: '09:00', closes: '17:00' }],
  time_zone: 'America/New_York',
  languages: ['Spanish', 'English'],
  ...(chance.happens(0.5) ? { last_modified: '2025-05' } : {}),
});

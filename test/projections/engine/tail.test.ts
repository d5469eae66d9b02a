import { describe, expect, it } from 'vitest';
import { submitResource } from '../../../src/commands/directory/resource.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import {
  modelOf,
  nameOf,
  projection,
  type AnyProjection,
  type Projection,
} from '../../../src/projections/engine/read-model.ts';
import { failuresTable } from '../../../src/projections/engine/stalled-projections.ts';
import { statusOf, visible } from '../../../src/projections/engine/read-your-writes.ts';
import { unknownEvents } from '../../../src/projections/engine/unknown-events.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { apiKeys } from '../../../src/projections/keys.ts';
import { resourceSearch } from '../../../src/projections/directory/resource-search.ts';
import { teams, type TeamDocument } from '../../../src/projections/teams.ts';
import type { EventBatch, SubscribeOptions } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { all } from '../../support/fold.ts';
import { askForRebuild, caughtUp, documentsOf } from '../../support/projector.ts';
import { projectorsInAFolder } from '../../support/projector-suite.ts';
import { pantryFields } from '../../support/samples.ts';
import type { Stores } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

let stores: Stores;
const start = projectorsInAFolder((opened) => ({ stores } = opened));

const any = (each: unknown) => each as AnyProjection;
const createTeam = (slug: string) =>
  commandTeam(stores.store, { kind: 'create', team: slug, name: `Team ${slug}` }, aCommand());
const team = (slug: string) => stores.documents.collection(teams.collection).get(slug);
const servingOf = async (name: string) => (await stores.documents.generations(name)).serving;
const failureOf = async (each: AnyProjection) => (await statusOf(stores, [each]))[0]?.failure;
const switchedOf = async (each: AnyProjection) =>
  (await stores.store.readStream(`projection-${modelOf(each)}`)).filter(
    ({ type }) => type === 'GenerationSwitched',
  );

/** Teams, folded in another way or in another version. */
const teamsThat = (rest: Partial<Projection<TeamDocument>>) =>
  any(projection({ ...teams, ...(rest as object) }));

/** A store that notes from where it is subscribed to, and holds back whoever begins at the first event until told. */
function watched({ gate }: { readonly gate?: Promise<void> } = {}) {
  const from: bigint[] = [];
  async function* subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
    from.push(options.after);
    if (options.after === -1n && gate) {
      const aborted = new Promise<void>((resolve) =>
        options.signal.addEventListener('abort', () => resolve()),
      );
      await Promise.race([gate, aborted]);
    }
    yield* stores.store.subscribe(options);
  }
  return { from, store: altered(stores.store, { subscribe }) };
}

describe('the tail', () => {
  it('is one subscription for what is shown at once, one for what may be shown later, and one for what nobody waits for', async () => {
    await createTeam('one');
    const first = start(stores);
    await caughtUp(stores);
    await first.stop();
    const { from, store } = watched();
    start(stores, { store });
    await createTeam('two');
    await caughtUp(stores);
    expect(from).toHaveLength(3);
  });

  it('writes the changes of a round in one commit', async () => {
    await createTeam('one');
    const commits: number[] = [];
    const documents = altered(stores.documents, {
      commit: async (writes, checkpoint) => {
        commits.push(writes.filter(({ changes }) => changes.length > 0).length);
        await stores.documents.commit(writes, checkpoint);
      },
    });
    await submitResource(stores, { team: 'one', fields: pantryFields }, aCommand());
    start(stores, { documents, projections: all.filter((each) => !each.deferred) });
    await caughtUp(
      stores,
      all.filter((each) => !each.deferred),
    );
    // The team stands in one read model, the record in that of records. Both came in one round.
    expect(commits.filter((changed) => changed > 0)).toEqual([2]);
  });

  it('shows what is urgent while what may be late stands still', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const documents = altered(stores.documents, {
      commit: async (writes, checkpoint) => {
        const late = all.filter((each) => each.deferred && each.awaited !== false);
        const isLate = writes.length === late.length;
        if (isLate && writes.some(({ changes }) => changes.length > 0)) await held;
        await stores.documents.commit(writes, checkpoint);
      },
    });
    start(stores, { documents });
    await caughtUp(stores);
    await createTeam('one');
    const { position } = await submitResource(stores, { team: 'one', fields: pantryFields }, aCommand());
    await visible(stores.documents, [resources.collection.name], position);
    const search = nameOf(any(resourceSearch));
    expect((await stores.documents.progress()).get(search)?.checkpoint).toBeLessThan(position);
    release();
    await visible(stores.documents, [search], position);
  });

  it('begins though one read model cannot fold what it lacks, which alone stands still', async () => {
    let isBroken = true;
    const fragile = teamsThat({
      fold: (doc, event) => {
        if (isBroken && event.data['team' as never] === 'poison') throw new Error('no idea what that is');
        return teams.fold(doc, event as never);
      },
    });
    const others = all.map((each) => (nameOf(each) === teams.collection.name ? fragile : each));
    const first = start(stores, { projections: others });
    await createTeam('poison');
    await until(() => failureOf(fragile));
    await visible(stores.documents, [apiKeys.collection.name], await stores.store.head());
    await first.stop();
    start(stores, { projections: others });
    const { position } = await createTeam('after');
    await visible(stores.documents, [apiKeys.collection.name, resources.collection.name], position);
    expect(await team('after')).toBeUndefined();
    expect(await failureOf(fragile)).toBeDefined();
    isBroken = false;
    await caughtUp(stores, others);
    expect(await team('after')).toBeDefined();
    await until(async () => (await failureOf(fragile)) === undefined);
  });

  it('notes a type of event that a newer release wrote, once, and goes on', async () => {
    const event = (type: string) => ({
      id: crypto.randomUUID(),
      type,
      data: {},
      metadata: { commonweal_schema: 1 },
    });
    let clock = Date.parse('2026-05-06T07:08:09Z');
    start(stores, { now: () => new Date((clock += 1_000)) });
    await stores.store.append('team-one', [event('TeamPainted')], 'no_stream');
    await stores.store.append('team-one', [event('TeamPainted')], 'any');
    await createTeam('two');
    await caughtUp(stores);
    expect(await team('two')).toBeDefined();
    expect(await unknownEvents(stores.side)).toEqual([
      { type: 'TeamPainted', since: expect.stringMatching(/^2026-05-06T07:08:/) as string },
    ]);
    expect(await stores.side.table(failuresTable).list()).toEqual([]);
  });
});

describe('a rebuild of several read models', () => {
  it('reads the log once for those that are asked for together', async () => {
    await createTeam('one');
    const asked = [any(teams), any(apiKeys)];
    const first = start(stores, { projections: asked });
    await caughtUp(stores, asked);
    await first.stop();
    const { from, store } = watched();
    start(stores, { store, projections: asked });
    await Promise.all(asked.map((each) => askForRebuild(stores.store, each)));
    for (const each of asked) await until(async () => (await switchedOf(each)).length === 1);
    expect(from.filter((after) => after === -1n)).toHaveLength(1);
    expect(await documentsOf(stores.documents, any(teams))).toHaveLength(1);
  });

  it('takes the place of a generation that stands still, which is tried no more', async () => {
    let isBroken = true;
    const fragile = teamsThat({
      fold: (doc, event) => {
        if (isBroken && event.data['team' as never] === 'poison') throw new Error('no idea what that is');
        return teams.fold(doc, event as never);
      },
    });
    start(stores, { projections: [fragile], retryMs: 20 });
    await createTeam('poison');
    await until(() => failureOf(fragile));
    await askForRebuild(stores.store, fragile);
    isBroken = false;
    await until(async () => (await switchedOf(fragile)).length === 1);
    await createTeam('after');
    await caughtUp(stores, [fragile]);
    expect(await documentsOf(stores.documents, fragile)).toHaveLength(2);
    await until(async () => (await failureOf(fragile)) === undefined);
  });
});

describe('a read model whose projection has another version, stored under the same name', () => {
  const raised = teamsThat({
    version: teams.version + 1,
    fold: (doc, event) => {
      const folded = teams.fold(doc, event as never);
      return folded && { ...folded, name: folded.name.toUpperCase() };
    },
  });
  const shouting = { ...raised, collection: any(teams).collection };

  it('is served from the old generation, which follows the log, until the new one is level', async () => {
    for (const slug of ['one', 'two']) await createTeam(slug);
    const first = start(stores, { projections: [any(teams)] });
    await caughtUp(stores, [any(teams)]);
    await first.stop();
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { store } = watched({ gate });
    const old = await stores.documents.writer(
      teams.collection,
      (await servingOf(teams.collection.name))?.generation ?? 0,
    );
    expect(old.checkpoint).toBeGreaterThan(0n);
    start(stores, { store, projections: [shouting] });
    await until(
      async () => (await stores.documents.generations(teams.collection.name)).building.length === 1,
    );
    expect((await servingOf(teams.collection.name))?.version).toBe(teams.version);
    expect((await team('one'))?.name).toBe('Team one');
    expect((await team('two'))?.name).toBe('Team two');
    open();
    await until(async () => (await servingOf(teams.collection.name))?.version === teams.version + 1);
    // Never a half-built one: with the first look after the switch everything is there.
    expect((await team('one'))?.name).toBe('TEAM ONE');
    expect((await team('two'))?.name).toBe('TEAM TWO');
  });
});

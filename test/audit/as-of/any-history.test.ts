import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerAsOf, type Answer, type AsOfRequest } from '../../../src/audit/as-of/ask.ts';
import { canonicalJson } from '../../../src/audit/proof-log/canonical-json.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { LogUpTo } from '../../../src/audit/as-of/log-up-to.ts';
import { scanForLastNotAfter } from '../../../src/audit/as-of/log-times.ts';
import { Moments } from '../../../src/audit/as-of/moment.ts';
import { documentsOf, kindOf, readModelsOf } from '../../../src/audit/as-of/read-models.ts';
import { streams } from '../../../src/events/catalogue.ts';
import { people } from '../../../src/projections/accounts-people.ts';
import { resources } from '../../../src/projections/directory/resources.ts';
import { modelOf, nameOf, type AnyProjection } from '../../../src/projections/engine/read-model.ts';
import { apiKeys } from '../../../src/projections/keys.ts';
import { AccessTokenValidity } from '../../../src/projections/oauth-access-token-validity.ts';
import { clients } from '../../../src/projections/oauth-clients.ts';
import { consents } from '../../../src/projections/oauth-consents.ts';
import { grants } from '../../../src/projections/oauth-grants.ts';
import { invitations } from '../../../src/projections/teams-invitations.ts';
import { members } from '../../../src/projections/teams-members.ts';
import { subscriptions } from '../../../src/projections/webhooks/subscriptions.ts';
import type { CollectionSpec } from '../../../src/stores/documents/port.ts';
import type { Position } from '../../../src/stores/event-store/port.ts';
import { aStory, nothingMade, unlessRefused } from '../../support/any-story.ts';
import { aCommand } from '../../support/context.ts';
import { caughtUp, everything, sorted, startProjector } from '../../support/projector.ts';
import { dataFolder, type Stores } from '../../support/stores.ts';

const teamNames = ['bay', 'harbour', 'inland'] as const;
const everybody = { opens: new Set(['accounts', 'members', 'directory'] as const) };
const wholeList = { limit: 10_000 };

/** What the read models said at a moment. */
interface Remembered {
  readonly position: Position;
  readonly at: Date;
  readonly documents: Record<string, unknown[]>;
  readonly answers: readonly unknown[];
}

/** How the clock goes on with each command, in minutes. It is set back now and then. */
const aClock = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 20 }) },
    { weight: 1, arbitrary: fc.integer({ min: -90, max: -1 }) },
    { weight: 1, arbitrary: fc.integer({ min: 500, max: 50_000 }) },
  ),
  { minLength: 60, maxLength: 60 },
);

const allOfOneStream: readonly AnyProjection[] = streams.flatMap(readModelsOf);

describe('as of any moment of any history', () => {
  it('is what the read models said then', async () => {
    await fc.assert(
      fc.asyncProperty(aStory, aClock, async (story, clock) => {
        const folder = dataFolder();
        const stores = folder.open();
        const projector = startProjector(stores);
        try {
          let at = Date.parse('2026-01-01T00:00:00.000Z');
          let asked = 0;
          const made = nothingMade(() => {
            at += (clock[asked++ % clock.length] ?? 0) * 60_000;
            return aCommand({ at: new Date(at) });
          });
          const remembered: Remembered[] = [];
          let n = 0;
          const remembersNext = () => (clock[n++ % clock.length] ?? 0) % 3 === 0;
          for (const team of teamNames)
            await commandTeam(stores.store, { kind: 'create', team, name: team }, made.command());
          for (const ask of story.slice(0, 50)) {
            await ask(stores, made).catch(unlessRefused);
            if (remembersNext()) remembered.push(await remember(stores, new Date(at)));
          }
          for (const then of remembered) expect(await asOf(stores, then)).toEqual(then);
          await timesLeadToThem(stores, remembered);
        } finally {
          await projector.stop();
          await folder.dispose();
        }
      }),
      // To shrink a history takes minutes.
      { numRuns: 6, endOnFailure: true },
    );
  });
});

/** What the read models of today say, in the form of the answers. */
async function remember(stores: Stores, at: Date): Promise<Remembered> {
  await caughtUp(stores);
  const documents = await everything(stores.documents, allOfOneStream);
  return { position: await stores.store.head(), at, documents, answers: await saidNow(stores, at) };
}

/** The same from the log alone. */
async function asOf({ store, personal }: Stores, { position, at }: Remembered): Promise<Remembered> {
  const log = new LogUpTo(store, position);
  const { events } = await store.readAll({ after: -1n, limit: 100_000 });
  const names = [
    ...new Set(events.filter((event) => event.position <= position).map(({ stream }) => stream)),
  ];
  const found = new Map<string, object[]>(allOfOneStream.map((model) => [modelOf(model), []]));
  for (const name of names) {
    const kind = kindOf(name);
    if (!kind) throw new Error(name);
    for (const { readModel, document } of documentsOf(kind, await log.readStream(name)))
      found.get(readModel)?.push(document);
  }
  const asked = (question: AsOfRequest) =>
    answerAsOf({ store, personal }, question, { position, at }, everybody, wholeList).catch(
      (error: unknown) => (error as Error).message,
    );
  const answers = [
    ...(await eachOf('person', userIds(names), asked)),
    ...(await eachOf('client', clientIds(names), asked)),
    comparable(await asked({ question: 'keys' })),
    ...(await Promise.all(
      teamNames.flatMap((team) =>
        (['members', 'subscriptions', 'directory'] as const).map(async (question) =>
          comparable(await asked({ question, team })),
        ),
      ),
    )),
  ];
  return {
    position,
    at,
    documents: Object.fromEntries(
      allOfOneStream.map((model) => [nameOf(model), sorted(found.get(modelOf(model)) ?? [])]),
    ),
    answers,
  };
}

const idsIn = (prefix: string, names: readonly string[]): string[] =>
  names
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length))
    .sort();
const userIds = (names: readonly string[]) => idsIn('user-', names);
const clientIds = (names: readonly string[]) => idsIn('client-', names);

const eachOf = (
  whose: 'person' | 'client',
  ids: readonly string[],
  asked: (question: AsOfRequest) => Promise<Answer | string>,
) =>
  Promise.all(
    ids.flatMap((id) =>
      (['consents', 'tokens'] as const).map(async (question) =>
        comparable(await asked({ question, [whose]: id })),
      ),
    ),
  );

/** What of an answer is compared with the read models: which entries, and what decides about them. */
function comparable(answer: Answer | string): unknown {
  if (typeof answer === 'string') return answer;
  switch (answer.question) {
    case 'consents':
      return answer.entries
        .map(({ user, client, scopes, epoch }) => ({ user, client, scopes, epoch }))
        .sort(byText);
    case 'tokens':
      return answer.entries
        .flatMap(({ grant, access_tokens }) =>
          access_tokens.map(({ generation, scopes }) => ({ grant, generation, scopes })),
        )
        .sort(byText);
    case 'keys':
      return answer.entries.map(({ key_id, domains }) => ({ key_id, domains })).sort(byText);
    case 'subscriptions':
      return answer.entries.map((entry) => entry as unknown).sort(byText);
    case 'members':
      return {
        members: answer.entries.map(({ user, role, joined_at }) => ({ user, role, joined_at })).sort(byText),
        invitations: answer.beside.team.invitations.map(({ invitation }) => invitation).sort(),
      };
    case 'directory':
      return {
        counts: answer.beside.counts,
        records: answer.entries
          .map(({ svc_id, status, updated_at }) => ({ svc_id, status, updated_at }))
          .sort(byText),
      };
    case 'streams':
      throw new Error('Not compared here.');
  }
}

/** Canonical, because a stored document and a folded one may have their members in another order. */
const byText = (one: unknown, other: unknown): number => (canonicalJson(one) < canonicalJson(other) ? -1 : 1);

async function allOf<Doc extends object>(
  { documents }: Stores,
  collection: CollectionSpec<Doc>,
): Promise<Doc[]> {
  return documents.collection(collection).page({ orderBy: [], limit: 100_000 });
}

/** The answers as the service of that moment gave them: from its read models, by its own checks. */
async function saidNow(stores: Stores, at: Date): Promise<unknown[]> {
  const [everyPerson, everyClient, given] = await Promise.all([
    allOf(stores, people.collection),
    allOf(stores, clients.collection),
    allOf(stores, consents.collection),
  ]);
  const validity = new AccessTokenValidity(stores);
  const tokens: { user: string; client: string; token: object }[] = [];
  for (const { grant, user, client, access_tokens } of await allOf(stores, grants.collection))
    for (const { generation, expires } of access_tokens) {
      const found = await validity.of({ grantId: grant, generation, expires }, at);
      if (found.status === 'valid')
        tokens.push({ user, client, token: { grant, generation, scopes: found.scopes } });
    }
  const inForce = given.filter(
    ({ user, client, status, access_epoch }) =>
      status === 'active' &&
      everyClient.some((each) => each.client === client && each.status === 'active') &&
      everyPerson.some(
        (each) => each.user === user && each.status === 'active' && each.access_epoch <= access_epoch,
      ),
  );
  const of = (isOne: (each: { user: string; client: string }) => boolean) => [
    inForce
      .filter(isOne)
      .map(({ user, client, scopes, epoch }) => ({ user, client, scopes, epoch }))
      .sort(byText),
    tokens
      .filter(isOne)
      .map(({ token }) => token)
      .sort(byText),
  ];
  const keys = (await allOf(stores, apiKeys.collection)).filter(({ status }) => status === 'active');
  const answers: unknown[] = [
    ...everyPerson
      .map(({ user }) => user)
      .sort()
      .flatMap((id) => of(({ user }) => user === id)),
    ...everyClient
      .map(({ client }) => client)
      .sort()
      .flatMap((id) => of(({ client }) => client === id)),
    keys.map(({ key_id, domains }) => ({ key_id, domains })).sort(byText),
  ];
  for (const team of teamNames) answers.push(...(await saidOfTeam(stores, team, at)));
  return answers;
}

async function saidOfTeam(stores: Stores, team: string, at: Date): Promise<unknown[]> {
  const ofTeam = <Doc extends { readonly team: string }>(docs: readonly Doc[]) =>
    docs.filter((doc) => doc.team === team);
  if (!(await stores.store.readStream(`team-${team}`)).length) {
    const none = `There was no team ${team} then.`;
    return [none, none, none];
  }
  const joined = ofTeam(await allOf(stores, members.collection)).filter(({ status }) => status === 'member');
  const open = ofTeam(await allOf(stores, invitations.collection)).filter(
    ({ status, expires_at }) => status === 'open' && Date.parse(expires_at) > at.getTime(),
  );
  const left = ofTeam(await allOf(stores, subscriptions.collection)).filter(
    ({ status }) => status !== 'deleted',
  );
  const records = ofTeam(await allOf(stores, resources.collection));
  const countOf = (status: string) => records.filter((record) => record.status === status).length;
  return [
    {
      members: joined.map(({ user, role, joined_at }) => ({ user, role, joined_at })).sort(byText),
      invitations: open.map(({ invitation }) => invitation).sort(),
    },
    left
      .map(({ choices: _, origin, url_sealed: _sealed, ...entry }): unknown => ({
        ...entry,
        host: new URL(origin).host,
      }))
      .sort(byText),
    {
      counts: {
        submitted: countOf('submitted'),
        approved: countOf('approved'),
        rejected: countOf('rejected'),
        inactive: countOf('inactive'),
      },
      records: records.map(({ svc_id, status, updated_at }) => ({ svc_id, status, updated_at })).sort(byText),
    },
  ];
}

/** The rule of time, by a scan of the whole log: every remembered time leads to the position that the rule says. */
async function timesLeadToThem({ store, side }: Stores, remembered: readonly Remembered[]): Promise<void> {
  // The clocks of a history may run ahead of the clock of this machine.
  const newest = Math.max(0, ...remembered.map(({ at }) => at.getTime()));
  const moments = new Moments({ store, side, now: () => new Date(newest) });
  for (const { at } of remembered) {
    const scanned = await scanForLastNotAfter(store, at.getTime());
    if (!scanned) {
      // A command with an earlier time than all events was refused: nothing had happened by then.
      await expect(moments.of({ at: at.toISOString() })).rejects.toThrow('before the first event of the log');
      continue;
    }
    const moment = await moments.of({ at: at.toISOString() });
    expect(moment).toMatchObject({ position: scanned.event.position, laterBefore: scanned.laterBefore });
  }
}

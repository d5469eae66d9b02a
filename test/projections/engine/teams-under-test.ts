import { createApiKey } from '../../../src/commands/keys.ts';
import { commandResource, submitResource } from '../../../src/commands/directory/resource.ts';
import { createSubscription } from '../../../src/commands/webhooks/subscription.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import { projection, type AnyProjection } from '../../../src/projections/engine/read-model.ts';
import { teams, type TeamDocument } from '../../../src/projections/teams.ts';
import { statusOf } from '../../../src/projections/engine/read-your-writes.ts';
import type { EventBatch, SubscribeOptions } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { pantryFields } from '../../support/samples.ts';
import type { Stores } from '../../support/stores.ts';

/** The read model of teams under test, and whatever else there is to project, in the stores that are open now. */
export function teamsIn(open: () => Stores) {
  const of = async (name: string, type: string) =>
    (await open().store.readStream(`projection-${name}`)).filter((event) => event.type === type);
  return {
    createTeam: (slug: string, into = open()) =>
      commandTeam(into.store, { kind: 'create', team: slug, name: `Team ${slug}` }, aCommand()),
    team: (slug: string, from = open()) => from.documents.collection(teams.collection).get(slug),
    checkpointOf: async (name: string) => (await open().documents.progress()).get(name)?.checkpoint,
    failureOf: async (each: AnyProjection) => (await statusOf(open(), [each]))[0]?.failure,
    switched: (name: string) => of(name, 'GenerationSwitched'),
    cancelled: (name: string) => of(name, 'RebuildCancelled'),
    aBusyDay: () => aBusyDay(open()),
    gated: () => gated(open()),
  };
}

export const any = (each: unknown) => each as AnyProjection;
export const justTeams = [any(teams)];

/** Teams, told apart by who folds them or how. */
export const teamsThat = (rest: {
  version?: number;
  fold?: (doc: TeamDocument | undefined, slug: string) => TeamDocument | undefined;
}) =>
  any(
    projection({
      ...teams,
      version: rest.version ?? teams.version,
      fold: (doc, event) => {
        const folded = teams.fold(doc, event);
        return rest.fold ? rest.fold(folded, event.data.team) : folded;
      },
    }),
  );

/** Some of everything that there is to project. */
async function aBusyDay(stores: Stores): Promise<void> {
  for (const slug of ['harbour', 'inland'])
    await commandTeam(stores.store, { kind: 'create', team: slug, name: `Team ${slug}` }, aCommand());
  await commandTeam(
    stores.store,
    { kind: 'enable-scopes', team: 'harbour', scopes: ['audit:read'] },
    aCommand(),
  );
  for (let n = 0; n < 6; n++) {
    const { state } = await submitResource(
      stores,
      { team: 'harbour', fields: { ...pantryFields, name: `Pantry ${n}` } },
      aCommand(),
    );
    const svcId = state?.svc_id ?? '';
    if (n % 3 > 0) await commandResource(stores, svcId, { kind: 'approve' }, aCommand());
    if (n % 3 === 2) await commandResource(stores, svcId, { kind: 'deactivate' }, aCommand());
  }
  await createApiKey(
    stores,
    { kind: 'developer', scopes: ['resources:read'], domains: [] },
    new Uint8Array(32),
    aCommand(),
  );
  const wish = { team: 'harbour', url: 'https://example.org/', events: ['resource.approved'] } as const;
  await createSubscription(stores, wish, 'whsec_x', aCommand());
}

/** A store whose log can be read from the first event only once the gate is open. */
function gated(stores: Stores) {
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let reached: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    reached = resolve;
  });
  async function* subscribe(options: SubscribeOptions): AsyncGenerator<EventBatch> {
    if (options.after === -1n) {
      reached();
      const aborted = new Promise<void>((resolve) =>
        options.signal.addEventListener('abort', () => resolve()),
      );
      await Promise.race([gate, aborted]);
    }
    yield* stores.store.subscribe(options);
  }
  return { open, waiting, store: altered(stores.store, { subscribe }) };
}

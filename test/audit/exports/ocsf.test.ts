import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ocsf } from '../../../src/audit/exports/ocsf.ts';
import { ocsfActivityOf, ocsfClasses } from '../../../src/audit/ocsf-activities.ts';
import { contentOf, type LoggedEvent } from '../../../src/audit/proof-log/entry.ts';
import { subjectsOf } from '../../../src/events/audit-subjects.ts';
import { eventTypes, eventVersions } from '../../../src/events/catalogue.ts';
import type { Actor } from '../../../src/events/metadata.ts';
import { everyEvent, ids, sampleOf } from '../../support/every-event.ts';
import { problemsBySchema } from '../../support/json-schema.ts';

/** Derived from the schema that OCSF publishes (Apache-2.0); its first lines say from what. */
const published = JSON.parse(
  readFileSync(new URL('../../fixtures/ocsf-1.8.0.json', import.meta.url), 'utf8'),
) as { readonly $schema: string; readonly $defs: Readonly<Record<string, object>> };

/** What is wrong with an event by the published schema of its class. */
const problems = new Map(
  Object.entries(ocsfClasses).map(([name, { uid }]) => [
    uid as number,
    problemsBySchema({ $schema: published.$schema, $defs: published.$defs, $ref: `#/$defs/${name}` }),
  ]),
);

interface OcsfEvent {
  readonly class_uid: number;
  readonly category_uid: number;
  readonly activity_id: number;
  readonly activity_name?: string;
  readonly type_uid: number;
  readonly severity_id: number;
  readonly status_id: number;
  readonly time: number;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly actor: object;
  readonly user?: object;
  readonly service?: object;
  readonly entity?: object;
  readonly api?: object;
  readonly resources?: readonly object[];
  readonly raw_data: string;
}

const format = ocsf(ids.installation);
const at = '2026-03-04T05:06:07.000Z';
const eventId = '44444444-0000-4000-8000-000000000001';
const correlation = '55555555-0000-4000-8000-000000000001';

function logged(
  { type, stream, data }: { readonly type: string; readonly stream: string; readonly data: unknown },
  actor: Actor = { kind: 'system', id: 'cli' },
): LoggedEvent {
  const metadata = {
    commonweal_schema: eventVersions()[type] ?? 1,
    actor,
    command_id: correlation,
    correlation_id: correlation,
    causation_id: correlation,
    at,
    installation: ids.installation,
  };
  return { id: eventId, stream, revision: 3, type, data, metadata };
}

const lineOf = (event: LoggedEvent): string =>
  format.line({ index: 7, event, content: contentOf(event) }).toString();
const written = (event: LoggedEvent): OcsfEvent => JSON.parse(lineOf(event)) as OcsfEvent;
const problemsOf = (event: OcsfEvent): readonly object[] =>
  problems.get(event.class_uid)?.(event) ?? [{ class: event.class_uid }];

describe('an event of every type of the catalogue', () => {
  it('has a sample here', () => {
    expect(everyEvent.map(({ type }) => type).sort()).toEqual([...eventTypes].sort());
  });

  it.each(everyEvent)('$type is valid by the published schema of its class, and is read back', (sample) => {
    const event = logged(sample);
    const exported = written(event);
    expect(problemsOf(exported)).toEqual([]);
    expect(exported).toMatchObject({
      metadata: { uid: eventId, correlation_uid: correlation, event_code: sample.type, sequence: 7 },
      category_uid: Math.trunc(exported.class_uid / 1_000),
      type_uid: exported.class_uid * 100 + exported.activity_id,
      time: Date.parse(at),
    });
    expect(exported.activity_name).toBe(exported.activity_id === 99 ? sample.type : undefined);
    expect(format.read(lineOf(event))).toEqual(event);
    expect(format.leafIn?.(lineOf(event))).toBe(7);
  });

  it.each(everyEvent)('$type says outside of raw_data no more than names of ours and ids', (sample) => {
    const { raw_data: _, ...mapped } = written(logged(sample));
    const subjects = subjectsOf(sample).flatMap(({ kind, id }) => [kind, id]);
    const allowed = new Set<string>([
      ...['1.8.0', 'Commonweal', 'audit', 'Unknown', 'system', 'cli', 'stream'],
      ...[ids.installation, eventId, correlation, at, sample.type, sample.stream, ...subjects],
      String(eventVersions()[sample.type]),
    ]);
    expect(textsIn(mapped).filter((text) => !allowed.has(text))).toEqual([]);
  });
});

const textsIn = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

it('finds by the published schema what is wrong', () => {
  const right = written(logged(sampleOf('UserRegistered')));
  expect(problemsOf({ ...right, activity_id: 42 })).not.toEqual([]);
  expect(problemsOf({ ...right, type_uid: 300_203 })).not.toEqual([]);
  expect(problemsOf({ ...right, severity_id: 12 })).not.toEqual([]);
  expect(problemsOf({ ...right, metadata: { ...right.metadata, version: undefined } })).not.toEqual([]);
  expect(problemsOf({ ...right, actor: {} })).not.toEqual([]);
  expect(problemsOf({ ...right, colour: 'red' } as OcsfEvent)).not.toEqual([]);
});

it('says in each class what happened to whom', () => {
  const of = (type: Parameters<typeof sampleOf>[0]) => written(logged(sampleOf(type)));
  expect(of('PasskeyAdded')).toMatchObject({ type_uid: 300_110, user: { uid: ids.ana, type_id: 1 } });
  expect(of('UserPasswordChanged')).toMatchObject({ type_uid: 300_103, status_id: 1, severity_id: 1 });
  expect(of('SessionStarted')).toMatchObject({
    type_uid: 300_201,
    user: { uid: ids.ana },
    service: { name: 'Commonweal' },
  });
  expect(of('SignInsRefused')).toMatchObject({ type_uid: 300_201, status_id: 2, severity_id: 3 });
  expect(of('RefreshTokenReused')).toMatchObject({
    type_uid: 300_299,
    activity_name: 'RefreshTokenReused',
    auth_protocol_id: 4,
    service: { uid: ids.client },
    severity_id: 4,
  });
  expect(of('ApiKeyRevoked')).toMatchObject({ type_uid: 300_404, entity: { uid: ids.key, type: 'key' } });
  expect(of('SubscriptionAutoPaused')).toMatchObject({
    type_uid: 300_412,
    entity: { uid: ids.subscription },
  });
  expect(of('AuditExported')).toMatchObject({
    type_uid: 600_302,
    api: { operation: 'AuditExported' },
    resources: [{ uid: ids.team, type: 'team' }],
  });
  const { user } = written(
    logged({
      ...sampleOf('SignInsRefused'),
      data: { network: 'x', from: 'network', attempts: 9, seconds: 9 },
    }),
  );
  expect(user).toEqual({ name: 'Unknown', type_id: 0 });
});

it.each<[Actor, object]>([
  [{ kind: 'user', id: ids.ana }, { user: { uid: ids.ana, type_id: 1 } }],
  [
    { kind: 'key', id: ids.key },
    { app_uid: ids.key, app_name: 'key' },
  ],
  [
    { kind: 'client', id: ids.client },
    { app_uid: ids.client, app_name: 'client' },
  ],
  [
    { kind: 'system', id: 'cli', on_behalf_of: ids.ben },
    { user: { uid: ids.ben, type_id: 1 }, app_uid: 'cli', app_name: 'system' },
  ],
  // Nobody has checked who an operator claims to be.
  [
    { kind: 'system', id: 'cli', on_behalf_of: ids.ben, claims_to_be: ids.ben },
    { app_uid: 'cli', app_name: 'system' },
  ],
])('says who acted: %j', (actor, expected) => {
  const exported = written(logged(sampleOf('TeamCreated'), actor));
  expect(exported.actor).toEqual(expected);
  expect(problemsOf(exported)).toEqual([]);
});

it('has an event of a newer release as API Activity: Other', () => {
  const event = logged({ type: 'TeamPainted', stream: 'team-harbor', data: { colour: 'red' } });
  const exported = written(event);
  expect(exported).toMatchObject({
    type_uid: 600_399,
    activity_name: 'TeamPainted',
    severity_id: 1,
    resources: [{ uid: 'harbor', type: 'team' }],
  });
  expect(problemsOf(exported)).toEqual([]);
  expect(format.read(lineOf(event))).toEqual(event);
});

it('is in the guide type by type', () => {
  const guide = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8');
  const inGuide = new Map(
    [...guide.matchAll(/^\| [A-Z][\w ]+ (\d{4}) +\| [^|]*?\((\d+)\) +\|([^|]*)\|$/gm)].flatMap(
      ([, uid, activity, types = '']) =>
        [...types.matchAll(/`(\w+)`/g)].map(([, type = '']) => [type, `${uid} ${activity}`] as const),
    ),
  );
  expect(inGuide.size).toBeGreaterThan(100);
  for (const type of eventTypes) {
    const { class: name, activity } = ocsfActivityOf(type);
    const { uid } = ocsfClasses[name];
    // The guide says the rule for what it does not name.
    expect([type, inGuide.get(type) ?? '6003 99']).toEqual([type, `${uid} ${activity}`]);
  }
});

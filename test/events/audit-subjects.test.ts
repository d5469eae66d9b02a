import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { definitionOf, eventTypes, streams, type EventType } from '../../src/events/catalogue.ts';
import {
  kindOfStream,
  subjectNamedBy,
  subjectOfField,
  subjectOfStream,
  subjectsOf,
  isOfOneTeam,
  teamOf,
  type Subject,
} from '../../src/events/audit-subjects.ts';
import { everyEvent, ids, sampleOf } from '../support/every-event.ts';

const named = (subjects: readonly Subject[]): string[] => subjects.map(({ kind, id }) => `${kind} ${id}`);
const of = (type: EventType): string[] => named(subjectsOf(sampleOf(type)));

/** Fields whose values have the shape of an id, and that identify nothing that somebody would search for. */
const identifyNothing = [
  'ask',
  'office',
  'claim',
  'data_key',
  'link',
  'hold',
  'password_id',
  'secret_id',
  'next_secret_id',
  'secret_sha256',
  'body_sha256',
  'body_hmac',
  'digest',
  'answer_sha256',
  'network',
  'master_key',
  // The correlation of a merge, by which its events are walked.
  'merge',
  // The same of a closing.
  'closing',
];
/** Fields with personal data, keys or texts, whose schema has a pattern. */
const contents = [
  'profile',
  'email_sealed',
  'label_sealed',
  'address_sealed',
  'language_sealed',
  'url_sealed',
  'label',
  'memo',
  'said',
  'suggested',
  'reason',
  'nonce',
  'answers_sealed',
  'credential',
  'public_key',
  'code_challenge',
  'token_key',
  'vkey',
  'currency',
  'slug',
  'host',
  'details',
];
const times = [
  'expires_at',
  'proves_until',
  'device',
  'submitted_at',
  'occurred_at',
  'redeemed_at',
  'rotated_at',
  'started_at',
  'next_attempt_at',
  'due_at',
  'taken_at',
  'until',
  'restored_at',
  'ended_at',
  'day',
  'paid_until',
  'mailed_at',
  'again_on',
  'many_gone_until',
];

describe('the samples', () => {
  it('have a valid event of every type, in a stream of its kind', () => {
    expect(everyEvent.map(({ type }) => type).sort()).toEqual([...eventTypes].sort());
    for (const { type, stream, data } of everyEvent) {
      expect(definitionOf(type)?.data.safeParse(data).error?.issues, type).toBeUndefined();
      expect(streams.find(({ events }) => type in events)?.name, type).toBe(kindOfStream(stream));
    }
  });
});

describe('the subjects of an event', () => {
  it('are decided for every kind of stream', () => {
    expect(Object.keys(subjectOfStream).sort()).toEqual(streams.map(({ name }) => name).sort());
  });

  it('are decided for every field that has the shape of an id', () => {
    const undecided = eventTypes.flatMap((type) =>
      idFieldsOf(type)
        .filter((field) => !(field in subjectOfField))
        .filter((field) => ![...identifyNothing, ...contents, ...times].includes(field))
        // The id of a contact person, and the sealed name of a member.
        .filter(
          (field) =>
            !(field === 'person' && /^(Resource|Organization)PersonErased$|^MemberJoined$/.test(type)),
        )
        .map((field) => `${type}.${field}`),
    );
    expect(undecided).toEqual([]);
  });

  it('name no field that no event has', () => {
    const fields = new Set(eventTypes.flatMap((type) => Object.keys(shapeOf(type))));
    expect(Object.keys(subjectOfField).filter((field) => !fields.has(field))).toEqual([]);
  });

  it('are at least one for every event but those about the audit log and the outbox', () => {
    const nothing = everyEvent.filter((event) => subjectsOf(event).length === 0).map(({ type }) => type);
    expect(nothing).toEqual(['OutboxViewed']);
  });

  it('are each said once', () => {
    for (const event of everyEvent) {
      const subjects = named(subjectsOf(event));
      expect(subjects, event.type).toEqual([...new Set(subjects)]);
    }
  });

  it('are the person, the client and the session of a grant', () => {
    expect(of('TokensIssued')).toEqual([
      `grant ${ids.grant}`,
      `person ${ids.ana}`,
      `client ${ids.client}`,
      `session ${ids.session}`,
    ]);
    expect(of('ConsentRevoked')).toEqual([`person ${ids.ana}`, `client ${ids.client}`]);
  });

  it('come from the stream where the data is empty', () => {
    expect(of('FormClosed')).toEqual([`form ${ids.form}`]);
    expect(of('ApiKeyRevoked')).toEqual([`key ${ids.key}`]);
    expect(of('ResourceReactivated')).toEqual([`resource ${ids.resource}`]);
    expect(of('DeliveryExpired')).toEqual([`delivery ${ids.delivery}`, `subscription ${ids.subscription}`]);
  });

  it('are the people whom a record names', () => {
    expect(of('ResourceRevised')).toEqual([
      `resource ${ids.resource}`,
      `contact ${ids.contact}`,
      `contact ${ids.verifier}`,
    ]);
    expect(of('ResourcePersonErased')).toContain(`contact ${ids.contact}`);
  });

  it('are what a delivery reports', () => {
    expect(of('DeliveryScheduled')).toContain(`resource ${ids.resource}`);
  });

  it('are whom a question to the audit log was about', () => {
    const asked = sampleOf('AuditQueried');
    const filter = { subject: `person:${ids.ana}`, actor: 'system:cli' };
    expect(named(subjectsOf({ ...asked, data: { ...asked.data, filter } }))).toEqual([`person ${ids.ana}`]);
    const odd = { subject: 'nobody', team: 'harbor' };
    expect(named(subjectsOf({ ...asked, data: { ...asked.data, filter: odd } }))).toEqual(['team harbor']);
  });

  it('are never a sealed text', () => {
    expect(of('MemberJoined')).toEqual([
      `team ${ids.team}`,
      `person ${ids.ana}`,
      `invitation ${ids.invitation}`,
    ]);
  });

  it('are in the name of a stream, unless it is none of ours', () => {
    expect(subjectNamedBy(`webhook-delivery-${ids.delivery}`)).toEqual({
      kind: 'delivery',
      id: ids.delivery,
    });
    expect(subjectNamedBy('$persistentsubscription-x')).toBeUndefined();
    expect(subjectNamedBy('installation-self')).toBeUndefined();
    expect(kindOfStream('users-7')).toBeUndefined();
  });
});

describe('the team of an event', () => {
  it('is the one that it says', () => {
    expect(teamOf(sampleOf('ResourceApproved'))).toBe(ids.team);
    expect(teamOf(sampleOf('DeliveryScheduled'))).toBe(ids.team);
    expect(teamOf(sampleOf('TeamCreated'))).toBe(ids.team);
  });

  it('is unsaid where an event does not repeat it, and where it belongs to no team', () => {
    for (const type of ['ResourceRevised', 'ApiKeyRevoked', 'DeliverySucceeded', 'FormClosed'] as const)
      expect(teamOf(sampleOf(type)), type).toBeUndefined();
    for (const type of ['UserRegistered', 'TokensIssued', 'ConsentGranted', 'OutboxViewed'] as const)
      expect(teamOf(sampleOf(type)), type).toBeUndefined();
  });

  it('is the team whose key read the audit log', () => {
    const asked = sampleOf('AuditQueried');
    expect(teamOf(asked)).toBe(ids.team);
    expect(teamOf({ ...asked, data: { ...asked.data, filter: {} } })).toBeUndefined();
  });

  it('is said by the first event of a stream whose later events do not say it', () => {
    for (const { name, events } of streams) {
      const saying = Object.keys(events).filter((type) => teamOf(sampleOf(type as EventType)) !== undefined);
      const isOfOne = saying.length > 0 && name !== 'audit-access';
      if (isOfOne) expect(saying[0], name).toBe(Object.keys(events)[0]);
      expect(isOfOneTeam(`${name}-1`), name).toBe(isOfOne);
    }
  });
});

const shapeOf = (type: string): Readonly<Record<string, z.ZodType>> =>
  (definitionOf(type)?.data as z.ZodObject).shape;

/** The top-level fields of an event's data that are a UUID, or a text with a pattern. */
function idFieldsOf(type: string): string[] {
  return Object.entries(shapeOf(type))
    .filter(([, schema]) => {
      const {
        type: kind,
        pattern,
        format,
      } = z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
      });
      return kind === 'string' && (pattern !== undefined || format !== undefined);
    })
    .map(([field]) => field);
}

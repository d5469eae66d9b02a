import { streams, type DomainEvent } from './catalogue.ts';
import type { SealedPeople } from './directory/people.ts';

/** What events can be about. Audit search finds events by them. */
export const subjectKinds = [
  'installation',
  'person',
  'address',
  'session',
  'team',
  'invitation',
  'client',
  'grant',
  'signing-key',
  'key',
  'resource',
  'import',
  'bulk',
  'organization',
  'contact',
  'report',
  'suggestion',
  'form',
  'submission',
  'payment',
  'subscription',
  'delivery',
  'read-model',
] as const;
export type SubjectKind = (typeof subjectKinds)[number];

/** Somebody or something that an event is about. An `address` is the keyed hash of an email address. */
export interface Subject {
  readonly kind: SubjectKind;
  readonly id: string;
}

/** An event in the newest version of its data, and its stream. */
export type SubjectEvent = DomainEvent & { readonly stream: string };

/**
 * What the id in a stream's name identifies. Null: nothing by itself. The stream of a consent is named after a person
 * and a client, which its events also say.
 */
export const subjectOfStream: Readonly<Record<string, SubjectKind | null>> = {
  installation: null,
  user: 'person',
  email: 'address',
  session: 'session',
  'refused-sign-ins': null,
  team: 'team',
  client: 'client',
  consent: null,
  grant: 'grant',
  'signing-key': 'signing-key',
  'api-key': 'key',
  resource: 'resource',
  import: 'import',
  merges: 'team',
  bulk: 'bulk',
  source: null,
  following: null,
  followed: null,
  view: null,
  organization: 'organization',
  mistake: 'report',
  suggestion: 'suggestion',
  'agency-asking': 'team',
  'agency-contact': 'address',
  'agency-call': 'resource',
  claim: 'address',
  'keeping-rules': 'team',
  form: 'form',
  submission: 'submission',
  payment: 'payment',
  'listed-member': 'person',
  'webhook-subscription': 'subscription',
  'webhook-delivery': 'delivery',
  projection: 'read-model',
  'audit-access': null,
};

/** What a field of an event's data identifies. */
export const subjectOfField: Readonly<Record<string, SubjectKind>> = {
  installation: 'installation',
  user: 'person',
  member: 'person',
  administrator: 'person',
  contact: 'address',
  email: 'address',
  session: 'session',
  team: 'team',
  invitation: 'invitation',
  client: 'client',
  grant: 'grant',
  kid: 'signing-key',
  key_id: 'key',
  svc_id: 'resource',
  merged_into: 'resource',
  duplicate: 'resource',
  survivor: 'resource',
  org_id: 'organization',
  report: 'report',
  suggestion: 'suggestion',
  form: 'form',
  submission: 'submission',
  payment: 'payment',
  subscription: 'subscription',
  delivery: 'delivery',
  import: 'import',
  projection: 'read-model',
};

/**
 * Whom and what an event is about: what its stream is named after, what its fields identify, the contact persons of a
 * record, what a delivery reports, and whom a question to the audit log was about. The actor is not among them, unless the event is also about the actor.
 */
export function subjectsOf(event: SubjectEvent): readonly Subject[] {
  const found: Subject[] = [];
  const add = (kind: SubjectKind, id: string) => {
    if (!found.some((each) => each.kind === kind && each.id === id)) found.push({ kind, id });
  };
  const own = subjectNamedBy(event.stream);
  if (own) add(own.kind, own.id);
  const team = 'filter' in event.data ? teamOf(event) : undefined;
  if (team !== undefined) add('team', team);
  for (const [field, value] of Object.entries(event.data)) {
    const kind = Object.hasOwn(subjectOfField, field) ? subjectOfField[field] : undefined;
    if (kind !== undefined && typeof value === 'string') add(kind, value);
  }
  if ('svc_ids' in event.data) for (const id of event.data.svc_ids) add('resource', id);
  if (event.type === 'DuplicatesDismissed') for (const id of event.data.records) add('resource', id);
  for (const person of contactsIn(event)) add('contact', person);
  const requested = 'filter' in event.data ? subjectIn(event.data.filter['subject'] ?? '') : undefined;
  if (requested) add(requested.kind, requested.id);
  const source = event.type === 'DeliveryScheduled' ? event.data.source : undefined;
  const reported = source && subjectNamedBy(source.stream);
  if (reported) add(reported.kind, reported.id);
  return found;
}

/** What a stream is named after. Undefined for a stream of no kind of ours, or of one that names nothing. */
export function subjectNamedBy(stream: string): Subject | undefined {
  const name = kindOfStream(stream);
  const kind = name === undefined ? null : subjectOfStream[name];
  if (name === undefined || !kind) return undefined;
  return { kind, id: stream.slice(name.length + 1) };
}

/** The kind of a stream, by its name. Undefined when it is none of ours. */
export const kindOfStream = (stream: string): string | undefined =>
  beginnings.find(({ beginning }) => stream.startsWith(beginning))?.name;

const beginnings = streams.map(({ name }) => ({ name, beginning: `${name}-` }));

/**
 * The team that an event says it belongs to. Later events of some streams do not repeat the team: it is then the team
 * of the stream's first event.
 */
export function teamOf(event: SubjectEvent): string | undefined {
  // A team's key reads and exports the team's events only, and the filter says so.
  if ('filter' in event.data) return event.data.filter['team'];
  return 'team' in event.data ? event.data.team : undefined;
}

/** Kinds of streams that are of one team: its first event says it, and later ones need not. The stream of a day of questions to the audit log is not. */
const kindsOfOneTeam = [
  'team',
  'client',
  'api-key',
  'resource',
  'import',
  'merges',
  'bulk',
  'source',
  'following',
  'followed',
  'view',
  'organization',
  'mistake',
  'suggestion',
  'agency-asking',
  'agency-contact',
  'agency-call',
  'claim',
  'keeping-rules',
  'form',
  'submission',
  'payment',
  'listed-member',
  'webhook-subscription',
  'webhook-delivery',
];
const ofOneTeam = new RegExp(`^(?:${kindsOfOneTeam.join('|')})-`);

/** Whether an event that says no team belongs to the team of its stream's first event. */
export const isOfOneTeam = (stream: string): boolean => ofOneTeam.test(stream);

/** A subject as filters and answers write it: `person:{id}`. */
export const subjectText = ({ kind, id }: Subject): string => `${kind}:${id}`;

/** The subject that such a text names. Undefined when it names none. */
export function subjectIn(text: string): Subject | undefined {
  const [, word, id] = /^([a-z-]+):(.+)$/s.exec(text) ?? [];
  const kind = subjectKinds.find((each) => each === word);
  return kind === undefined || id === undefined ? undefined : { kind, id };
}

/** The people that a record or an organization names: they are no users, and have data keys of their own. */
function contactsIn(event: SubjectEvent): readonly string[] {
  if (event.type === 'ResourcePersonErased' || event.type === 'OrganizationPersonErased')
    return [event.data.person];
  // Those of a suggestion are names.
  if (!('fields' in event.data) || Array.isArray(event.data.fields)) return [];
  const { contacts = [], verified_by: verifier }: SealedPeople = event.data.fields;
  // Builds from before the first release wrote `verified_by` in clear.
  const people = [...contacts, ...(typeof verifier === 'object' ? [verifier] : [])];
  return people.map(({ person }) => person);
}

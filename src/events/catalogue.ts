import type { EventDefinition, StreamDefinition } from './define.ts';
import { auditAccessStream, type AuditAccessEvent } from './audit.ts';
import { apiKeyStream, type ApiKeyEvent } from './keys.ts';
import { clientStream, type ClientEvent } from './oauth/client.ts';
import { consentStream, type ConsentEvent } from './oauth/consent.ts';
import { emailStream, type EmailEvent } from './accounts/email.ts';
import {
  followedStream,
  followingStream,
  type FollowedEvent,
  type FollowingEvent,
} from './directory/upkeep/following.ts';
import { formStream, type FormEvent } from './forms/form.ts';
import { formSubmissionStream, type FormSubmissionEvent } from './forms/submission.ts';
import { grantStream, type GrantEvent } from './oauth/grant.ts';
import { installationStream, type InstallationEvent } from './installation.ts';
import {
  agencyAskingStream,
  agencyCallStream,
  type AgencyAskingEvent,
  type AgencyCallEvent,
} from './directory/upkeep/agency-asking.ts';
import { agencyContactStream, type AgencyContactEvent } from './directory/upkeep/agency-contact.ts';
import {
  claimRulesStream,
  claimStream,
  type ClaimEvent,
  type ClaimRulesEvent,
} from './directory/upkeep/claim.ts';
import { mistakeStream, type MistakeEvent } from './directory/upkeep/mistake.ts';
import { suggestionStream, type SuggestionEvent } from './directory/upkeep/suggestion.ts';
import { organizationStream, type OrganizationEvent } from './directory/organization.ts';
import { listedMemberStream, paymentStream, type ListedMemberEvent, type PaymentEvent } from './payments.ts';
import { projectionStream, type ProjectionEvent } from './projection.ts';
import { refusedSignInStream, type RefusedSignInEvent } from './accounts/refused-sign-in.ts';
import { bulkStream, type BulkEvent } from './directory/bulk.ts';
import { importStream, type ImportEvent } from './directory/import.ts';
import { mergesStream, type MergesEvent } from './directory/merges.ts';
import { resourceStream, type ResourceEvent } from './directory/resource.ts';
import { sourceStream, type SourceEvent } from './directory/source.ts';
import { sessionStream, type SessionEvent } from './accounts/session.ts';
import { signingKeyStream, type SigningKeyEvent } from './oauth/signing-key.ts';
import { teamStream, type TeamEvent, viewStream, type ViewEvent } from './teams.ts';
import { userStream, type UserEvent } from './accounts/user.ts';
import {
  deliveryStream,
  subscriptionStream,
  type DeliveryEvent,
  type SubscriptionEvent,
} from './webhooks/webhook.ts';

/** All kinds of streams. docs/events.md is generated from them. */
export const streams: readonly StreamDefinition[] = [
  installationStream,
  userStream,
  emailStream,
  sessionStream,
  refusedSignInStream,
  teamStream,
  viewStream,
  clientStream,
  consentStream,
  grantStream,
  signingKeyStream,
  apiKeyStream,
  resourceStream,
  importStream,
  mergesStream,
  bulkStream,
  sourceStream,
  followingStream,
  followedStream,
  organizationStream,
  mistakeStream,
  suggestionStream,
  agencyAskingStream,
  agencyContactStream,
  agencyCallStream,
  claimStream,
  claimRulesStream,
  formStream,
  formSubmissionStream,
  paymentStream,
  listedMemberStream,
  subscriptionStream,
  deliveryStream,
  projectionStream,
  auditAccessStream,
];

export type DomainEvent =
  | InstallationEvent
  | UserEvent
  | EmailEvent
  | SessionEvent
  | RefusedSignInEvent
  | TeamEvent
  | ViewEvent
  | ClientEvent
  | ConsentEvent
  | GrantEvent
  | SigningKeyEvent
  | ApiKeyEvent
  | ResourceEvent
  | ImportEvent
  | MergesEvent
  | BulkEvent
  | SourceEvent
  | FollowingEvent
  | FollowedEvent
  | OrganizationEvent
  | MistakeEvent
  | SuggestionEvent
  | AgencyAskingEvent
  | AgencyContactEvent
  | AgencyCallEvent
  | ClaimEvent
  | ClaimRulesEvent
  | FormEvent
  | FormSubmissionEvent
  | PaymentEvent
  | ListedMemberEvent
  | SubscriptionEvent
  | DeliveryEvent
  | ProjectionEvent
  | AuditAccessEvent;
export type EventType = DomainEvent['type'];

const definitions: ReadonlyMap<string, EventDefinition> = new Map(
  streams.flatMap((each) => Object.entries(each.events)),
);

/** Every event type that this release knows. */
export const eventTypes: readonly string[] = [...definitions.keys()];

/** The newest schema version of each event type that this release reads and writes. */
export const eventVersions = (): Readonly<Record<string, number>> =>
  Object.fromEntries([...definitions].map(([type, { version }]) => [type, version]));

export const definitionOf = (type: string): EventDefinition | undefined => definitions.get(type);

/** An event of ours that a newer release wrote. */
export class UnknownEvent extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnknownEvent';
  }
}

/**
 * The data of an event in the newest schema version. Data was validated when it was appended, so it is not validated
 * again: a rebuild would take much longer.
 * @throws UnknownEvent for a type or a version that this release does not know
 */
export function upcast(
  event: {
    readonly type: string;
    readonly data: unknown;
    readonly metadata: Readonly<Record<string, unknown>>;
  },
  definition = definitions.get(event.type),
): DomainEvent {
  const written = event.metadata['commonweal_schema'];
  if (!definition || typeof written !== 'number' || written > definition.version) {
    throw new UnknownEvent(
      `${event.type} (schema ${String(written)}) is unknown to this version of Commonweal.`,
    );
  }
  let data = event.data;
  for (let version = written; version < definition.version; version++) {
    const step = definition.upcast?.[version];
    if (!step) throw new Error(noWay(event.type, version, definition));
    data = step(data, event.metadata);
  }
  return { type: event.type, data } as DomainEvent;
}

/** Event versions count from release 1.0.0: those of development versions from before it have no upcaster. */
const noWay = (type: string, version: number, { upcast: steps = {} }: EventDefinition): string =>
  Object.keys(steps).some((step) => Number(step) < version)
    ? `${type} has no way from schema ${version} to ${version + 1}.`
    : `${type} (schema ${version}) was written by a development version from before 1.0.0, which this release does not read. Serve this log with the version that wrote it.`;

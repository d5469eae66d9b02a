import { counted } from '../../ground/counted.ts';
import { hostOf, type DeliveryEvent, type SubscriptionEvent } from '../../events/webhooks/webhook.ts';
import type { AuditAccessEvent } from '../../events/audit.ts';
import type { InstallationEvent } from '../../events/installation.ts';
import type { ProjectionEvent } from '../../events/projection.ts';
import type { Sentences } from './of-people.ts';
import { plainLine } from './speaker.ts';

const events = (count: number): string => (count === 1 ? '1 event' : `${count} events`);

const questionTexts = {
  events: 'searched the audit log',
  correlation: 'followed a request through the audit log',
  'as-of': 'asked what was true at a time',
  entries: 'read entries of the proof log',
  proof: 'asked for a proof of the proof log',
  'key-usage': 'asked what a key was used for',
} as const;

export const ofWebhooks: Sentences<SubscriptionEvent | DeliveryEvent> = {
  SubscriptionCreated: ({ data }, say) =>
    `${say.actor} subscribed ${hostOf(data)} to ${data.events.join(', ')} of ${say.team(data.team)}`,
  SubscriptionEventsChosen: ({ data }, say) =>
    `${say.actor} chose ${data.events.join(', ')} for ${hostOf(data)}`,
  SubscriptionUrlChanged: ({ data }, say) =>
    `${say.actor} changed the address of a webhook to one at ${hostOf(data)}`,
  SubscriptionNamed: ({ data }, say) =>
    data.name === undefined
      ? `${say.actor} took the name of the webhook to ${hostOf(data)} away`
      : `${say.actor} named the webhook to ${hostOf(data)} ${plainLine(data.name)}`,
  SubscriptionPaused: ({ data }, say) => `${say.actor} paused the webhooks to ${hostOf(data)}`,
  SubscriptionAutoPaused: ({ data }, say) =>
    `${say.actor} paused the webhooks to ${hostOf(data)}${say.because(data.paused_because)}`,
  SubscriptionResumed: ({ data }, say) => `${say.actor} resumed the webhooks to ${hostOf(data)}`,
  SubscriptionHealthConfirmed: ({ data }, say) =>
    `${say.actor} confirmed that ${hostOf(data)} takes webhooks again`,
  SubscriptionSecretRotated: ({ data }, say) =>
    `${say.actor} replaced the signing secret of the webhooks to ${hostOf(data)}`,
  SubscriptionSecretPrepared: ({ data }, say) =>
    `${say.actor} prepared the next signing secret of the webhooks to ${hostOf(data)}`,
  SubscriptionSecretActivated: ({ data }, say) =>
    `${say.actor} activated the prepared signing secret of the webhooks to ${hostOf(data)}`,
  SubscriptionDeleted: ({ data }, say) => `${say.actor} deleted the webhook to ${hostOf(data)}`,
  DeliveryScheduled: ({ data }, say) =>
    `${say.actor} scheduled a ${data.test ? 'test ' : ''}webhook ${data.event} for ${say.subscription(data.subscription)}`,
  DeliverySucceeded: ({ data }, say) =>
    `Attempt ${data.attempt} of a webhook reached ${say.subscription(data.subscription)}`,
  DeliveryAttemptFailed: ({ data }, say) =>
    `Attempt ${data.attempt} of a webhook to ${say.subscription(data.subscription)} failed${say.because(data.error)}`,
  DeliveryFailed: ({ data }, say) =>
    data.reason === 'erased'
      ? `A webhook to ${say.subscription(data.subscription)} was given up, because its person is erased`
      : `A webhook to ${say.subscription(data.subscription)} was given up after ${counted(data.attempt, 'attempt')}${say.because(data.error)}`,
  DeliveryResent: ({ data }, say) =>
    `${say.actor} asked to send a webhook again to ${say.subscription(data.subscription)}`,
  DeliveryDiscarded: ({ data }, say) =>
    `${say.actor} discarded a webhook to ${say.subscription(data.subscription)}`,
  DeliveryParked: ({ data }, say) =>
    `${say.actor} set aside a webhook to ${say.subscription(data.subscription)} that could not be sent${say.because(data.reason)}`,
  DeliveryReversed: ({ data }, say) =>
    `A webhook to ${say.subscription(data.subscription)} is not sent, because its payment was reversed`,
  DeliveryExpired: ({ data }, say) =>
    `A webhook to ${say.subscription(data.subscription)} was held for too long, and is not sent`,
};

export const ofOperations: Sentences<InstallationEvent | ProjectionEvent | AuditAccessEvent> = {
  InstallationNamed: () => 'The installation got its id',
  VaultReplaced: (_, say) => `${say.actor} accepted a new vault, because the old one was lost`,
  ProofLogReplaced: (_, say) => `${say.actor} accepted a new proof log, because the old one was lost`,
  ProofLogKeyRotated: ({ data }, say) =>
    `${say.actor} replaced the key of the proof log; the former one signs as well until ${data.until}`,
  ProofLogBegun: ({ data }, say) =>
    `${say.actor} began the proof log ${plainLine(data.log)}, because the former one, ${plainLine(data.former.log)}, ${data.reason === 'restored' ? 'could not go on after the restore of a backup' : 'was lost or did not fit the log'}`,
  BackupTaken: ({ data }, say) => `${say.actor} took a backup of ${events(data.events)}`,
  BackupTested: ({ data }, say) =>
    data.outcome === 'failed'
      ? `${say.actor} tested the backup of ${data.taken_at}, and it could not be restored`
      : `${say.actor} tested the backup of ${data.taken_at}: ${events(data.events)} restored${data.outcome === 'verified' ? ' and verified' : ''}`,
  BackupRestored: ({ data }, say) =>
    `${say.actor} restored the backup of ${data.taken_at}, with ${events(data.events)}`,
  TokenKeyReplaced: (_, say) => `${say.actor} replaced the key that authenticates tokens`,
  MasterKeyRotated: (_, say) => `${say.actor} sealed the vault under a new master key`,
  MasterKeyRotationEnded: (_, say) => `${say.actor} ended the rotation of the master key`,
  RebuildStarted: ({ data }, say) =>
    `${say.actor} asked to rebuild the read model ${plainLine(data.projection)}`,
  RebuildCancelled: ({ data }, say) =>
    `${say.actor} ended the rebuild of the read model ${plainLine(data.projection)}${say.because(data.reason)}`,
  GenerationSwitched: ({ data }) =>
    `The rebuilt read model ${plainLine(data.projection)} is served, as generation ${data.generation}`,
  AuditQueried: ({ data }, say) =>
    data.question === 'key-usage'
      ? `${say.actor} ${questionTexts[data.question]}`
      : `${say.actor} ${questionTexts[data.question]}, and saw ${events(data.events)}`,
  AuditExported: ({ data }, say) =>
    `${say.actor} exported ${events(data.events)} of the audit log as ${data.format}`,
  OutboxViewed: ({ data }, say) =>
    `${say.actor} opened the outbox with ${data.mails === 1 ? '1 email' : `${data.mails} emails`}`,
  AnswersDownloaded: ({ data }, say) =>
    `${say.actor} downloaded ${data.answers === 1 ? '1 answer' : `${data.answers} answers`} to ${say.form(data.form)} of ${say.team(data.team)} as ${data.format}`,
};

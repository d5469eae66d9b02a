import type { EventType } from '../../events/catalogue.ts';

/** What happened, in a word, and how several of it by one person are said: # is their number. */
type Said = string | readonly [word: string, several: string];

interface Group {
  /** As it stands in addresses. */
  readonly name: string;
  readonly label: string;
  readonly what: Readonly<Partial<Record<EventType, Said>>>;
}

/** What can happen, grouped as people look for it. Every type of the catalogue stands in one group. */
const groups: readonly Group[] = [
  {
    name: 'records',
    label: 'Records',
    what: {
      ResourceSubmitted: ['submitted', 'submitted # records'],
      ResourceRevised: ['changed', 'changed # records'],
      ResourceApproved: ['approved', 'approved # records'],
      ResourceRejected: ['rejected', 'rejected # records'],
      ResourceDeactivated: ['taken out', 'took # records out of the directory'],
      ResourceReactivated: ['put back', 'put # records back into the directory'],
      ResourceWithdrawn: 'taken back before review',
      ResourceResubmitted: 'put up for review again',
      ResourceReadFromSource: 'read from their source',
      ResourcePersonErased: 'a person erased',
    },
  },
  {
    name: 'organizations',
    label: 'Organizations',
    what: {
      OrganizationSubmitted: ['submitted', 'submitted # organizations'],
      OrganizationRevised: ['changed', 'changed # organizations'],
      OrganizationApproved: ['approved', 'approved # organizations'],
      OrganizationRejected: ['rejected', 'rejected # organizations'],
      OrganizationDeactivated: ['taken out', 'took # organizations out of the directory'],
      OrganizationReactivated: ['put back', 'put # organizations back into the directory'],
      OrganizationWithdrawn: 'taken back before review',
      OrganizationResubmitted: 'put up for review again',
      OrganizationReadFromSource: 'read from their source',
      OrganizationPersonErased: 'a person erased',
    },
  },
  {
    name: 'imports',
    label: 'Imports',
    what: {
      ImportBegun: 'begun',
      ImportEnded: 'ended',
      ImportUndoBegun: 'undoing begun',
      ImportUndone: 'undone',
      SourceNamed: 'a source named',
      SourceRenamed: 'a source renamed',
    },
  },
  {
    name: 'mistakes',
    label: 'Reported mistakes',
    what: {
      MistakeReported: 'reported',
      MistakeResolved: ['settled', 'settled # reported mistakes'],
      MistakeReportErased: 'erased',
    },
  },
  {
    name: 'people',
    label: 'People',
    what: {
      MemberInvited: ['invited', 'invited # people'],
      MemberJoined: 'joined',
      MemberRoleChanged: 'given another role',
      MemberLeft: 'left or removed',
      InvitationWithdrawn: ['invitation withdrawn', 'withdrew # invitations'],
      InvitationExpired: 'invitation not used in time',
    },
  },
  {
    name: 'team',
    label: 'Team',
    what: {
      TeamCreated: 'created',
      TeamScopesEnabled: 'what its keys may do',
      TeamTimeZoneSet: 'time zone set',
    },
  },
  {
    name: 'forms',
    label: 'Forms',
    what: {
      FormPublished: 'made public',
      FormRevised: 'changed',
      FormClosed: 'closed',
      FormReopened: 'opened again',
      FormReadersChosen: 'who reads the answers',
      FormSubmitted: 'answered',
      FormSubmissionStateChosen: ['answers taken up or done', 'said how far # answers are'],
      FormSubmissionErased: ['answers erased', 'erased # answers of forms'],
      AnswersDownloaded: 'answers downloaded',
    },
  },
  {
    name: 'payments',
    label: 'Payments',
    what: {
      PaymentRecorded: ['recorded', 'recorded # payments'],
      PaymentReversed: ['reversed', 'reversed # payments'],
    },
  },
  {
    name: 'keys',
    label: 'API keys',
    what: {
      ApiKeyCreated: ['made', 'made # keys'],
      ApiKeyDomainsChanged: 'domains changed',
      ApiKeyRevoked: ['revoked', 'revoked # keys'],
    },
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    what: {
      SubscriptionCreated: ['added', 'added # webhooks'],
      SubscriptionEventsChosen: 'events chosen',
      SubscriptionUrlChanged: 'address changed',
      SubscriptionPaused: 'paused by the team',
      SubscriptionAutoPaused: 'paused by the service',
      SubscriptionResumed: 'resumed',
      SubscriptionHealthConfirmed: 'confirmed healthy',
      SubscriptionSecretRotated: 'secret replaced',
      SubscriptionSecretPrepared: 'next secret prepared',
      SubscriptionSecretActivated: 'next secret activated',
      SubscriptionDeleted: ['deleted', 'deleted # webhooks'],
    },
  },
  {
    name: 'deliveries',
    label: 'Deliveries of webhooks',
    what: {
      DeliveryScheduled: 'scheduled',
      DeliverySucceeded: 'arrived',
      DeliveryAttemptFailed: 'an attempt failed',
      DeliveryFailed: 'given up',
      DeliveryResent: 'sent again',
      DeliveryDiscarded: 'discarded',
      DeliveryParked: 'set aside',
      DeliveryReversed: 'not sent: payment reversed',
      DeliveryExpired: 'not sent: waited too long',
    },
  },
  {
    name: 'sites',
    label: 'Sites',
    what: {
      ClientRegistered: 'registered',
      ClientDetailsChanged: 'name or logo changed',
      ClientRedirectUrisChanged: 'addresses changed',
      ClientPostLogoutUrisChanged: 'addresses after sign-out changed',
      ClientScopesChanged: 'what they may ask for',
      ClientFirstPartySet: 'made our own, or no longer',
      ClientDeactivated: 'deactivated',
      ClientReactivated: 'reactivated',
      ClientDomainVerified: 'domain verified',
      ClientDomainLapsed: 'domain no longer verified',
    },
  },
  {
    name: 'sign-in',
    label: 'Signing in to sites',
    what: {
      ConsentGranted: 'access allowed',
      ConsentRevoked: 'access taken back',
      AuthorizationCodeIssued: 'signed in to a site',
      TokensIssued: 'tokens issued',
      TokensRefreshed: 'tokens refreshed',
      TokenRevoked: 'token revoked',
      AuthorizationCodeReplayed: 'code used twice',
      RefreshTokenReused: 'old token used again',
      GrantRevoked: 'access ended',
      SigningKeyPublished: 'signing key made public',
      SigningKeyActivated: 'signing key in use',
      SigningKeyRetired: 'signing key removed',
    },
  },
  {
    name: 'accounts',
    label: 'Accounts',
    what: {
      UserRegistered: 'registered',
      UserProfileChanged: 'profile changed',
      UserEmailChanged: 'email changed',
      UserEmailVerified: 'email confirmed',
      EmailClaimed: 'email claimed',
      EmailReleased: 'email released',
      EmailClaimLapsed: 'email not confirmed in time',
      UserPasswordChanged: 'password changed',
      PasskeyAdded: 'passkey added',
      PasskeyRemoved: 'passkey removed',
      SessionStarted: 'signed in',
      SessionEnded: 'signed out',
      UserSessionsEnded: 'signed out everywhere',
      SignInsRefused: 'sign-ins refused',
      UserRoleChanged: 'administrator added or removed',
      SetUpClosed: 'set-up link closed',
      OwnDataExported: 'own data downloaded',
      ErasureRequested: 'erasure requested',
      ErasureWithdrawn: 'erasure withdrawn',
      LegalHoldPlaced: 'legal hold placed',
      LegalHoldLifted: 'legal hold lifted',
      UserErased: 'erased',
    },
  },
  {
    name: 'audit',
    label: 'Readings of the log',
    what: {
      AuditQueried: 'searched',
      AuditExported: 'exported',
      OutboxViewed: 'outbox opened',
    },
  },
  {
    name: 'installation',
    label: 'Installation',
    what: {
      InstallationNamed: 'got its id',
      BackupTaken: 'backup taken',
      BackupRestored: 'backup restored',
      MasterKeyRotated: 'master key rotated',
      MasterKeyRotationEnded: 'rotation of the master key ended',
      TokenKeyReplaced: 'token key replaced',
      VaultReplaced: 'vault replaced',
      ProofLogReplaced: 'proof log replaced',
      RebuildStarted: 'rebuild requested',
      RebuildCancelled: 'rebuild ended early',
      GenerationSwitched: 'rebuild done',
    },
  },
];

/** A choice of what happened: a whole group, or one kind of it. `value`: as it stands in addresses. */
export interface WhatChoice {
  readonly value: string;
  readonly label: string;
}

const wordOf = (said: Said): string => (typeof said === 'string' ? said : said[0]);
const valueOf = (group: string, word: string): string =>
  `${group}.${word.replaceAll(/[^a-z]+/gi, '-').toLowerCase()}`;

/** The choices, by group: the group itself first. */
export const whatChoices: readonly { readonly label: string; readonly choices: readonly WhatChoice[] }[] =
  groups.map(({ name, label, what }) => ({
    label,
    choices: [
      { value: name, label: `${label}: all` },
      ...Object.values(what).map((said) => ({
        value: valueOf(name, wordOf(said)),
        label: `${label}: ${wordOf(said)}`,
      })),
    ],
  }));

const typesByValue = new Map<string, readonly EventType[]>(
  groups.flatMap(({ name, what }) => {
    const entries = Object.entries(what) as [EventType, Said][];
    return [
      [name, entries.map(([type]) => type)] as const,
      ...entries.map(([type, said]) => [valueOf(name, wordOf(said)), [type]] as const),
    ];
  }),
);

/** The types of events of a choice. Undefined when it is none. */
export const typesOfWhat = (value: string): readonly EventType[] | undefined => typesByValue.get(value);

interface Word {
  readonly value: string;
  readonly label: string;
  readonly several: string | undefined;
}

const wordByType = new Map<string, Word>(
  groups.flatMap(({ name, label, what }) =>
    Object.entries(what).map(([type, said]) => [
      type,
      {
        value: valueOf(name, wordOf(said)),
        label: `${label}: ${wordOf(said)}`,
        several: typeof said === 'string' ? undefined : said[1],
      },
    ]),
  ),
);

/** The choice to which an event belongs. Undefined for a type of a newer release. */
export const whatOf = (type: string): Word | undefined => wordByType.get(type);

import type { EventType } from '../events/catalogue.ts';

/** The version of the Open Cybersecurity Schema Framework that exports are written in. */
export const ocsfVersion = '1.8.0';

/** What OCSF has for "none of these" in every class. `activity_name` then says what it was. */
export const otherActivity = 99;

/** The classes of OCSF that are in use, and the ids of their activities in use. */
export const ocsfClasses = {
  account_change: {
    uid: 3001,
    activities: {
      create: 1,
      password_change: 3,
      delete: 6,
      mfa_factor_enable: 10,
      mfa_factor_disable: 11,
      other: otherActivity,
    },
  },
  authentication: { uid: 3002, activities: { logon: 1, logoff: 2, other: otherActivity } },
  entity_management: {
    uid: 3004,
    activities: {
      create: 1,
      update: 3,
      delete: 4,
      move: 5,
      enable: 8,
      disable: 9,
      activate: 10,
      suspend: 12,
      resume: 13,
      other: otherActivity,
    },
  },
  api_activity: { uid: 6003, activities: { create: 1, read: 2, other: otherActivity } },
} as const;
export type OcsfClass = keyof typeof ocsfClasses;

type Table = {
  readonly [Name in OcsfClass]: {
    readonly [Activity in keyof (typeof ocsfClasses)[Name]['activities']]?: readonly EventType[];
  };
};

/**
 * What each event type is in OCSF. What is missing here, such as an event of a newer release, is API Activity: Other. `verify`
 * writes each line of an export anew and compares: a release that moves a type to another class cannot verify exports from before.
 */
const table: Table = {
  account_change: {
    create: ['UserRegistered'],
    password_change: ['UserPasswordChanged'],
    delete: ['UserErased'],
    mfa_factor_enable: ['PasskeyAdded'],
    mfa_factor_disable: ['PasskeyRemoved'],
    other: [
      ...(['UserProfileChanged', 'UserEmailChanged', 'UserEmailVerified', 'UserMailsChosen'] as const),
      ...(['EmailClaimed', 'EmailClaimLapsed', 'EmailReleased', 'UserRoleChanged', 'SetUpClosed'] as const),
      ...(['ErasureRequested', 'ErasureWithdrawn', 'LegalHoldPlaced', 'LegalHoldLifted'] as const),
      ...(['MemberJoined', 'MemberRoleChanged', 'MemberLeft'] as const),
    ],
  },
  authentication: {
    logon: ['SessionStarted', 'SignInsRefused'],
    logoff: ['SessionEnded', 'UserSessionsEnded'],
    other: [
      ...(['ConsentGranted', 'ConsentRevoked', 'AuthorizationCodeIssued', 'TokensIssued'] as const),
      ...(['TokensRefreshed', 'TokenRevoked', 'GrantRevoked'] as const),
      ...(['AuthorizationCodeReplayed', 'RefreshTokenReused'] as const),
    ],
  },
  entity_management: {
    create: [
      ...(['InstallationNamed', 'TeamCreated', 'MemberInvited', 'ListedMemberAdded', 'ViewSaved'] as const),
      ...(['ClientRegistered', 'SigningKeyPublished', 'ApiKeyCreated', 'SubscriptionCreated'] as const),
      ...([
        'ResourceSubmitted',
        'OrganizationSubmitted',
        'SourceNamed',
        'MistakeReported',
        'ChangeSuggested',
        'ClaimBegun',
        'FollowingBegun',
      ] as const),
      ...([
        'ImportBegun',
        'BulkBegun',
        'MergeBegun',
        'FormPublished',
        'FormSubmitted',
        'PaymentRecorded',
      ] as const),
    ],
    update: [
      ...([
        'TeamScopesEnabled',
        'TeamTimeZoneSet',
        'TeamPasskeysRequired',
        'InvitationLinkDisclosed',
      ] as const),
      ...([
        'ListedMemberChanged',
        'ListedMemberJoined',
        'ClientDetailsChanged',
        'ClientScopesChanged',
      ] as const),
      ...(['ClientRedirectUrisChanged', 'ClientPostLogoutUrisChanged', 'ClientFirstPartySet'] as const),
      ...(['ClientDomainVerified', 'ClientDomainLapsed', 'ApiKeyRolled', 'ApiKeyDomainsChanged'] as const),
      ...(['SubscriptionEventsChosen', 'SubscriptionUrlChanged', 'SubscriptionSecretRotated'] as const),
      ...(['SubscriptionSecretPrepared', 'SubscriptionSecretActivated'] as const),
      ...([
        'ResourceRevised',
        'ResourceReadFromSource',
        'ResourcePersonErased',
        'ResourceResubmitted',
        'ResourceConfirmed',
        'ResourceConfirmationLapsed',
      ] as const),
      ...(['ResourceMerged', 'ResourceUnmerged', 'ResourceAbsorbed', 'ResourceReleased'] as const),
      ...(['OrganizationRevised', 'OrganizationReadFromSource', 'OrganizationPersonErased'] as const),
      ...([
        'AgencyAskingChosen',
        'AgencyContactMailed',
        'AgencyContactAnswered',
        'AgencyNotReached',
      ] as const),
      ...(['ClaimLinkRenewed', 'ClaimProven', 'ClaimRulesChosen'] as const),
      ...(['AgencyAnswerWithdrawn', 'AgencyAnswersApplied', 'AgencyContactBounced'] as const),
      ...(['OrganizationResubmitted', 'DuplicatesDismissed', 'MistakeResolved', 'MergeUndone'] as const),
      ...(['SuggestionAccepted', 'SuggestionDismissed'] as const),
      ...([
        'ImportEnded',
        'ImportUndoBegun',
        'ImportUndone',
        'BulkEnded',
        'BulkUndoBegun',
        'BulkUndone',
        'SourcePrecedenceChosen',
      ] as const),
      ...(['FollowedChangesRead', 'FollowingKeyReplaced'] as const),
      ...(['FormRevised', 'FormReadersChosen', 'FormMailsChosen', 'FormRetentionChosen'] as const),
      ...([
        'FormOfficeNamed',
        'FormOfficeConfirmed',
        'FormOfficeRemoved',
        'FormSubmissionStateChosen',
      ] as const),
      ...(['PaymentReversed', 'PaymentReassigned'] as const),
    ],
    delete: [
      ...(['InvitationWithdrawn', 'InvitationExpired', 'ListedMemberErased', 'ViewRemoved'] as const),
      ...(['SigningKeyRetired', 'ApiKeyRevoked', 'SubscriptionDeleted', 'ResourceWithdrawn'] as const),
      ...([
        'OrganizationWithdrawn',
        'MistakeReportErased',
        'SuggestionErased',
        'FormSubmissionErased',
        'FollowingEnded',
      ] as const),
      ...(['AgencyContactStopped', 'AgencyContactErased', 'ClaimEnded', 'ClaimErased'] as const),
    ],
    move: ['TeamRenamed', 'SubscriptionNamed', 'SourceRenamed'],
    enable: [
      ...(['TeamReopened', 'ClientReactivated', 'ResourceApproved', 'ResourceReactivated'] as const),
      ...(['OrganizationApproved', 'OrganizationReactivated', 'FormReopened', 'ClaimApproved'] as const),
    ],
    disable: [
      ...(['TeamClosed', 'ClientDeactivated', 'ResourceRejected', 'ResourceDeactivated'] as const),
      ...(['OrganizationRejected', 'OrganizationDeactivated', 'FormClosed', 'ClaimRefused'] as const),
    ],
    activate: ['SigningKeyActivated', 'GenerationSwitched'],
    suspend: ['SubscriptionPaused', 'SubscriptionAutoPaused', 'FollowingPaused'],
    resume: ['SubscriptionResumed', 'SubscriptionHealthConfirmed', 'FollowingResumed'],
    other: [
      ...([
        'VaultReplaced',
        'ProofLogReplaced',
        'ProofLogKeyRotated',
        'ProofLogBegun',
        'BackupTaken',
        'BackupTested',
        'BackupRestored',
        'TokenKeyReplaced',
      ] as const),
      ...(['MasterKeyRotated', 'MasterKeyRotationEnded', 'RebuildStarted', 'RebuildCancelled'] as const),
    ],
  },
  api_activity: {
    create: ['DeliveryScheduled'],
    read: ['AuditQueried', 'AuditExported', 'OutboxViewed', 'AnswersDownloaded', 'OwnDataExported'],
    other: [
      ...(['DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryFailed', 'DeliveryResent'] as const),
      ...(['DeliveryDiscarded', 'DeliveryParked', 'DeliveryReversed', 'DeliveryExpired'] as const),
    ],
  },
};

/** The `severity_id` of what is more than informational (1): 2 low, 3 medium, 4 high. */
const severities: ReadonlyMap<string, number> = new Map<EventType, number>([
  ['VaultReplaced', 4],
  ['ProofLogReplaced', 4],
  ['ProofLogBegun', 4],
  ['AuthorizationCodeReplayed', 4],
  ['RefreshTokenReused', 4],
  ['BackupRestored', 3],
  ['SignInsRefused', 3],
  ['UserRoleChanged', 3],
  ['OutboxViewed', 3],
  ['InvitationLinkDisclosed', 2],
  ['SubscriptionAutoPaused', 2],
  ['DeliveryFailed', 2],
  ['DeliveryParked', 2],
]);

/** What was tried, and failed or was refused: `status_id` 2. */
const failures: ReadonlySet<string> = new Set<EventType>([
  ...(['SignInsRefused', 'AuthorizationCodeReplayed', 'RefreshTokenReused', 'ClientDomainLapsed'] as const),
  ...(['DeliveryAttemptFailed', 'DeliveryFailed', 'DeliveryParked', 'DeliveryExpired'] as const),
]);

export interface OcsfActivity {
  readonly class: OcsfClass;
  readonly activity: number;
  readonly severity: number;
  readonly failed: boolean;
}

const activities: ReadonlyMap<string, Pick<OcsfActivity, 'class' | 'activity'>> = new Map(
  Object.entries(table).flatMap(([name, byActivity]) =>
    Object.entries(byActivity).flatMap(([activity, types]) => {
      const ids: Readonly<Record<string, number>> = ocsfClasses[name as OcsfClass].activities;
      const found = { class: name as OcsfClass, activity: ids[activity] ?? otherActivity };
      return types.map((type) => [type, found] as const);
    }),
  ),
);
const otherwise = { class: 'api_activity', activity: otherActivity } as const;

/** What an event of a type is in OCSF. */
export const ocsfActivityOf = (type: string): OcsfActivity => ({
  ...(activities.get(type) ?? otherwise),
  severity: severities.get(type) ?? 1,
  failed: failures.has(type),
});

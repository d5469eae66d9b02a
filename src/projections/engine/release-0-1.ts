import type { NodeEntry } from '../../stores/leases/nodes-port.ts';

/**
 * A projector of release 0.1, which does not register itself. It shows by its leases: one for each read model, which
 * the projectors of later releases hold only together with their own.
 */

/** The lease of release 0.1 for a read model. */
export const formerLeaseOf = (model: string): string => `projection-${model}`;

/** The id under which the projectors of release 0.1 are registered, however many there are. */
export const formerId = 'release-0.1';

const versions = (names: string, version: number): Record<string, number> =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, version]));

/** What the nodes of release 0.1 read. */
export const formerEntry: NodeEntry = {
  release: '0.1',
  projects: true,
  readModels: {
    ...versions(
      `teams members sessions clients grants signing-keys api-keys resources submissions subscriptions deliveries
      subscription-health audit-index`,
      1,
    ),
    ...versions('people consents resource-search', 2),
  },
  events: versions(
    `InstallationNamed VaultReplaced
    UserRegistered UserProfileChanged UserEmailChanged UserEmailVerified EmailClaimLapsed UserPasswordChanged
    UserSessionsEnded UserRoleChanged SetUpClosed PasskeyAdded PasskeyRemoved UserErased EmailClaimed EmailReleased
    SessionStarted SessionEnded
    TeamCreated TeamScopesEnabled MemberInvited MemberJoined MemberRoleChanged MemberLeft
    ClientRegistered ClientDetailsChanged ClientRedirectUrisChanged ClientPostLogoutUrisChanged ClientScopesChanged
    ClientFirstPartySet ClientDeactivated ClientReactivated ConsentGranted ConsentRevoked
    AuthorizationCodeIssued TokensIssued TokensRefreshed TokenRevoked AuthorizationCodeReplayed RefreshTokenReused
    GrantRevoked SigningKeyPublished SigningKeyActivated SigningKeyRetired
    ApiKeyCreated ApiKeyDomainsChanged ApiKeyRevoked
    ResourceSubmitted ResourceApproved ResourceRejected ResourceRevised ResourceDeactivated ResourceReactivated
    SubscriptionCreated SubscriptionEventsChosen SubscriptionUrlChanged SubscriptionPaused SubscriptionAutoPaused
    SubscriptionResumed SubscriptionSecretRotated SubscriptionDeleted
    DeliveryScheduled DeliverySucceeded DeliveryAttemptFailed DeliveryFailed DeliveryResent DeliveryDiscarded
    RebuildStarted GenerationSwitched`,
    1,
  ),
};

/** The leases of a projector of release 0.1. */
export const formerLeases: readonly string[] = Object.keys(formerEntry.readModels).map(formerLeaseOf);

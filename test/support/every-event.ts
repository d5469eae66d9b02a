import type { DomainEvent, EventType } from '../../src/events/catalogue.ts';
import { consentId } from '../../src/events/oauth/consent.ts';
import { viewIdOf } from '../../src/events/teams.ts';
import { sourceStreamId } from '../../src/events/directory/source.ts';
import { followingStreamId } from '../../src/events/directory/upkeep/following.ts';
import { orgIdOf, svcIdOf } from '../../src/events/ids.ts';

/** The people and things of the samples. */
export const ids = {
  installation: 'a1a1a1a1-0000-4000-8000-000000000001',
  ana: 'b2b2b2b2-0000-4000-8000-000000000001',
  ben: 'b2b2b2b2-0000-4000-8000-000000000002',
  address: 'ab'.repeat(32),
  session: 'Qw3rTy'.repeat(3) + 'uiop',
  team: 'harbor',
  invitation: 'c3c3c3c3-0000-4000-8000-000000000001',
  client: 'site_HarborSite01',
  grant: 'd4d4d4d4-0000-4000-8000-000000000001',
  kid: 'kidOfASigningKey_-01',
  key: 'AbCdEf012345',
  resource: svcIdOf(7),
  survivor: svcIdOf(8),
  merge: 'e9e9e9e9-0000-4000-8000-000000000001',
  organization: orgIdOf(7),
  contact: 'e5e5e5e5-0000-4000-8000-000000000001',
  import: 'e7e7e7e7-0000-4000-8000-000000000001',
  verifier: 'e5e5e5e5-0000-4000-8000-000000000002',
  report: 'f6f6f6f6-0000-4000-8000-000000000001',
  suggestion: 'f6f6f6f6-0000-4000-8000-000000000002',
  form: 'f7f7f7f7-0000-4000-8000-000000000001',
  submission: 'f8f8f8f8-0000-4000-8000-000000000001',
  payment: 'f9f9f9f9-0000-4000-8000-000000000001',
  listed: 'f9f9f9f9-0000-4000-8000-000000000007',
  subscription: '11111111-0000-4000-8000-000000000001',
  delivery: '22222222-0000-4000-8000-000000000001',
} as const;

const uuid = '33333333-0000-4000-8000-000000000001';
const sealed = 'c2VhbGVk';
const sha256 = '0f'.repeat(32);
const time = '2026-03-04T05:06:07.000Z';
const seconds = 1_772_600_000;

const client = {
  client: ids.client,
  team: ids.team,
  name: 'Harbor Site',
  redirect_uris: ['https://harbor.example/callback'],
  post_logout_redirect_uris: [],
  scopes: ['openid', 'email'],
  first_party: false,
  status: 'active',
} as const;

const standing = {
  grant: ids.grant,
  user: ids.ana,
  client: ids.client,
  epoch: 1,
  scopes: ['openid', 'email'],
  session: ids.session,
  auth_time: seconds,
  amr: ['pwd'],
  redirect_uri: 'https://harbor.example/callback',
  code_challenge: 'x'.repeat(43),
  code_expires: seconds + 600,
  generation: 1,
  token_key: '0123abcd',
} as const;
const active = {
  ...standing,
  status: 'active',
  redeemed_at: time,
  rotated_at: time,
  refresh_expires: seconds + 2_592_000,
  ends: seconds + 15_552_000,
  access_tokens: [{ generation: 1, expires: seconds + 3_600, scopes: ['openid', 'email'] }],
} as const;
const revoked = { ...standing, status: 'revoked' } as const;

const announced = {
  svc_id: ids.resource,
  id: 7,
  team: ids.team,
  name: 'Corner Pantry',
  category: 'food',
} as const;
const fields = {
  name: 'Corner Pantry',
  category: 'food',
  contacts: [{ person: ids.contact, sealed }],
  verified_by: { person: ids.verifier, sealed },
} as const;
const organizationFields = { name: 'Harbor Pantries', contacts: [{ person: ids.contact, sealed }] } as const;
const definition = {
  languages: ['en'],
  title: { en: 'Ask for help' },
  fields: [{ key: 'name', kind: 'text', label: { en: 'Name' }, required: true }],
  allowed_origins: [],
} as const;

const subscription = {
  subscription: ids.subscription,
  team: ids.team,
  status: 'active',
  origin: 'https://harbor.example',
  url_sealed: 'c2VhbGVk',
  events: ['resource.approved', 'member.joined'],
  secret_version: 1,
  secret_id: uuid,
} as const;
const attempt = { subscription: ids.subscription, attempt: 2, started_at: time, duration_ms: 31 } as const;

type Samples = {
  readonly [Type in EventType]: readonly [
    stream: string,
    data: DeepReadonly<Extract<DomainEvent, { type: Type }>['data']>,
  ];
};
type DeepReadonly<Value> = Value extends object
  ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> }
  : Value;

const user = `user-${ids.ana}`;
const team = `team-${ids.team}`;
const key = `api-key-${ids.key}`;
const claimed = `claim-${ids.address}`;
const agencyContact = `agency-contact-${ids.address}`;
const resource = `resource-${ids.resource}`;
const imported = `import-${ids.import}`;
const merges = `merges-${ids.team}`;
const bulk = `bulk-${ids.import}`;
const view = `view-${viewIdOf(ids.team, 'To call')}`;
const source = `source-${sourceStreamId(ids.team, 'harbor_data')}`;
const followed = { team: ids.team, source: 'directory.example.net/audit/log' } as const;
const following = `following-${followingStreamId(followed.team, followed.source)}`;
const vkey = `directory.example.net/audit/log+1b2c3d4e+${'A'.repeat(44)}`;
const organization = `organization-${ids.organization}`;
const delivery = `webhook-delivery-${ids.delivery}`;
const subscribed = `webhook-subscription-${ids.subscription}`;
const consent = `consent-${consentId(ids.ana, ids.client)}`;
const grant = `grant-${ids.grant}`;
const site = `client-${ids.client}`;
const day = 'audit-access-2026-03-04';

const backup = { installation: ids.installation, taken_at: time, events: 12, digest: 'a'.repeat(64) };
const masterKey = { installation: ids.installation, master_key: '0123456789abcdef' };

const samples: Samples = {
  InstallationNamed: ['installation-self', { installation: ids.installation }],
  VaultReplaced: ['installation-self', { installation: ids.installation }],
  ProofLogReplaced: ['installation-self', { installation: ids.installation }],
  ProofLogKeyRotated: [
    'installation-self',
    {
      installation: ids.installation,
      vkey: `directory.example/audit/log+1b2c3d4e+${'A'.repeat(44)}`,
      former: [`directory.example/audit/log+5f6a7b8c+${'B'.repeat(44)}`],
      until: time,
    },
  ],
  ProofLogBegun: [
    'installation-self',
    {
      installation: ids.installation,
      log: 'directory.example.org/audit/log/20260304-0a1b2c3d',
      reason: 'restored',
      ended_at: time,
      former: { log: 'directory.example.org/audit/log', size: 12, root: 'a'.repeat(43) + '=' },
    },
  ],
  BackupTaken: ['installation-self', { ...backup }],
  BackupTested: ['installation-self', { ...backup, outcome: 'verified', seconds: 41 }],
  BackupRestored: ['installation-self', { ...backup, restored_at: time }],
  TokenKeyReplaced: ['installation-self', { installation: ids.installation, token_key: '6a0f1c00' }],
  MasterKeyRotated: ['installation-self', masterKey],
  MasterKeyRotationEnded: ['installation-self', masterKey],
  UserRegistered: [
    user,
    { user: ids.ana, role: 'person', email: ids.address, claim: uuid, email_sealed: sealed, profile: sealed },
  ],
  UserProfileChanged: [user, { profile: sealed }],
  UserEmailChanged: [user, { email: ids.address, claim: uuid, email_sealed: sealed }],
  UserEmailVerified: [user, { email: ids.address }],
  EmailClaimLapsed: [user, { email: ids.address, claim: uuid }],
  UserPasswordChanged: [user, { version: 2, password_id: uuid, session_epoch: 2 }],
  UserSessionsEnded: [user, { session_epoch: 3 }],
  UserRoleChanged: [user, { role: 'administrator' }],
  SetUpClosed: [user, { administrator: ids.ben }],
  PasskeyAdded: [user, { credential: 'Y3JlZA', public_key: 'a2V5', transports: ['usb'], label: sealed }],
  PasskeyRemoved: [user, { credential: 'Y3JlZA' }],
  ErasureRequested: [user, { due_at: time }],
  ErasureWithdrawn: [user, {}],
  UserMailsChosen: [user, { decisions: false, language_sealed: sealed }],
  LegalHoldPlaced: [user, { hold: uuid, reason: sealed }],
  LegalHoldLifted: [user, { hold: uuid }],
  OwnDataExported: [user, {}],
  UserErased: [user, { email: ids.address }],
  EmailClaimed: [`email-${ids.address}`, { user: ids.ana, claim: uuid, lapses: seconds }],
  EmailReleased: [`email-${ids.address}`, { user: ids.ana }],
  SignInsRefused: [
    'refused-sign-ins-2026-03-04',
    { user: ids.ana, network: 'bmV0d29yaw', from: 'network', attempts: 10, seconds: 900 },
  ],
  SessionStarted: [
    `session-${ids.session}`,
    {
      session: ids.session,
      user: ids.ana,
      epoch: 1,
      auth_time: seconds,
      amr: ['pwd'],
      ends: seconds + 86_400,
      secret_sha256: sha256,
    },
  ],
  SessionEnded: [`session-${ids.session}`, { session: ids.session, user: ids.ana, reason: 'signed_out' }],
  TeamCreated: [team, { team: ids.team, name: 'Harbor Network' }],
  TeamRenamed: [team, { team: ids.team, name: 'Harbor Network of the County' }],
  TeamClosed: [team, { team: ids.team, closing: uuid }],
  TeamReopened: [team, { team: ids.team, closing: uuid }],
  TeamScopesEnabled: [team, { team: ids.team, scopes: ['audit:read'] }],
  TeamPasskeysRequired: [team, { team: ids.team, required: true }],
  TeamTimeZoneSet: [team, { team: ids.team, time_zone: 'America/New_York' }],
  MemberInvited: [
    team,
    {
      team: ids.team,
      invitation: ids.invitation,
      role: 'reviewer',
      email: ids.address,
      email_sealed: sealed,
      expires_at: time,
    },
  ],
  InvitationLinkDisclosed: [team, { team: ids.team, invitation: ids.invitation }],
  InvitationWithdrawn: [team, { team: ids.team, invitation: ids.invitation, reason: 'withdrawn' }],
  InvitationExpired: [team, { team: ids.team, invitation: ids.invitation }],
  MemberJoined: [
    team,
    { team: ids.team, user: ids.ana, role: 'reviewer', invitation: ids.invitation, person: sealed },
  ],
  MemberRoleChanged: [team, { team: ids.team, user: ids.ana, role: 'admin' }],
  MemberLeft: [team, { team: ids.team, user: ids.ana }],
  ClientRegistered: [site, client],
  ClientDetailsChanged: [site, client],
  ClientRedirectUrisChanged: [site, client],
  ClientPostLogoutUrisChanged: [site, client],
  ClientScopesChanged: [site, client],
  ClientFirstPartySet: [site, { ...client, first_party: true }],
  ClientDeactivated: [site, { ...client, status: 'inactive' }],
  ClientReactivated: [site, { ...client, activation: 1 }],
  ClientDomainVerified: [
    site,
    {
      ...client,
      verified_domains: [{ host: 'news.example', by: 'file', since: time }],
      host: 'news.example',
      by: 'file',
    },
  ],
  ClientDomainLapsed: [site, { ...client, host: 'news.example', reason: 'The file was not found.' }],
  ConsentGranted: [consent, { user: ids.ana, client: ids.client, scopes: ['openid', 'email'], epoch: 1 }],
  ConsentRevoked: [consent, { user: ids.ana, client: ids.client, epoch: 1 }],
  AuthorizationCodeIssued: [grant, { ...standing, generation: 0, status: 'issued', nonce: sealed }],
  TokensIssued: [grant, active],
  TokensRefreshed: [grant, { ...active, generation: 2 }],
  TokenRevoked: [grant, { ...active, revoked_generation: 1 }],
  AuthorizationCodeReplayed: [grant, revoked],
  RefreshTokenReused: [grant, { ...revoked, reused_generation: 1 }],
  GrantRevoked: [grant, { ...revoked, reason: 'signed out' }],
  SigningKeyPublished: [
    `signing-key-${ids.kid}`,
    { kid: ids.kid, jwk: { kty: 'RSA', use: 'sig', alg: 'RS256', kid: ids.kid, n: 'bg', e: 'AQAB' } },
  ],
  SigningKeyActivated: [`signing-key-${ids.kid}`, { kid: ids.kid }],
  SigningKeyRetired: [`signing-key-${ids.kid}`, { kid: ids.kid }],
  ApiKeyCreated: [
    key,
    {
      key_id: ids.key,
      kind: 'team',
      team: ids.team,
      label: 'Widget',
      scopes: ['resources:read'],
      domains: ['harbor.example'],
      secret_sha256: sha256,
    },
  ],
  ApiKeyDomainsChanged: [key, { domains: ['harbor.example'] }],
  ApiKeyRolled: [key, { replaced_by: 'BBBBBBBBBBBB', expires_at: '2027-01-31T00:00:00.000Z' }],
  ApiKeyRevoked: [key, { reason: 'leaked' }],
  ViewSaved: [view, { team: ids.team, name: 'To call', query: 'verified=never&sort=organization' }],
  ViewRemoved: [view, { team: ids.team, name: 'To call' }],
  ResourceSubmitted: [resource, { svc_id: ids.resource, id: 7, team: ids.team, fields }],
  ResourceApproved: [resource, announced],
  ResourceRejected: [resource, { ...announced, reason: 'It has closed.' }],
  ResourceRevised: [resource, { fields }],
  ResourcePersonErased: [resource, { person: ids.contact }],
  ResourceDeactivated: [resource, { reason: 'Closed for winter' }],
  ResourceReactivated: [resource, {}],
  ResourceReadFromSource: [resource, { fields }],
  ResourceWithdrawn: [resource, { reason: 'No longer in its source.' }],
  ResourceResubmitted: [resource, {}],
  ResourceConfirmed: [resource, { by: 'team', parts: ['hours'] }],
  ResourceConfirmationLapsed: [resource, { confirmed: { on: '2018-05', by: 'source' } }],
  ResourceMerged: [resource, { merged_into: ids.survivor, merge: ids.merge }],
  ResourceUnmerged: [resource, { merge: ids.merge, status: 'approved' }],
  ResourceAbsorbed: [`resource-${ids.survivor}`, { duplicate: ids.resource, merge: ids.merge }],
  ResourceReleased: [`resource-${ids.survivor}`, { duplicate: ids.resource, merge: ids.merge }],
  MergeBegun: [merges, { team: ids.team, merge: ids.merge, duplicate: ids.resource, survivor: ids.survivor }],
  MergeUndone: [
    merges,
    { team: ids.team, merge: ids.merge, duplicate: ids.resource, survivor: ids.survivor },
  ],
  DuplicatesDismissed: [
    merges,
    { team: ids.team, records: [ids.resource, ids.survivor], in_common: ['phone'] },
  ],
  ImportBegun: [imported, { team: ids.team, source: 'county' }],
  ImportEnded: [
    imported,
    {
      new: 2,
      revised: 1,
      approved: 2,
      deactivated: 0,
      reactivated: 0,
      unchanged: 4,
      conflicts: 0,
      missing: 0,
      left_out: 0,
    },
  ],
  ImportUndoBegun: [imported, {}],
  ImportUndone: [imported, { taken_out: 2, revised: 1, returned: 0, left: 0 }],
  BulkBegun: [bulk, { team: ids.team, number: 3, decision: 'reject', reason: 'Not in our county.' }],
  BulkEnded: [bulk, { done: 2, unchanged: 0, skipped: { state: 1 } }],
  BulkUndoBegun: [bulk, {}],
  BulkUndone: [bulk, { taken_out: 0, revised: 0, returned: 2, left: 0 }],
  SourceNamed: [source, { team: ids.team, source: 'harbor_data', name: 'Harbor 211' }],
  SourceRenamed: [source, { team: ids.team, source: 'harbor_data', name: '211 Harbor' }],
  SourcePrecedenceChosen: [source, { team: ids.team, source: 'harbor_data', groups: ['hours', 'phones'] }],
  FollowingBegun: [following, { ...followed, address: 'https://directory.example.net', vkey, approve: true }],
  FollowedChangesRead: [
    `followed-${ids.merge}`,
    {
      ...{ ...followed, import: ids.import, cursor: 'cursor-1', entries: 3, ours: 0 },
      counts: {
        ...{ new: 2, revised: 1, approved: 2, deactivated: 0, reactivated: 0 },
        ...{ unchanged: 0, conflicts: 0, missing: 0, left_out: 0 },
      },
      answer_sha256: '0'.repeat(64),
      checkpoint: 'directory.example.net/audit/log\n1\nAAAA\n\n— directory.example.net/audit/log AAAA\n',
    },
  ],
  FollowingKeyReplaced: [following, { ...followed, vkey }],
  FollowingPaused: [
    following,
    { ...followed, why: 'silent', detail: 'It has not answered since 2026-11-01: no answer' },
  ],
  FollowingResumed: [following, { ...followed, anew: { vkey } }],
  FollowingEnded: [following, followed],
  OrganizationSubmitted: [
    organization,
    { org_id: ids.organization, team: ids.team, fields: organizationFields },
  ],
  OrganizationApproved: [organization, { name: 'Harbor Pantries' }],
  OrganizationRejected: [organization, { name: 'Harbor Pantries', reason: 'twice' }],
  OrganizationRevised: [organization, { fields: organizationFields }],
  OrganizationReadFromSource: [organization, { fields: organizationFields }],
  OrganizationPersonErased: [organization, { person: ids.contact }],
  OrganizationDeactivated: [organization, { name: 'Harbor Pantries', at_source: true }],
  OrganizationReactivated: [organization, { name: 'Harbor Pantries' }],
  OrganizationWithdrawn: [organization, { name: 'Harbor Pantries' }],
  OrganizationResubmitted: [organization, { name: 'Harbor Pantries' }],
  MistakeReported: [
    `mistake-${ids.report}`,
    { report: ids.report, svc_id: ids.resource, team: ids.team, kind: 'phone', said: sealed },
  ],
  MistakeResolved: [`mistake-${ids.report}`, { outcome: 'fixed' }],
  MistakeReportErased: [`mistake-${ids.report}`, {}],
  ChangeSuggested: [
    `suggestion-${ids.suggestion}`,
    {
      suggestion: ids.suggestion,
      svc_id: ids.resource,
      team: ids.team,
      by: 'visitor',
      kind: 'change',
      fields: ['phone'],
      suggested: sealed,
    },
  ],
  SuggestionAccepted: [`suggestion-${ids.suggestion}`, { fields: ['phone'] }],
  SuggestionDismissed: [`suggestion-${ids.suggestion}`, {}],
  SuggestionErased: [`suggestion-${ids.suggestion}`, {}],
  AgencyAskingChosen: [`agency-asking-${ids.team}`, { team: ids.team, on: true, after_days: 200 }],
  AgencyContactMailed: [
    agencyContact,
    {
      contact: ids.address,
      team: ids.team,
      ask: uuid,
      svc_ids: [ids.resource],
      language: 'es',
      address_sealed: sealed,
      mailed_at: time,
    },
  ],
  AgencyContactAnswered: [agencyContact, { ask: uuid, svc_id: ids.resource, answer: 'yes' }],
  AgencyAnswerWithdrawn: [agencyContact, { ask: uuid, svc_id: ids.resource }],
  AgencyAnswersApplied: [agencyContact, { ask: uuid, svc_ids: [ids.resource] }],
  AgencyContactStopped: [agencyContact, {}],
  AgencyContactBounced: [agencyContact, { reason: 'bounced' }],
  AgencyContactErased: [agencyContact, {}],
  AgencyNotReached: [
    `agency-call-${ids.resource}`,
    { svc_id: ids.resource, team: ids.team, again_on: '2026-03-11' },
  ],
  ClaimBegun: [
    claimed,
    {
      claim: ids.address,
      team: ids.team,
      subject: uuid,
      svc_id: ids.resource,
      host: 'harbor.example',
      language: 'es',
      data_key: uuid,
      address_sealed: sealed,
      link: uuid,
    },
  ],
  ClaimLinkRenewed: [claimed, { link: uuid, language: 'es' }],
  ClaimProven: [claimed, {}],
  ClaimApproved: [claimed, { link: uuid }],
  ClaimRefused: [claimed, { reason: 'We do not know you' }],
  ClaimEnded: [claimed, { by: 'team', data_key: uuid }],
  ClaimErased: [claimed, { data_key: uuid }],
  ClaimRulesChosen: [
    `keeping-rules-${ids.team}`,
    { team: ids.team, changes: 'at_once', later_claims: 'wait' },
  ],
  FormPublished: [
    `form-${ids.form}`,
    { form: ids.form, team: ids.team, slug: 'help', version: 1, definition },
  ],
  FormRevised: [`form-${ids.form}`, { version: 2, definition }],
  FormClosed: [`form-${ids.form}`, {}],
  FormReopened: [`form-${ids.form}`, {}],
  FormReadersChosen: [`form-${ids.form}`, { readers: 'reviewer' }],
  FormMailsChosen: [`form-${ids.form}`, { members: [ids.ana], content: false, receipts: true }],
  FormOfficeNamed: [`form-${ids.form}`, { office: uuid, address_sealed: sealed, content: false }],
  FormOfficeConfirmed: [`form-${ids.form}`, { office: uuid }],
  FormOfficeRemoved: [`form-${ids.form}`, { office: uuid }],
  FormRetentionChosen: [`form-${ids.form}`, { days: 90 }],
  FormSubmitted: [
    `submission-${ids.submission}`,
    {
      submission: ids.submission,
      team: ids.team,
      form: ids.form,
      form_version: 1,
      submitted_at: time,
      answers_sealed: sealed,
    },
  ],
  FormSubmissionStateChosen: [`submission-${ids.submission}`, { state: 'in_work' }],
  FormSubmissionErased: [`submission-${ids.submission}`, {}],
  PaymentRecorded: [
    `payment-${ids.payment}`,
    {
      payment: ids.payment,
      team: ids.team,
      member: ids.ana,
      amount_minor: 1_250,
      currency: 'USD',
      memo: sealed,
      occurred_at: time,
    },
  ],
  PaymentReassigned: [
    `payment-${ids.payment}`,
    { payment: ids.payment, team: ids.team, member: ids.ana, memo: sealed },
  ],
  ListedMemberAdded: [
    `listed-member-${ids.listed}`,
    { member: ids.listed, team: ids.team, details: sealed, email: ids.address, paid_until: '2026-12-31' },
  ],
  ListedMemberChanged: [`listed-member-${ids.listed}`, { details: sealed }],
  ListedMemberErased: [`listed-member-${ids.listed}`, {}],
  ListedMemberJoined: [`listed-member-${ids.listed}`, { user: ids.ana }],
  PaymentReversed: [`payment-${ids.payment}`, { payment: ids.payment, team: ids.team }],
  SubscriptionCreated: [subscribed, subscription],
  SubscriptionEventsChosen: [subscribed, subscription],
  SubscriptionUrlChanged: [subscribed, subscription],
  SubscriptionNamed: [subscribed, { ...subscription, name: 'Member list' }],
  SubscriptionPaused: [subscribed, { ...subscription, status: 'paused' }],
  SubscriptionAutoPaused: [
    subscribed,
    { ...subscription, status: 'paused', paused_because: 'The receiver answered 410.' },
  ],
  SubscriptionResumed: [subscribed, subscription],
  SubscriptionHealthConfirmed: [subscribed, { ...subscription, delivery: ids.delivery }],
  SubscriptionSecretRotated: [subscribed, { ...subscription, secret_version: 2 }],
  SubscriptionSecretPrepared: [subscribed, { ...subscription, next_secret_id: uuid }],
  SubscriptionSecretActivated: [subscribed, { ...subscription, secret_version: 2 }],
  SubscriptionDeleted: [subscribed, { ...subscription, status: 'deleted' }],
  DeliveryScheduled: [
    delivery,
    {
      delivery: ids.delivery,
      subscription: ids.subscription,
      team: ids.team,
      event: 'resource.approved',
      source: { stream: resource, revision: 1, event_id: uuid },
      occurred_at: time,
      payload_version: 1,
      body_sha256: sha256,
    },
  ],
  DeliverySucceeded: [delivery, { ...attempt, status: 204 }],
  DeliveryAttemptFailed: [
    delivery,
    { ...attempt, status: 503, error: 'It answered 503.', next_attempt_at: time },
  ],
  DeliveryFailed: [delivery, { ...attempt, error: 'It did not answer in time.' }],
  DeliveryResent: [delivery, { subscription: ids.subscription, asked_by: 'resend' }],
  DeliveryDiscarded: [delivery, { subscription: ids.subscription }],
  DeliveryParked: [delivery, { subscription: ids.subscription, tries: 10, reason: 'The vault is locked.' }],
  DeliveryReversed: [delivery, { subscription: ids.subscription }],
  DeliveryExpired: [delivery, { subscription: ids.subscription }],
  RebuildStarted: ['projection-teams', { projection: 'teams' }],
  RebuildCancelled: ['projection-teams', { projection: 'teams' }],
  GenerationSwitched: ['projection-teams', { projection: 'teams', generation: 2 }],
  AuditQueried: [
    day,
    { question: 'events', filter: { team: ids.team, type: 'ResourceApproved' }, events: 12 },
  ],
  AuditExported: [day, { format: 'csv', filter: { team: ids.team }, events: 40, tree_size: 1_000 }],
  OutboxViewed: [day, { mails: 3 }],
  AnswersDownloaded: [day, { team: ids.team, form: ids.form, format: 'csv', answers: 12 }],
};

/** One realistic event of every type of the catalogue, in its stream. A new type needs its sample here. */
export const everyEvent: readonly (DomainEvent & { readonly stream: string })[] = Object.entries(samples).map(
  ([type, [stream, data]]) => ({ type, stream, data }) as DomainEvent & { readonly stream: string },
);

type EventsByType = { readonly [Each in DomainEvent as Each['type']]: Each };

/** The sample of one type. */
export function sampleOf<Type extends EventType>(
  type: Type,
): EventsByType[Type] & { readonly stream: string } {
  const [stream, data] = samples[type];
  return { type, stream, data } as unknown as EventsByType[Type] & { readonly stream: string };
}

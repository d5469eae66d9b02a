import { auditEvents } from './audit.ts';
import { apiKeys } from './keys.ts';
import { clients } from './oauth-clients.ts';
import { consents } from './oauth-consents.ts';
import type { AnyProjection } from './engine/read-model.ts';
import { deliveries } from './webhooks/deliveries.ts';
import { erasures } from './accounts-erasures.ts';
import { formDailyCounts, forms, formSubmissions } from './forms.ts';
import { grants } from './oauth-grants.ts';
import { agencyAskings, agencyCalls } from './directory/upkeep/agency-asking.ts';
import { agencyContacts } from './directory/upkeep/agency-contacts.ts';
import { claims } from './directory/upkeep/claims.ts';
import { followings } from './directory/upkeep/followings.ts';
import { mistakes } from './directory/upkeep/mistakes.ts';
import { recordFreshness } from './directory/upkeep/record-freshness.ts';
import { suggestions } from './directory/upkeep/suggestions.ts';
import { organizations } from './directory/organizations.ts';
import { invitations } from './teams-invitations.ts';
import { members } from './teams-members.ts';
import { listedMembers, payments } from './payments.ts';
import { ownSubmissions } from './directory/own-submissions.ts';
import { recordLookup } from './directory/record-lookup.ts';
import { people } from './accounts-people.ts';
import { resourceSearch } from './directory/resource-search.ts';
import { resources } from './directory/resources.ts';
import { sessions } from './accounts-sessions.ts';
import { attemptHours } from './webhooks/attempt-hours.ts';
import { bulkActions } from './directory/bulk-actions.ts';
import { imports } from './directory/imports.ts';
import { duplicateTraces, duplicateDecisions } from './directory/duplicates.ts';
import { sources } from './directory/sources.ts';
import { subscriptionHealth } from './webhooks/subscription-health.ts';
import { subscriptions } from './webhooks/subscriptions.ts';
import { teams, views } from './teams.ts';

/**
 * Every read model. To add one: write it with `projection` (engine/read-model.ts) in a file of its own, and list it here. A
 * raised version is a collection of its own, built before the new release serves (engine/releases.ts); what an operator asks
 * for with `rebuild` is built beside the one that serves (engine/rebuild/rebuilds.ts).
 */
export const projections: readonly AnyProjection[] = [
  teams,
  members,
  invitations,
  views,
  people,
  erasures,
  sessions,
  clients,
  consents,
  grants,
  apiKeys,
  resources,
  resourceSearch,
  recordLookup,
  recordFreshness,
  ownSubmissions,
  sources,
  followings,
  imports,
  duplicateDecisions,
  bulkActions,
  duplicateTraces,
  organizations,
  mistakes,
  suggestions,
  agencyAskings,
  agencyContacts,
  agencyCalls,
  claims,
  payments,
  listedMembers,
  forms,
  formSubmissions,
  formDailyCounts,
  subscriptions,
  deliveries,
  subscriptionHealth,
  attemptHours,
  auditEvents,
] as readonly unknown[] as readonly AnyProjection[];

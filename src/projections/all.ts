import { apiKeys } from './api-keys.ts';
import { auditIndex } from './audit-index.ts';
import { clients } from './clients.ts';
import { consents } from './consents.ts';
import type { AnyProjection } from './define.ts';
import { deliveries } from './deliveries.ts';
import { grants } from './grants.ts';
import { members } from './members.ts';
import { people } from './people.ts';
import { resourceSearch } from './resource-search.ts';
import { resources } from './resources.ts';
import { sessions } from './sessions.ts';
import { signingKeys } from './signing-keys.ts';
import { submissions } from './submissions.ts';
import { subscriptionHealth } from './subscription-health.ts';
import { subscriptions } from './subscriptions.ts';
import { teams } from './teams.ts';

/** Every read model. */
export const projections: readonly AnyProjection[] = [
  teams,
  members,
  people,
  sessions,
  clients,
  consents,
  grants,
  signingKeys,
  apiKeys,
  resources,
  resourceSearch,
  submissions,
  subscriptions,
  deliveries,
  subscriptionHealth,
  auditIndex,
] as readonly unknown[] as readonly AnyProjection[];

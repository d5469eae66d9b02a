import { modelNamed } from '../projections/engine/read-model.ts';

/** What each read model shows, in words of the pages, by the name that commands take. */
const words: Readonly<Record<string, string>> = {
  teams: 'Teams',
  members: 'Members of teams',
  invitations: 'Invitations to teams',
  views: 'Saved views of records',
  people: 'Accounts',
  erasures: 'Which accounts are to be erased',
  sessions: 'Who is signed in',
  clients: 'Sites, and what they may do',
  consents: 'What people let sites see',
  grants: 'Sign-ins at sites, and their tokens',
  'api-keys': 'API keys, and what they may do',
  resources: 'Records: pages, lists and the API',
  'resource-search': 'Search of the directory',
  'record-lookup': 'Tables of records, and the search in them',
  'own-submissions': 'What people have submitted',
  sources: 'Sources of records',
  imports: 'Imports',
  'duplicate-decisions': 'Decisions about duplicates',
  'bulk-actions': 'Bulk actions',
  'duplicate-traces': 'The search for duplicates',
  organizations: 'Organizations',
  mistakes: 'Reported mistakes',
  suggestions: 'Suggested changes',
  'agency-askings': 'Which teams ask their agencies',
  'agency-contacts': 'What agencies were asked, and answered',
  'agency-calls': 'Calls that reached nobody',
  payments: 'Payments',
  'listed-members': 'Members without an account',
  forms: 'Forms',
  'form-submissions': 'Answers to forms',
  'form-daily-counts': 'How many answers a form took in a day',
  subscriptions: 'Webhooks, and what they are sent',
  deliveries: 'Deliveries of webhooks',
  'subscription-health': 'Whether receivers of webhooks respond',
  'webhook-attempt-hours': 'Charts of webhooks',
  'audit-events': 'The search of the audit log',
};

/** `name`: as it is stored, or as commands take it. One without words has its name. */
export const shownBy = (name: string): string => words[modelNamed(name)] ?? modelNamed(name);

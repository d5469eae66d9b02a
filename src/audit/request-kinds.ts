/** What a key is used for: kinds of requests, each with words for people. They follow the routes of the API. */
export const requestKinds = {
  list: 'list or search records',
  read: 'read a record',
  changes: 'read changes of records',
  hsds: 'read records as HSDS',
  package: 'download the whole directory',
  submit: 'submit a record',
  manage: 'change or review records',
  people: 'read contact persons',
  reports: 'read reports of mistakes',
  suggestions: 'read suggested changes',
  claims: 'read who keeps their own records',
  asking: 'read which agencies were asked, or are to be called',
  needs: 'read what people looked for',
  members: 'read members',
  'listed-members': 'list or add members without an account',
  forms: 'read forms',
  'form-submissions': 'read what was sent with a form',
  payments: 'read payments',
  'payments-write': 'record or reverse payments',
  webhooks: 'read webhooks',
  'webhooks-write': 'change, test or repeat webhooks',
  team: 'read or change the team',
  audit: 'read the audit log',
  'audit-entries': 'read entries of the proof log',
  'audit-export': 'export the audit log',
  legacy: 'list records, old address',
  widget: 'list records, old address, from a web page',
  other: 'another request',
} as const;
export type RequestKind = keyof typeof requestKinds;

/** Whether the key was good for the request. What is refused is named by the error that the caller gets, and why. */
export const outcomes = {
  accepted: 'accepted',
  revoked: 'refused: revoked',
  expired: 'refused: expired',
  team_closed: 'refused: team closed',
  insufficient_scope: 'refused: scope',
  domain_not_allowed: 'refused: domain',
  rate_limited: 'refused: too many',
} as const;
export type Outcome = keyof typeof outcomes;

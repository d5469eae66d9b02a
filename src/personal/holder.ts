/**
 * The owner of a data key: a person, with an account or listed by a team without one, an invitation, a person whom a resource names, a report, what
 * somebody has sent with a form, an address outside of a team that gets mails about answers, a contact of agencies, somebody who claims records, or a webhook subscription, whose address may hold a secret.
 */
export type Holder =
  | `person/${string}`
  | `invitation/${string}`
  | `resource-person/${string}`
  | `mistake/${string}`
  | `suggestion/${string}`
  | `form-submission/${string}`
  | `form-office/${string}`
  | `agency-contact/${string}`
  | `claim/${string}`
  | `webhook-subscription/${string}`;

// Over 300 lines: one sentence for each type of the directory, of forms and of payments.

import { subjectNamedBy } from '../../events/audit-subjects.ts';
import type { FieldGroup } from '../../events/directory/upkeep/precedence.ts';
import type { AgingPart } from '../../events/directory/upkeep/confirmation.ts';
import type { BulkChange, BulkCounts, BulkEvent } from '../../events/directory/bulk.ts';
import type { AgencyAskingEvent, AgencyCallEvent } from '../../events/directory/upkeep/agency-asking.ts';
import type { ClaimEvent, ClaimRulesEvent } from '../../events/directory/upkeep/claim.ts';
import type { AgencyContactEvent } from '../../events/directory/upkeep/agency-contact.ts';
import type { FollowedEvent, FollowingEvent } from '../../events/directory/upkeep/following.ts';
import type { MistakeEvent } from '../../events/directory/upkeep/mistake.ts';
import type { SuggestionEvent } from '../../events/directory/upkeep/suggestion.ts';
import type { MergesEvent } from '../../events/directory/merges.ts';
import type { ImportEvent } from '../../events/directory/import.ts';
import type { OrganizationEvent } from '../../events/directory/organization.ts';
import type { ResourceEvent } from '../../events/directory/resource.ts';
import type { ViewEvent } from '../../events/teams.ts';
import type { SourceEvent } from '../../events/directory/source.ts';
import type { FormEvent } from '../../events/forms/form.ts';
import type { FormSubmissionEvent } from '../../events/forms/submission.ts';
import { minorDigits } from '../../events/payments-currencies.ts';
import type { ListedMemberEvent, PaymentEvent } from '../../events/payments.ts';
import { counted } from '../../ground/counted.ts';
import type { Sentences } from './of-people.ts';
import { plainLine, type DescribedEvent, type Speaker } from './speaker.ts';

/** The id in the name of the stream. */
const own = ({ stream }: DescribedEvent): string => subjectNamedBy(stream)?.id ?? '';
const resource = (event: DescribedEvent, say: Speaker): string => say.resource(own(event));
const form = (event: DescribedEvent, say: Speaker): string => say.form(own(event));

/** A date as precisely as it is known, as people write it: `2018`, `May 2018`, `May 1, 2018`. */
const dateInWords = (date: string): string =>
  date.length < 7
    ? date
    : new Intl.DateTimeFormat('en-US', {
        ...{ timeZone: 'UTC', year: 'numeric', month: 'long' },
        ...(date.length > 7 && { day: 'numeric' }),
      }).format(new Date(date));

const partWords = { hours: 'hours', phones: 'phone numbers', places: 'places' } as const;
const partsOf = ({ parts }: { readonly parts?: readonly AgingPart[] | undefined }): string =>
  parts ? `${parts.map((part) => partWords[part]).join(' and ')} of ` : '';

const groupWords = {
  ...partWords,
  texts: 'descriptions',
  other: 'all else',
} as const satisfies Record<FieldGroup, string>;

const wrong = {
  closed: 'that it is closed',
  phone: 'a wrong phone number',
  address: 'a wrong address',
  hours: 'wrong hours',
  other: 'a mistake',
} as const;

/** Who suggests. No person is named: a link or a form is all that is known of them. */
const suggesters = {
  visitor: 'A visitor',
  agency: 'The agency, by the link sent to its contact,',
  claimant: 'The people who keep the record',
} as const;

const suggestedWhat = {
  change: 'suggested a change of',
  closed: 'said that it has closed:',
  not_ours: 'said that it is not theirs:',
} as const;

/** What became of the records of a bulk action. */
export function bulkOutcome({ done, unchanged, skipped, left = 0, stopped }: BulkCounts): string {
  const { state = 0, missing = 0, refused = 0 } = skipped;
  const skips = state + missing + refused;
  const parts = [
    `${done.toLocaleString('en')} done`,
    ...(unchanged > 0 ? [`${unchanged.toLocaleString('en')} unchanged`] : []),
    ...(skips > 0 ? [`${skips.toLocaleString('en')} skipped`] : []),
    ...(left > 0 ? [`${left.toLocaleString('en')} not reached`] : []),
  ];
  const why = { right: 'stopped, because the right to do it was lost', cancelled: 'stopped' } as const;
  return `${parts.join(', ')}${stopped === undefined ? '' : `; ${why[stopped]}`}`;
}

/** What somebody decided about so many records. */
export function bulkDecision(
  { decision, reason, category, day }: BulkChange,
  records: string,
  say: Speaker,
): string {
  const why = say.because(reason);
  switch (decision) {
    case 'approve':
      return `approved ${records}${why}`;
    case 'reject':
      return `rejected ${records}${why}`;
    case 'take-out':
      return `took ${records} out of the directory${why}`;
    case 'kind':
      return `changed the kind of help of ${records} to ${category ?? 'another one'}`;
    case 'verified':
      return `marked ${records} as verified on ${day ?? 'a day'}`;
  }
}

export const ofDirectory: Sentences<
  | ResourceEvent
  | MergesEvent
  | ViewEvent
  | SourceEvent
  | FollowingEvent
  | FollowedEvent
  | ImportEvent
  | BulkEvent
  | OrganizationEvent
  | MistakeEvent
  | SuggestionEvent
  | AgencyAskingEvent
  | AgencyContactEvent
  | AgencyCallEvent
  | ClaimEvent
  | ClaimRulesEvent
> = {
  ResourceSubmitted: ({ data }, say) =>
    `${say.actor} submitted ${plainLine(data.fields.name)} to ${say.team(data.team)}`,
  ResourceApproved: ({ data }, say) =>
    `${say.actor} approved ${plainLine(data.name)}${say.because(data.note)}`,
  ResourceRejected: ({ data }, say) =>
    `${say.actor} rejected ${plainLine(data.name)}${say.because(data.reason)}`,
  ResourceRevised: ({ data }, say) => `${say.actor} changed ${plainLine(data.fields.name)}`,
  ResourcePersonErased: (event, say) =>
    `${say.actor} erased what ${resource(event, say)} said about a person`,
  ResourceDeactivated: (event, say) =>
    `${say.actor} took ${resource(event, say)} out${event.data.at_source ? ', as its source did' : ''}${say.because(event.data.reason)}`,
  ResourceReactivated: (event, say) =>
    `${say.actor} put ${resource(event, say)} back into the directory${say.because(event.data.note)}`,
  ResourceReadFromSource: (event, say) =>
    event.data.source_confirmed
      ? `${say.actor} read what its source says of ${resource(event, say)}, and which parts were confirmed there`
      : `${say.actor} read what its source says of ${resource(event, say)}, and not all of it was taken`,
  ResourceWithdrawn: (event, say) =>
    `${say.actor} took ${resource(event, say)} back before it was reviewed${say.because(event.data.reason)}`,
  ResourceResubmitted: (event, say) => `${say.actor} put ${resource(event, say)} up for review again`,
  ResourceConfirmed: (event, say) =>
    event.data.by_link
      ? `By the link sent to the contact of ${plainLine(event.data.by_link.organization ?? 'its agency')}, ${resource(event, say)} was confirmed`
      : event.data.by_claim
        ? `By the people who keep the record, proven at host ${event.data.by_claim.host}, ${resource(event, say)} was confirmed`
        : `${say.actor} confirmed ${partsOf(event.data)}${resource(event, say)}${event.data.by === 'agency' ? ', as its agency says' : ''}`,
  ResourceConfirmationLapsed: (event, say) =>
    `${say.actor} noticed that nobody has confirmed ${resource(event, say)} since ${dateInWords(event.data.confirmed.on)}`,
  ResourceMerged: (event, say) =>
    `${say.actor} merged ${resource(event, say)} into ${say.resource(event.data.merged_into)}`,
  ResourceUnmerged: (event, say) =>
    `${say.actor} undid a merge: ${resource(event, say)} stands for itself again`,
  ResourceAbsorbed: (event, say) =>
    `${say.actor} merged ${say.resource(event.data.duplicate)} into ${resource(event, say)}`,
  ResourceReleased: (event, say) =>
    `${say.actor} undid the merge of ${say.resource(event.data.duplicate)} into ${resource(event, say)}`,
  MergeBegun: ({ data }, say) =>
    `${say.actor} merged a duplicate: ${say.resource(data.duplicate)} into ${say.resource(data.survivor)}`,
  MergeUndone: ({ data }, say) =>
    `${say.actor} undid the merge of ${say.resource(data.duplicate)} into ${say.resource(data.survivor)}`,
  DuplicatesDismissed: ({ data }, say) =>
    `${say.actor} said that ${counted(data.records.length, 'record')} are no duplicates, among them ${say.resource(data.records[0] ?? '')}`,
  ImportBegun: ({ data }, say) =>
    `${say.actor} began to import ${plainLine(data.source)} into the directory of ${say.team(data.team)}`,
  ImportEnded: ({ data }, say) =>
    `${say.actor} imported a package: ${data.new} new, ${data.revised} changed, ${data.deactivated} taken out, ${data.unchanged} unchanged`,
  ImportUndoBegun: (_, say) => `${say.actor} began to undo an import`,
  ImportUndone: ({ data }, say) =>
    `${say.actor} undid an import: ${data.taken_out} taken out, ${data.revised} changed back, ${data.returned} put back, ${data.left} left as changed since`,
  BulkBegun: ({ data }, say) =>
    `${say.actor} began a bulk action: ${bulkDecision(data, counted(data.number, 'record'), say)}`,
  BulkEnded: ({ data }, say) => `${say.actor} ended a bulk action: ${bulkOutcome(data)}`,
  BulkUndoBegun: (_, say) => `${say.actor} began to undo a bulk action`,
  BulkUndone: ({ data }, say) =>
    `${say.actor} undid a bulk action: ${data.taken_out} taken out, ${data.revised} changed back, ${data.returned} put back, ${data.left} left as changed since`,
  ViewSaved: ({ data }, say) =>
    `${say.actor} saved the view ${plainLine(data.name)} of the directory of ${say.team(data.team)}`,
  ViewRemoved: ({ data }, say) =>
    `${say.actor} removed the view ${plainLine(data.name)} of the directory of ${say.team(data.team)}`,
  SourceNamed: ({ data }, say) =>
    `${say.actor} named ${plainLine(data.name)} as a source of ${say.team(data.team)}`,
  SourceRenamed: ({ data }, say) =>
    `${say.actor} renamed a source of ${say.team(data.team)} to ${plainLine(data.name)}`,
  SourcePrecedenceChosen: ({ data }, say) =>
    data.groups.length === 0
      ? `${say.actor} let what was changed here count before the source ${plainLine(data.source)} of ${say.team(data.team)}`
      : `${say.actor} let the source ${plainLine(data.source)} of ${say.team(data.team)} count first for ${data.groups.map((group) => groupWords[group]).join(', ')}`,
  FollowingBegun: ({ data }, say) =>
    `${say.actor} began to follow ${plainLine(data.address)} as a source of ${say.team(data.team)}`,
  FollowedChangesRead: ({ data }, say) =>
    `${say.actor} read ${counted(data.entries, 'change')} of ${plainLine(data.source)}, which ${say.team(data.team)} follows`,
  FollowingKeyReplaced: ({ data }, say) =>
    `${say.actor} took the next key of the proof log of ${plainLine(data.source)}, which ${say.team(data.team)} follows`,
  FollowingPaused: ({ data }, say) =>
    `${say.actor} paused following ${plainLine(data.source)} for ${say.team(data.team)}${say.because(data.detail)}`,
  FollowingResumed: ({ data }, say) =>
    `${say.actor} resumed following ${plainLine(data.source)} for ${say.team(data.team)}${data.anew ? ', and accepted that its past is another one' : ''}`,
  FollowingEnded: ({ data }, say) =>
    `${say.actor} stopped following ${plainLine(data.source)} for ${say.team(data.team)}`,
  OrganizationSubmitted: ({ data }, say) =>
    `${say.actor} submitted the organization ${plainLine(data.fields.name)} to ${say.team(data.team)}`,
  OrganizationApproved: ({ data }, say) =>
    `${say.actor} approved the organization ${plainLine(data.name)}${say.because(data.note)}`,
  OrganizationRejected: ({ data }, say) =>
    `${say.actor} rejected the organization ${plainLine(data.name)}${say.because(data.reason)}`,
  OrganizationRevised: ({ data }, say) =>
    `${say.actor} changed the organization ${plainLine(data.fields.name)}`,
  OrganizationReadFromSource: ({ data }, say) =>
    `${say.actor} read what the source says of the organization ${plainLine(data.fields.name)}`,
  OrganizationPersonErased: (event, say) =>
    `${say.actor} erased what ${say.organization(own(event))} said about a person`,
  OrganizationDeactivated: ({ data }, say) =>
    `${say.actor} took the organization ${plainLine(data.name)} out${data.at_source ? ', as its source did' : ''}${say.because(data.reason)}`,
  OrganizationReactivated: ({ data }, say) =>
    `${say.actor} put the organization ${plainLine(data.name)} back into the directory`,
  OrganizationWithdrawn: ({ data }, say) =>
    `${say.actor} took the organization ${plainLine(data.name)} back, which waited for review${say.because(data.reason)}`,
  OrganizationResubmitted: ({ data }, say) =>
    `${say.actor} submitted the organization ${plainLine(data.name)} again`,
  MistakeReported: ({ data }, say) => `Somebody reported ${wrong[data.kind]} of ${say.resource(data.svc_id)}`,
  MistakeResolved: ({ data }, say) =>
    data.outcome === 'fixed'
      ? `${say.actor} corrected what a report of a mistake named`
      : `${say.actor} dismissed a report of a mistake`,
  MistakeReportErased: (_, say) => `${say.actor} erased what a report of a mistake said`,
  ChangeSuggested: ({ data }, say) =>
    `${suggesters[data.by]} ${suggestedWhat[data.kind]} ${say.resource(data.svc_id)}`,
  SuggestionAccepted: (_, say) => `${say.actor} accepted a suggestion`,
  SuggestionDismissed: (_, say) => `${say.actor} dismissed a suggestion`,
  SuggestionErased: (_, say) => `${say.actor} erased what a suggestion said`,
  AgencyAskingChosen: ({ data }, say) =>
    data.on
      ? `${say.actor} chose that ${say.team(data.team)} asks its agencies by mail`
      : `${say.actor} chose that ${say.team(data.team)} asks its agencies no more`,
  AgencyContactMailed: ({ data }, say) =>
    `A contact of agencies of ${say.team(data.team)} was asked about ${counted(data.svc_ids.length, 'record')}`,
  AgencyContactAnswered: ({ data }, say) =>
    `By the link that was mailed to a contact of its agency, ${say.resource(data.svc_id)} ${answerWords[data.answer]}`,
  AgencyAnswerWithdrawn: ({ data }, say) =>
    `By the link that was mailed to a contact of its agency, an answer about ${say.resource(data.svc_id)} was taken back`,
  AgencyAnswersApplied: ({ data }) =>
    `What a contact of agencies answered about ${counted(data.svc_ids.length, 'record')} has its effect`,
  AgencyContactStopped: () => 'By the link in its mails, a contact of agencies ended them',
  AgencyContactBounced: ({ data }, say) =>
    data.reason === 'refused'
      ? 'A mail server refused the mails to a contact of agencies for ever'
      : `${say.actor} reported that mails to a contact of agencies came back`,
  AgencyContactErased: (_, say) => `${say.actor} erased the address of a contact of agencies`,
  AgencyNotReached: ({ data }, say) =>
    `${say.actor} called about ${say.resource(data.svc_id)} and reached nobody`,
  ClaimBegun: ({ data }, say) =>
    `Somebody with an address at ${data.host} asked to keep the records of the organization of ${say.resource(data.svc_id)}`,
  ClaimLinkRenewed: () => 'Somebody who claims or keeps records asked for a new link',
  ClaimProven: () => 'Somebody proved that they read mails at the host of a website',
  ClaimApproved: ({ data }, say) =>
    data.like_before
      ? 'A claim was approved, as an earlier one at the same host'
      : `${say.actor} approved that the people of an organization keep its records`,
  ClaimRefused: ({ data }, say) => `${say.actor} refused a claim${say.because(data.reason)}`,
  ClaimEnded: ({ data }, say) =>
    data.by === 'claimant'
      ? 'The people who kept the records of an organization ended that'
      : data.by === 'restore'
        ? 'After a restore, the end of a claim from before it was noted once more'
        : `${say.actor} ended that the people of an organization keep its records`,
  ClaimErased: (_, say) => `${say.actor} erased the address of somebody who claimed records`,
  ClaimRulesChosen: ({ data }, say) =>
    `${say.actor} chose for ${say.team(data.team)}: changes by those who keep records ${ruleWords[data.changes]}, and later claims ${ruleWords[data.later_claims]}`,
};

const ruleWords = { wait: 'wait for the team', at_once: 'count at once' } as const;

const answerWords = {
  yes: 'was said to be still right',
  change: 'was said to have changed',
  closed: 'was said to be closed',
  not_ours: 'was said not to be theirs',
} as const;

/** An amount in the unit of its currency, without a float: 1250 USD is 12.50 USD. */
function amount({ amount_minor: minor, currency }: { amount_minor: number; currency: string }): string {
  const digits = minorDigits.get(currency) ?? 0;
  const padded = String(minor).padStart(digits + 1, '0');
  const whole = padded.slice(0, padded.length - digits);
  return digits === 0 ? `${whole} ${currency}` : `${whole}.${padded.slice(-digits)} ${currency}`;
}

const readersText = {
  admin: 'admins only',
  reviewer: 'reviewers and admins',
  member: 'every member',
} as const;

export const ofFormsAndPayments: Sentences<
  FormEvent | FormSubmissionEvent | PaymentEvent | ListedMemberEvent
> = {
  FormPublished: ({ data }, say) => `${say.actor} published ${say.form(data.form)} of ${say.team(data.team)}`,
  FormRevised: (event, say) => `${say.actor} changed ${form(event, say)}`,
  FormClosed: (event, say) => `${say.actor} closed ${form(event, say)}`,
  FormReopened: (event, say) => `${say.actor} opened ${form(event, say)} again`,
  FormReadersChosen: (event, say) =>
    `${say.actor} let ${readersText[event.data.readers]} read the answers to ${form(event, say)}`,
  FormMailsChosen: (event, say) => {
    const { length } = event.data.members;
    const who = length === 0 ? 'nobody' : length === 1 ? '1 member' : `${length} members`;
    return `${say.actor} chose that ${who} get mails about answers to ${form(event, say)}${event.data.receipts ? ', and senders a receipt' : ''}`;
  },
  FormOfficeNamed: (event, say) =>
    `${say.actor} named an address outside of the team for mails about answers to ${form(event, say)}`,
  FormOfficeConfirmed: (event, say) =>
    `The address outside of the team confirmed that it gets mails about answers to ${form(event, say)}`,
  FormOfficeRemoved: (event, say) =>
    `${say.actor} ended the mails about answers to ${form(event, say)} to an address outside of the team`,
  FormRetentionChosen: (event, say) => {
    const { days } = event.data;
    return days === undefined
      ? `${say.actor} chose that answers to ${form(event, say)} are kept until somebody erases them`
      : `${say.actor} chose that answers to ${form(event, say)} are erased after ${days === 1 ? '1 day' : `${days} days`}`;
  },
  FormSubmitted: ({ data }, say) => `Somebody filled in ${say.form(data.form)} of ${say.team(data.team)}`,
  FormSubmissionStateChosen: ({ data }, say) =>
    `${say.actor} ${{ new: 'put back', in_work: 'began with', done: 'was done with' }[data.state]} an answer to a form`,
  FormSubmissionErased: (_, say) => `${say.actor} erased the answers of a form`,
  PaymentRecorded: ({ data }, say) =>
    `${say.actor} recorded a payment of ${amount(data)} by ${say.person(data.member)} for ${say.team(data.team)}`,
  PaymentReassigned: ({ data }, say) =>
    `${say.actor} gave a payment to ${say.team(data.team)} to ${say.person(data.member)}, who has an account by now`,
  ListedMemberAdded: ({ data }, say) =>
    `${say.actor} added a member without an account to ${say.team(data.team)}`,
  ListedMemberChanged: (_, say) => `${say.actor} changed a member without an account`,
  ListedMemberErased: (_, say) => `${say.actor} erased a member without an account`,
  ListedMemberJoined: ({ data }, say) =>
    `${say.actor} made one of a member without an account and ${say.person(data.user)}`,
  PaymentReversed: ({ data }, say) => `${say.actor} reversed a payment for ${say.team(data.team)}`,
};

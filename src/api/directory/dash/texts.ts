import type { MistakeKind } from '../../../events/directory/mistake.ts';
import type { ResourceDocument } from '../../../projections/directory/resources.ts';

type Status = ResourceDocument['status'];

/** What the pages of a team's directory say. */
export interface Texts {
  readonly statuses: Readonly<Record<Status, string>>;
  readonly mistakes: Readonly<Record<MistakeKind, string>>;
  readonly review: typeof reviewInEnglish;
}

const reviewInEnglish = {
  title: 'Review',
  submitted: (count: string) => `Submitted (${count})`,
  mistakes: (count: string) => `Reported mistakes (${count})`,
  queues: 'What waits for a decision',
  left: (count: string) => (count === '1' ? 'This is the last one.' : `${count} wait for a decision.`),
  keys: 'Keys: a approves, r rejects, j shows the next. Each asks before it does something.',
  mistakeKeys: 'Keys: a settles it as corrected, r dismisses it, j shows the next.',
  asPeopleSeeIt: 'As people will see it',
  asItIs: 'As people see it now',
  about: 'About this submission',
  submittedAt: 'Submitted',
  submittedBy: 'By',
  withKey: 'a key of a developer',
  withSource: (system: string) => `an import from ${system}`,
  inDashboard: 'a member of the team, or an operator',
  decide: 'Decide',
  approve: 'Approve',
  approveSentence: 'Everybody can see it at once.',
  note: 'A note for whoever submitted it',
  reject: 'Reject',
  rejectSentence: 'It does not become public. Whoever submitted it can read your reason.',
  reason: 'Reason',
  reasonMissing: 'Say why, so that whoever submitted it can do better.',
  next: 'Next',
  open: 'Open the record',
  duplicates: 'Is it in the directory already?',
  noDuplicates: 'No public record has the same name, phone or address.',
  same: { name: 'Same name', phone: 'Same phone', address: 'Same address' },
  nothing: 'Nothing waits for a decision.',
  nothingNext: 'New submissions appear here.',
  noMistakes: 'No mistakes are reported.',
  noMistakesNext: 'What people report on a public page of your directory appears here.',
  fromTheStart: 'You have seen all that wait. This is the first again.',
  changed: 'It has changed since you opened it, so nothing was decided. Look at it again, then decide.',
  decided: 'Somebody else has decided about it already. This is the next one.',
  done: {
    approved: 'It is approved, and everybody can see it.',
    rejected: 'It is rejected.',
    fixed: 'The report is settled: the record is corrected.',
    dismissed: 'The report is dismissed: nothing was wrong.',
    erased: 'What the report said is erased.',
  },
  whatIsWrong: 'What is wrong',
  said: 'In their words',
  saidNothing: 'Nothing further',
  contact: 'How to reach them',
  reportedAt: 'Reported',
  correct: 'Correct the record',
  fixed: 'It is corrected',
  fixedSentence: 'The report leaves the queue. Correct the record first.',
  dismiss: 'Dismiss',
  dismissSentence: 'The report leaves the queue. The record stays as it is.',
  eraseReport: 'Erase what it says',
  eraseSentence: 'Nobody can ever read their words and how to reach them again. It cannot be undone.',
  erasedAlready: 'What it said is erased.',
  noRecord: 'The record is no longer there.',
} as const;

export const en: Texts = {
  statuses: { submitted: 'Submitted', approved: 'Public', rejected: 'Rejected', inactive: 'Inactive' },
  mistakes: {
    closed: 'It has closed, or no longer offers this',
    phone: 'The phone number is wrong',
    address: 'The address is wrong',
    hours: 'The hours are wrong',
    other: 'Something else',
  },
  review: reviewInEnglish,
};

import { counted } from '../../../ground/counted.ts';
import type { MistakeKind } from '../../../events/directory/upkeep/mistake.ts';
import type { ResourceFieldName } from '../../../events/directory/resource-fields.ts';
import type { ResourceDocument } from '../../../projections/directory/resources.ts';
import { formInEnglish } from './form-texts.ts';

type Status = ResourceDocument['status'];

/**
 * What the pages of a team's directory say.
 *
 * Over 300 lines: all of it is read beside each other, so that one thing has one name.
 */
export interface Texts {
  readonly duplicates: typeof duplicatesInEnglish;
  readonly statuses: Readonly<Record<Status, string>>;
  readonly mistakes: Readonly<Record<MistakeKind, string>>;
  readonly review: typeof reviewInEnglish;
  readonly records: typeof recordsInEnglish;
  readonly form: typeof formInEnglish;
  readonly own: typeof ownInEnglish;
  readonly exports: typeof exportsInEnglish;
  readonly fields: Readonly<Record<ResourceFieldName, string>>;
  readonly words: typeof wordsInEnglish;
}

const reviewInEnglish = {
  title: 'Review',
  submitted: (count: string) => `Waiting (${count})`,
  mistakes: (count: string) => `Reported mistakes (${count})`,
  suggestions: (count: string) => `Suggested changes (${count})`,
  claims: (count: string) => `Claims (${count})`,
  queues: 'What waits for a decision',
  left: (count: string) =>
    count === '1' ? 'This is the last one.' : `${count.replace(/^m/, 'M')} wait for a decision.`,
  keys: 'Keys: a goes to Approve, r to Reject, and Enter presses it; j shows the next, o opens the record. They rest while you type.',
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
  stays: 'This text stays in the log for ever. Do not name a person.',
  reject: 'Reject',
  rejectSentence: 'It does not become public. Whoever submitted it can read your reason.',
  reason: 'Reason',
  reasonMissing: 'Say why, so that whoever submitted it can do better.',
  next: 'Next',
  open: 'Open the record',
  addNote: 'Add a note',
  undo: 'Undo',
  undoLabel: 'Undo the decision',
  openDecided: 'Open that record',
  nothingToUndo: 'This decision is not recorded, so there is nothing to undo.',
  decidedSince: 'Somebody has decided about that record since, so your decision cannot be undone here.',
  asTable: 'All that wait, as a table',
  oneByOne: 'One after the other',
  tableLead:
    'What waits for a decision. Tick records, or choose all that fit the filter, and decide about them at once.',
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
    undone: 'The decision is undone. The record waits again.',
    fixed: 'The report is settled: the record is corrected.',
    dismissed: 'The report is dismissed: nothing was wrong.',
    erased: 'What the report said is erased.',
  },
  whatIsWrong: 'What is wrong',
  words: 'In their words',
  noWords: 'Nothing further',
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

const fieldsInEnglish: Readonly<Record<ResourceFieldName, string>> = {
  name: 'Name',
  organization: 'Organization',
  alternate_name: 'Other name',
  category: 'Kind of help',
  categories: 'Further kinds of help',
  taxonomy_terms: 'Terms of its source',
  description: 'Description',
  url: 'Website',
  locations: 'Places',
  phones: 'Phone numbers',
  hours: 'Hours, in words',
  opening_hours: 'Table of hours',
  time_zone: 'Time zone',
  utc_offsets: 'Difference from UTC',
  languages: 'Languages',
  eligibility: 'Who can use it',
  ages: 'Ages',
  cost: 'Cost',
  free: 'Free of charge',
  how_to_apply: 'How to apply',
  documents: 'What to bring',
  service_area: 'Areas served',
  alert: 'Temporary notice',
  availability: 'Open or closed',
  last_verified: 'Last checked',
  last_modified: 'Last changed by its source',
  email: 'Email',
  interpretation: 'Interpreters',
  capacity: 'Capacity',
  contacts: 'Contacts',
  verified_by: 'Checked by',
};

const recordsInEnglish = {
  title: 'Directory',
  lead: 'The records of your team: those that everybody sees, and those that wait or were taken out.',
  submit: 'Submit a record',
  review: 'Review',
  find: 'Search',
  filters: 'Records of the team',
  status: 'Status',
  anyStatus: 'Any status',
  category: 'Kind of help',
  anyCategory: 'Any kind',
  none: 'No record was found.',
  noneNext: 'Try fewer words, or another status.',
  noneYet: 'Your directory has no records yet.',
  edit: 'Edit',
  publicPage: 'Public page',
  people: 'People it names',
  asPeopleSeeIt: 'As people see it',
  asPeopleWould: 'As people would see it',
  statusHeading: 'Status',
  number: 'Number',
  submitted: 'Submitted',
  changedAt: 'Last changed',
  source: 'Source',
  sourceHint:
    'What you change here stays. If the source changes it too, the next import asks you which to keep.',
  note: 'Note of the last decision',
  deactivate: 'Take out of the directory',
  confirmedAt: 'Confirmed',
  neverConfirmed: 'Never, as far as the directory knows',
  confirm: {
    label: 'Still right today',
    sentence: 'People see that the people of this directory checked it today. Nothing else of it changes.',
    what: 'What you checked',
    parts: {
      record: 'All of it',
      hours: 'Its opening hours',
      phones: 'Its phone numbers',
      places: 'Its places',
    },
    inDirectory: (directory: string) => `in ${directory}`,
  },
  deactivateSentence: 'Nobody finds it any more. Its page says that it is gone. You can put it back.',
  reason: 'Reason',
  stays: 'This text stays in the log for ever. Do not name a person.',
  reactivate: 'Put back into the directory',
  reactivateSentence:
    'Everybody can see it again at once, unless nobody has approved it yet: then it waits for review.',
  reports: 'Reported mistakes',
  suggested: 'Suggested changes',
  reportsLimit: 'There may be more. See the queue.',
  history: 'History',
  withOthers: (number: number) => `Decided together with others: ${counted(number, 'record')}`,
  historyLimit: (most: number) => `The newest ${most} are shown.`,
  whatChanged: 'What changed',
  changes: 'What this change changed',
  peopleTitle: (name: string) => `People named by ${name}`,
  peopleLead:
    'Whom the record names now, and whom it has named before. Only teams see them. Erasing somebody removes them from the history too.',
  nobody: 'The record has never named anybody.',
  peopleColumns: { person: 'Person', field: 'As', state: 'Now' },
  states: { current: 'Named', former: 'Named before', erased: 'Erased' },
  erased: 'Erased',
  erase: 'Erase',
  eraseSentence:
    'Everything that the record has ever said about this person can never be read again, also in its history. No mail asks them any more whether records are right. It cannot be undone.',
  back: 'Back to the record',
  refusedReason: 'Say why.',
  done: {
    submitted: 'It is submitted, and waits for a reviewer. Home says what becomes of it.',
    sentAgain: 'It is sent again, and waits for a reviewer.',
    saved: 'Your change is saved. The history below says what changed.',
    unchanged: 'Nothing was different, so nothing was changed.',
    approved: 'It is approved, and everybody can see it.',
    rejected: 'It is rejected.',
    inactive: 'It is taken out. Nobody finds it any more.',
    active: 'It is back, and everybody can see it.',
    waiting: 'It is back, and waits for a reviewer.',
    confirmed: 'It is confirmed as of today.',
    unmerged: 'The merge is undone. This record stands for itself again.',
    unmergedInPart:
      'The merge is undone. What somebody has changed since at the other record stays as it is there.',
    erasedPerson: 'The person is erased from the record and its history.',
    fixed: 'The report is settled: the record is corrected.',
    dismissed: 'The report is dismissed: nothing was wrong.',
    erased: 'What the report said is erased.',
  },
} as const;

const duplicatesInEnglish = {
  title: 'Duplicates',
  open: 'Duplicates',
  lead: 'Records of your directory that are probably the same: the same name, with a phone, an address or a web page in common. Merge them, or say that they are none. The same help at two places is no duplicate.',
  none: 'No records look like duplicates.',
  compared: 'The records are being compared. For a large directory this takes up to a minute after a start.',
  lookAgain: 'Look again',
  total: (groups: number, records: number) =>
    `${groups} ${groups === 1 ? 'group' : 'groups'}, ${counted(records, 'record')}.`,
  file: 'Download as a spreadsheet (CSV)',
  inCommon: { name: 'Same name', phone: 'Same phone', address: 'Same address', web: 'Same web page' },
  caption: (name: string) => `Records that are probably the same as ${name}`,
  record: 'Record',
  place: 'Place',
  phone: 'Phone',
  status: 'Status',
  changed: 'Changed',
  fullest: 'Says most',
  compare: 'Compare and merge',
  dismiss: 'Not duplicates',
  dismissSentence: 'They are no longer shown as duplicates, unless they come to have more in common.',
  mergedLately: 'Merged lately',
  mergedAt: 'Merged',
  undo: 'Undo the merge',
  undoSentence:
    'The record is back as it was before, with what its source has said since. The other one gives back what it took, where nobody has changed it since.',
  mergeTitle: 'Merge two records',
  mergeLead:
    'One record stays, the other goes: its address leads to the one that stays, and so does what its source says from now on.',
  stays: 'Stays',
  goes: 'Goes',
  swap: 'Let the other one stay',
  choose: 'What is kept',
  ofStays: 'Of the one that stays',
  ofGoes: 'Of the one that goes',
  ofGoesSuggested: 'Of the one that goes: says more, or was verified later',
  show: 'Show the result',
  result: 'The result',
  unchanged: 'The record that stays is not changed.',
  nothingDiffers: 'The one that goes says nothing that the other does not say.',
  nothing: 'Nothing',
  merge: 'Merge as chosen',
  mergeSentence: 'What is chosen above counts, also when its result was not shown. You can undo it later.',
  back: 'All duplicates',
  noOther: 'There is no such record to merge into.',
  itself: 'A record cannot be merged into itself. Choose another one.',
  mergedInto: 'This record was a duplicate and was merged into another one, which has its place.',
  into: 'Open that record',
  done: {
    merged: 'They are merged. You can undo it below.',
    dismissed: 'They are no longer shown as duplicates.',
  },
} as const;

const ownInEnglish = {
  title: 'What you submitted',
  lead: 'What became of it, the newest decision first. You can change what waits or was rejected, and send it again.',
  none: 'You have submitted nothing yet.',
  all: 'All that you submitted',
  columns: { record: 'Record', status: 'Status', since: 'Since' },
  change: 'Change',
  sendAgain: 'Change and send again',
  rejected: (note: string) => `It was rejected: ${note}`,
  waits: 'It waits for a reviewer. You can still change it.',
  send: 'Send it again',
  notOwn: 'Only the person who submitted a record can send it again, and only until it is public.',
} as const;

const exportsInEnglish = {
  title: 'Export',
  open: 'Export',
  lead: 'All records of your team as a file, with those that are not public.',
  download: 'Download',
  formats: {
    'hsds-json': {
      name: 'HSDS',
      about: 'The exchange format of directories, as JSON. Other directories can import it.',
    },
    csv: { name: 'Spreadsheet', about: 'One row for each record, as CSV.' },
    geojson: { name: 'Places for a map', about: 'One point for each place, as GeoJSON.' },
  },
  people:
    'The file has contacts and places whose address is not public. Keep it as safe as you keep the directory.',
} as const;

const wordsInEnglish = {
  heading: 'Said otherwise',
  lead: 'What stands comes first in each field. Taking another word changes the record at once; history keeps both.',
  here: 'Here',
  people: 'The people of this directory',
  agency: 'The agency',
  nothing: 'nothing',
  take: 'Take this instead',
} as const;

export const en: Texts = {
  duplicates: duplicatesInEnglish,
  statuses: { submitted: 'Waiting', approved: 'Public', rejected: 'Rejected', inactive: 'Taken out' },
  mistakes: {
    closed: 'It has closed, or no longer offers this',
    phone: 'The phone number is wrong',
    address: 'The address is wrong',
    hours: 'The hours are wrong',
    other: 'Something else',
  },
  review: reviewInEnglish,
  records: recordsInEnglish,
  form: formInEnglish,
  own: ownInEnglish,
  exports: exportsInEnglish,
  fields: fieldsInEnglish,
  words: wordsInEnglish,
};

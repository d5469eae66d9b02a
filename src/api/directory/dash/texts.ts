import type { MistakeKind } from '../../../events/directory/mistake.ts';
import type { ResourceFieldName } from '../../../events/directory/resource-fields.ts';
import type { ResourceDocument } from '../../../projections/directory/resources.ts';
import { formInEnglish } from './form-texts.ts';

type Status = ResourceDocument['status'];

/** What the pages of a team's directory say. */
export interface Texts {
  readonly statuses: Readonly<Record<Status, string>>;
  readonly mistakes: Readonly<Record<MistakeKind, string>>;
  readonly review: typeof reviewInEnglish;
  readonly records: typeof recordsInEnglish;
  readonly table: typeof tableInEnglish;
  readonly form: typeof formInEnglish;
  readonly own: typeof ownInEnglish;
  readonly exports: typeof exportsInEnglish;
  readonly fields: Readonly<Record<ResourceFieldName, string>>;
}

const reviewInEnglish = {
  title: 'Review',
  submitted: (count: string) => `Waiting (${count})`,
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
  stays: 'This text stays in the log for ever. Do not name a person.',
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
  standing: 'Status',
  number: 'Number',
  submitted: 'Submitted',
  changedAt: 'Last changed',
  source: 'Source',
  sourceHint:
    'What you change here stays. If the source changes it too, the next import asks you which to keep.',
  note: 'Note of the last decision',
  deactivate: 'Take out of the directory',
  deactivateSentence: 'Nobody finds it any more. Its page says that it is gone. You can put it back.',
  reason: 'Reason',
  stays: 'This text stays in the log for ever. Do not name a person.',
  reactivate: 'Put back into the directory',
  reactivateSentence:
    'Everybody can see it again at once, unless nobody has approved it yet: then it waits for review.',
  reports: 'Reported mistakes',
  reportsLimit: 'There may be more. See the queue.',
  history: 'History',
  withOthers: (number: number) => `Decided together with others: ${number.toLocaleString('en')} records`,
  historyLimit: (most: number) => `The newest ${most} are shown.`,
  whatChanged: 'What changed',
  changes: 'What this change changed',
  peopleTitle: (name: string) => `People named by ${name}`,
  peopleLead:
    'Whom the record names now, and whom it has named before. Only teams see them. Erasing somebody removes them from the history too.',
  nobody: 'The record has never named anybody.',
  peopleColumns: { person: 'Person', field: 'As', standing: 'Now' },
  standings: { current: 'Named', former: 'Named before', erased: 'Erased' },
  erased: 'Erased',
  erase: 'Erase',
  eraseSentence:
    'Everything that the record has ever said about this person can never be read again, also in its history. It cannot be undone.',
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
    erasedPerson: 'The person is erased from the record and its history.',
    fixed: 'The report is settled: the record is corrected.',
    dismissed: 'The report is dismissed: nothing was wrong.',
    erased: 'What the report said is erased.',
  },
} as const;

/** Records with their number. */
const counted = (total: number): string => `${total} ${total === 1 ? 'record' : 'records'}`;

const tableInEnglish = {
  columns: {
    organization: 'Organization',
    name: 'Record',
    place: 'Place',
    kind: 'Kind of help',
    state: 'Status',
    changed: 'Changed',
    verified: 'Verified',
  },
  caption: (total: number) => `${counted(total)}, sorted as their headings say`,
  total: (total: number, page: number, pages: number) =>
    pages === 1 ? `${counted(total)}.` : `${counted(total)}. Page ${page} of ${pages}.`,
  words: 'Name, place or phone',
  sort: 'Sorted by',
  bestFirst: 'Best match first',
  orders: {
    organization: 'Organization, A to Z',
    '-organization': 'Organization, Z to A',
    name: 'Record, A to Z',
    '-name': 'Record, Z to A',
    place: 'Place, A to Z',
    '-place': 'Place, Z to A',
    kind: 'Kind of help',
    '-kind': 'Kind of help, backwards',
    state: 'Status',
    '-state': 'Status, backwards',
    '-changed': 'Changed last first',
    changed: 'Changed longest ago first',
    verified: 'Verified longest ago first',
    '-verified': 'Verified last first',
    submitted: 'Waiting longest first',
    '-submitted': 'Submitted last first',
  },
  moreFilters: 'More filters',
  anySource: 'Any source',
  writtenHere: 'Written here',
  changedSince: 'Changed within',
  anyTime: 'Any time',
  never: 'Never',
  since: (time: string) => (/^\d{4}/.test(time) ? `Since ${time}` : `The last ${time}`),
  notSince: (time: string) => (/^\d{4}/.test(time) ? `Before ${time}, or never` : `Not in the last ${time}`),
  unknown: (value: string) => `“${value}” is no longer there to filter by, so everything else is shown.`,
  tick: (name: string) => `Tick ${name}`,
  tickedForm: 'Do something with the ticked records',
  tickPage: (rows: number) => `All ${rows} on this page`,
  tickAll: (total: number) =>
    total === 1 ? 'The one that fits this filter' : `All ${total} that fit this filter`,
  noScript: 'Ticks are for this page only. To reach other pages too, choose all that fit.',
  moreActions: 'More',
  does: {
    approve: 'Approve',
    reject: 'Reject',
    'take-out': 'Take out',
    kind: 'Change kind of help',
    verified: 'Verified today',
  },
} as const;

const ownInEnglish = {
  title: 'What you submitted',
  lead: 'What became of it, the newest decision first. You can change what waits or was rejected, and send it again.',
  none: 'You have submitted nothing yet.',
  all: 'All that you submitted',
  columns: { record: 'Record', status: 'Status', note: 'What the reviewer wrote', since: 'Since' },
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

export const en: Texts = {
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
  table: tableInEnglish,
  form: formInEnglish,
  own: ownInEnglish,
  exports: exportsInEnglish,
  fields: fieldsInEnglish,
};

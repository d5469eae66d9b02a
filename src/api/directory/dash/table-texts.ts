/** Records with their number. */
const counted = (total: number): string => `${number(total)} ${total === 1 ? 'record' : 'records'}`;

const number = (value: number): string => value.toLocaleString('en');

/** How many of a hundred public records were confirmed lately. Of none, none. */
export const confirmedPercent = (listed: number, confirmed: number): number =>
  listed === 0 ? 0 : Math.floor((confirmed / listed) * 100);

/** What tables of records say. */
export const tableTexts = {
  columns: {
    organization: 'Organization',
    name: 'Record',
    place: 'Place',
    kind: 'Kind of help',
    state: 'Status',
    changed: 'Changed',
    verified: 'Confirmed',
  },
  caption: (total: number) => `${counted(total)}, sorted as their headings say`,
  total: (total: number, page: number, pages: number) =>
    pages === 1 ? `${counted(total)}.` : `${counted(total)}. Page ${number(page)} of ${number(pages)}.`,
  confirmedShare: (listed: number, confirmed: number) => {
    const percent = confirmedPercent(listed, confirmed);
    // Two of five hundred are not none.
    const share = percent === 0 && confirmed > 0 ? number(confirmed) : `${percent} %`;
    return `${share} of ${counted(listed).replace('record', 'public record')} confirmed within six months.`;
  },
  trend: {
    open: 'How it was in the last year',
    title: 'Confirmed within six months, at the end of each month',
    day: 'Day',
    share: 'Per cent',
    confirmed: 'Confirmed',
    listed: 'Public records',
  },
  due: (due: number) => `${counted(due)} to confirm`,
  csv: 'Download this table as CSV',
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
    verified: 'Confirmed longest ago first',
    '-verified': 'Confirmed last first',
    submitted: 'Waiting longest first',
    '-submitted': 'Submitted last first',
  },
  /** What stands in place of the filters where there is no room for them. */
  folded: (set: readonly string[]) =>
    set.length === 0 ? 'Search, filter and sort' : `Search, filter and sort: ${set.join(', ')}`,
  ofSource: (name: string) => `from ${name}`,
  changedIn: (time: string) => `changed: ${time}`,
  verifiedIn: (time: string) => `confirmed: ${time}`,
  moreFilters: 'More filters and columns',
  shownColumns: 'Columns',
  anySource: 'Any source',
  writtenHere: 'Written here',
  changedSince: 'Changed within',
  anyTime: 'Any time',
  never: 'Never',
  since: (time: string) => (/^\d{4}/.test(time) ? `Since ${time}` : `The last ${time}`),
  notSince: (time: string) => (/^\d{4}/.test(time) ? `Before ${time}, or never` : `Not in the last ${time}`),
  unknown: (value: string) => `“${value}” is no longer there to filter by, so everything else is shown.`,
  unknownColumn: (value: string) => `There is no column “${value}” any more. The other columns are shown.`,
  unknownSort: (value: string) => `Nothing is sorted by “${value}” any more. The usual order is shown.`,
  tick: (name: string) => `Tick ${name}`,
  tickedForm: 'Do something with the ticked records',
  tickPage: (rows: number) => `All ${rows} on this page`,
  tickAll: (total: number) =>
    total === 1 ? 'The one that fits this filter' : `All ${number(total)} that fit this filter`,
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

/** What is said of saved views. */
export const viewTexts = {
  title: 'Saved views',
  name: 'Name of the view',
  hint: 'Everybody in the team sees it, and it stays in the log. Do not name a person.',
  save: 'Save this view',
  saveIt: 'Save',
  remove: 'Remove this view',
  removeSentence: 'The view goes for everybody in the team. Its records stay as they are.',
  done: { saved: 'The view is saved for everybody in the team.', removed: 'The view is removed.' },
} as const;

import type { FlatMember } from '../../../events/directory/flat-members.ts';
import type {
  SuggestedField,
  Suggester,
  SuggestionKind,
} from '../../../events/directory/upkeep/suggestion.ts';
import { en } from '../dash/texts.ts';

const flatLabels: Readonly<Record<FlatMember, string>> = {
  phone: 'Phone to call',
  address: 'Address of the main place',
  city: 'City of the main place',
  region: 'State of the main place',
};

/** What a field is called. */
export const fieldLabel = (name: SuggestedField): string =>
  name in flatLabels
    ? flatLabels[name as FlatMember]
    : en.fields[name as Exclude<SuggestedField, FlatMember>];

const suggesters: Readonly<Record<Suggester, string>> = {
  visitor: 'A visitor, on the page of the record',
  agency: 'The agency, by the link sent to its contact',
  claimant: 'The people who keep the record',
};

const kinds: Readonly<Record<SuggestionKind, string>> = {
  change: 'A change',
  closed: 'It has closed, or no longer offers this',
  not_ours: 'It is not theirs',
};

/** What reviewers read about suggested changes. */
export const suggestionTexts = {
  suggesters,
  kinds,
  none: 'No changes are suggested.',
  noneNext: 'What people suggest on a public page of your directory, and what agencies answer, appears here.',
  about: 'What is suggested',
  record: 'Record',
  by: 'By',
  at: 'Suggested',
  what: 'What',
  note: 'In their words',
  contact: 'How to reach them',
  take: 'Take',
  columns: { field: 'Field', now: 'It says now', suggested: 'Suggested', take: 'Take it?' },
  caption: 'What would change',
  empty: 'empty',
  changed: 'Changed',
  changedSince: 'Somebody has changed it since this was suggested. Then it said:',
  saysSo: 'The record says all of this already. Accepting it changes nothing.',
  merged: 'This record was merged into another one. Change that one by hand, then dismiss this suggestion.',
  notPublic: 'This record is not public now.',
  onlyWords: 'Only words: correct the record by hand where they are right, then accept.',
  notOurs: 'The agency says that this service is not theirs. Correct who offers it by hand, then accept.',
  closedNext: 'Accepting this takes the record out. It can be put back.',
  erased: 'What was suggested is erased. It can only be dismissed.',
  accept: 'Accept',
  dismiss: 'Dismiss',
  dismissSentence: 'The suggestion leaves the queue. The record stays as it is.',
  erase: 'Erase what it says',
  eraseSentence: 'Nobody can ever read what was suggested and how to reach them again. It cannot be undone.',
  next: 'Next',
  correct: 'Correct the record',
  keys: 'Keys: a accepts, r dismisses it, j shows the next.',
  noneTicked: 'Tick at least one field, or dismiss the suggestion.',
  done: {
    taken: 'It is taken over.',
    left: 'It is dismissed. The record stays as it is.',
    removed: 'What was suggested is erased.',
  },
} as const;

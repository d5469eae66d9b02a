import { counted } from '../../../ground/counted.ts';
import type { ImportCounts } from '../../../events/directory/import.ts';
import type { PauseReason } from '../../../events/directory/upkeep/following.ts';

/** What the page of followed directories says. */
export const en = {
  title: 'Followed directories',
  link: 'Follow another directory',
  lead: 'Another installation of Commonweal can be a source: what changes there changes here within minutes, and what you have changed stays yours. Each time that something changes is an import, which is recorded and can be undone below.',
  back: 'All imports',
  none: 'You follow no other directory yet.',
  address: 'Address of the other directory',
  addressHint: 'Such as https://directory.example.org',
  key: 'API key',
  keyHint:
    'A developer key of the other directory, with the scope resources:read. Ask its people for one. It is kept sealed, and never shown again.',
  look: 'Look at it',
  seen: 'Is it this directory?',
  seenLead:
    'Compare the key below with the one that its people tell you, by phone for instance. From then on nobody else can pass for this directory, and it cannot change its past without your knowing.',
  name: 'Proof log',
  records: 'Public records',
  recordsUnknown: 'It does not say how many.',
  fingerprint: 'Key',
  sourceName: 'Name of the source',
  sourceNameHint:
    'How it is called here, such as “Valley Directory”; people read it on the pages of its records. Do not name a person: the name stays in the log for ever.',
  approve: 'Make new records public at once',
  follow: 'Follow it',
  status: 'State',
  changed: 'Last change',
  noChange: 'nothing yet',
  answered: 'Last answer',
  problem: 'Problem',
  since: 'Since',
  import: 'Last import',
  undo: 'Undo the last import',
  undoSentence:
    'What it changed is taken back, where nobody has changed it since. Pause first: a record that changes there again comes back.',
  undone: 'The last import is undone.',
  counts: ({ new: made, revised, deactivated, conflicts }: ImportCounts): string =>
    `${made} new, ${revised} changed, ${deactivated} taken out, ${conflicts} changed here too and kept`,
  paused: 'Paused',
  following: 'Followed',
  ended: 'No longer followed',
  pause: 'Pause',
  pauseSentence: 'Nothing of it is read until you resume. What came from it stays.',
  resume: 'Resume',
  resumeSentence: 'It goes on where it was paused.',
  takeMany: 'Take them out',
  takeManySentence:
    'What is gone there is taken out here too, for a day. “Undo the last import” below brings it back.',
  newKey: 'Another API key',
  stop: 'Stop following',
  stopSentence: 'Its changes no longer come here. What came from it stays, and its API key is forgotten.',
  lookAgain: 'Look at it as it is now',
  acceptTitle: 'Follow it as it is now?',
  acceptLead:
    'Ask its people what has happened before you accept. All of it is read again, and what it no longer has is taken out here. “Undo the last import” on the page of followed directories takes that back.',
  accept: 'Accept, and go on',
  begun: 'You follow this directory. Its records come within minutes.',
  pausedDone: 'It is paused.',
  resumed: 'It is followed again.',
  stopped: 'You no longer follow it.',
  why: {
    rewritten: 'It has changed its past.',
    'another-log': 'Its proof log ended, and another one goes on.',
    'another-key': 'It is signed by another key.',
    cursor: 'It does not know any more how far you have read.',
    refused: 'It refuses the API key. Ask its people for another one, and resume with it.',
    silent: 'It is silent. It goes on by itself when it answers.',
    'many-gone': 'Many of its records are gone at once.',
    team: 'Your team has paused it.',
  } satisfies Record<PauseReason, string>,
  count: (number: number): string => counted(number, 'record'),
  task: (number: number): string =>
    `${counted(number, 'directory that you follow is', 'directories that you follow are')} paused.`,
  open: 'See why',
} as const;

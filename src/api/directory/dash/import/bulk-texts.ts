import type { BulkDecision, BulkSkip } from '../../../../events/directory/bulk.ts';

const count = (number: number): string => number.toLocaleString('en');
const records = (number: number): string => (number === 1 ? '1 record' : `${count(number)} records`);
const were = (number: number): string => `${records(number)} ${number === 1 ? 'was' : 'were'}`;

interface OfDecision {
  readonly question: (number: number) => string;
  readonly means: string;
  readonly button: (number: number) => string;
  readonly running: string;
  readonly done: (number: number) => string;
}

const decisions: Readonly<Record<BulkDecision, OfDecision>> = {
  approve: {
    question: (number) => `Approve ${records(number)}?`,
    means: 'They become public at once, and webhooks about them are sent. You can undo it afterwards.',
    button: (number) => `Approve ${records(number)}`,
    running: 'Records are being approved.',
    done: (number) => `${were(number)} approved`,
  },
  reject: {
    question: (number) => `Reject ${records(number)}?`,
    means: 'They do not become public. You can undo it afterwards.',
    button: (number) => `Reject ${records(number)}`,
    running: 'Records are being rejected.',
    done: (number) => `${were(number)} rejected`,
  },
  'take-out': {
    question: (number) => `Take ${records(number)} out of the directory?`,
    means: 'They are no longer public. Nothing is deleted, and you can undo it afterwards.',
    button: (number) => `Take ${records(number)} out`,
    running: 'Records are being taken out.',
    done: (number) => `${were(number)} taken out`,
  },
  kind: {
    question: (number) => `Change the kind of help of ${records(number)}?`,
    means: 'Each gets the kind that you choose in place of its first one. You can undo it afterwards.',
    button: (number) => `Change ${records(number)}`,
    running: 'The kind of help is being changed.',
    done: (number) => `${were(number)} changed`,
  },
  verified: {
    question: (number) => `Mark ${records(number)} as verified?`,
    means:
      'Each says that somebody checked it on this day. The name of whoever verified it before is taken away. You can undo it afterwards.',
    button: (number) => `Mark ${records(number)} as verified`,
    running: 'Records are being marked as verified.',
    done: (number) => `${were(number)} marked as verified`,
  },
};

const skips: Readonly<Record<BulkSkip, string>> = {
  state: 'Skipped: others had decided about them',
  missing: 'Skipped: no longer in your directory',
  refused: 'Skipped: the change does not fit them',
};

/** What the pages about many records at once say. */
export const bulkTexts = {
  title: 'Many records at once',
  lead: 'Tick records in the directory or in a queue, and decide about all of them at once. What was done is listed here, and can be undone.',
  none: 'Nobody has decided about many records at once yet.',
  back: 'Back to the directory',
  list: 'What was done to many records at once',
  gone: 'There is no such page. A question that nobody answers is kept for a day.',
  nothingTicked: 'Nothing is ticked',
  tick: 'Go back, and tick at least one record.',
  decisions,
  grown: (number: number) =>
    `Meanwhile more records fit than you were shown: ${records(number)}. Look at them before you go on.`,
  look: 'Look at them',
  among: (number: number) => `and ${records(number)} more`,
  reason: 'Reason',
  reasonMissing: 'Say why, in up to 2,000 characters.',
  note: 'Note',
  why: 'Why',
  kind: 'New kind of help',
  day: 'Day on which they were checked',
  badDay: 'Choose a day that has come.',
  reads: 'Those who submitted them can read it. This text stays in the log for ever. Do not name a person.',
  stays: 'This text stays in the log for ever. Do not name a person.',
  columns: { what: 'What', who: 'Who', when: 'When', state: 'State' },
  states: { begun: 'Under way', ended: 'Done', undoing: 'Being undone', undone: 'Undone' },
  stop: 'Stop',
  stopSentence: 'What is done stays, and can be undone.',
  stopping: 'It stops in a moment.',
  results: {
    title: 'What it came to',
    done: 'Done',
    unchanged: 'Were so already',
    left: 'Not reached',
    ...skips,
  },
  stopped: {
    right: 'It was stopped, because whoever began it may no longer decide about records of this team.',
    cancelled: 'It was stopped.',
  },
  skippedTitle: 'Skipped',
  record: 'Record',
  cause: 'Why',
  more: (number: number) => `and ${records(number)} more`,
  undo: 'Undo',
  undoSentence:
    'Each record is as it was before, where nobody has changed it since. What was approved waits for review again. Webhooks that went out stay sent, and nobody is told again that a record was approved.',
  undoing: 'The records are put back as they were.',
  undoneTitle: (title: string) => `${title}: undone`,
  undone: 'It was undone.',
  recorded: 'See what was recorded',
  directory: 'Open the directory',
  nobody: 'an operator or a program',
  by: 'Who',
  at: 'When',
} as const;

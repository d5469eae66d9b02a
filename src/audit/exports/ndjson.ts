import type { LoggedEvent } from '../proof-log/entry.ts';
import type { Format } from './format.ts';

/** The canonical JSON of each event on a line of its own: the bytes of a line are what its leaf is the hash of. */
export const ndjson: Format = {
  file: 'events.ndjson',
  mediaType: 'application/x-ndjson',
  begin: '',
  between: '\n',
  end: '\n',
  endEmpty: '',
  line: ({ content }) => content,
  read: (line) => JSON.parse(line) as LoggedEvent,
};

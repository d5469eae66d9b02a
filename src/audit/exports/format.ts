import type { LoggedEvent } from '../proof-log/entry.ts';

/** What an export writes of one event. */
export interface ExportedEvent {
  /** Its leaf in the proof log. */
  readonly index: number;
  readonly event: LoggedEvent;
  /** Its canonical JSON, which the leaf is the hash of. */
  readonly content: Buffer;
}

/** A text format with one line for each event, so that it is written and read without keeping the whole. */
export interface Format {
  readonly file: string;
  readonly mediaType: string;
  readonly begin: string;
  readonly between: string;
  readonly end: string;
  /** The end of an export without events. */
  readonly endEmpty: string;
  /** The line of an event, without what is between lines. Has no line break. */
  line(exported: ExportedEvent): string | Buffer;
  /** The event of a line. @throws SyntaxError when the line is none of this format */
  read(line: string): LoggedEvent;
  /** The leaf that a line names, where it names one. */
  leafIn?(line: string): number;
}

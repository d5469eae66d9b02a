import { ExportLines, type LinePlace, type ReadLine } from './export-lines.ts';
import type { Format } from '../exports/format.ts';
import { contentOf, entryOfContent, leafHash, type LoggedEvent } from '../proof-log/entry.ts';
import { ProofError } from '../proof-log/errors.ts';
import { hashBytes } from '../proof-log/format/tiles.ts';
import type { LeafBatch } from './compare-leaves.ts';
import type { Places } from './describe.ts';
import type { EventName } from './finding.ts';

/** A line that is no event: no hash is all zeros. */
const noHash = Buffer.alloc(hashBytes);

/** The events of an export, and their leaf hashes. */
export class ExportedEvents {
  readonly lines: ExportLines;
  readonly #form: Format;
  readonly #file: string;
  count = 0;

  constructor(path: string, form: Format) {
    this.lines = new ExportLines(path, form);
    this.#form = form;
    this.#file = form.file;
  }

  /** `onPage`: called with the number of events so far. */
  async *batches(onPage: (events: number) => void): AsyncGenerator<LeafBatch<LinePlace>> {
    for await (const lines of this.lines.pages()) {
      const hashes = Buffer.allocUnsafe(lines.length * hashBytes);
      for (const [at, line] of lines.entries()) hashes.set(this.leafOf(line), at * hashBytes);
      this.count += lines.length;
      onPage(this.count);
      const places = lines.map(({ number, offset, bytes }) => ({ number, offset, bytes }));
      yield { hashes, refOf: (place) => places[place] as LinePlace };
    }
  }

  /** The leaf hash of a line. A line that this format would write in another way was changed. */
  leafOf({ content }: ReadLine): Buffer {
    // The line is the content of the leaf itself.
    if (this.#form.file === 'events.ndjson') return leafHash(entryOfContent(content));
    const text = content.toString();
    const read = this.#eventIn(text);
    return read && read.line === text ? read.hash : noHash;
  }

  /** The event of a line. Undefined when the line is none. */
  eventOf(text: string): LoggedEvent | undefined {
    try {
      const event = this.#form.read(text);
      return isEvent(event) ? event : undefined;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** How events are named in findings. */
  places(): Places<LinePlace> {
    return {
      event: async (ref) => {
        const event = this.eventOf(await this.lines.textAt(ref));
        return event ? { name: nameIn(event) } : { damaged: 'It cannot be read as an event.' };
      },
      place: ({ number }) => `event ${number + 1} of ${this.#file}`,
    };
  }

  #eventIn(text: string): { readonly hash: Buffer; readonly line: string } | undefined {
    const event = this.eventOf(text);
    if (!event) return undefined;
    try {
      const content = contentOf(event);
      const index = this.#form.leafIn?.(text) ?? 0;
      return {
        hash: leafHash(entryOfContent(content)),
        line: this.#form.line({ index, event, content }).toString(),
      };
    } catch (error) {
      // Metadata that was changed may lack what a column is made of.
      if (error instanceof ProofError || error instanceof TypeError) return undefined;
      throw error;
    }
  }
}

const isEvent = (event: unknown): event is LoggedEvent => {
  if (typeof event !== 'object' || event === null) return false;
  const { id, stream, type, revision, metadata } = event as Partial<Record<keyof LoggedEvent, unknown>>;
  const texts = [id, stream, type].every((value) => typeof value === 'string');
  return texts && typeof revision === 'number' && typeof metadata === 'object' && metadata !== null;
};

export const nameIn = ({ id, stream, revision, type }: LoggedEvent): EventName => ({
  id,
  stream,
  revision,
  type,
});

import { provedEvents, type Exportable, type ProvedEvent } from './exportable.ts';
import type { ExportFilter } from './filter.ts';
import type { Format } from './format.ts';

/** Text that is handed on at once. */
const pieceBytes = 64 * 1024;

export interface TextOptions {
  readonly signal?: AbortSignal;
  /** Called with each event, in the order of the text. */
  readonly onEvent?: (proved: ProvedEvent) => void;
}

/**
 * The events file of an export in pieces. A page of events is read when the pieces before it were taken.
 * @throws ExportError naming the first event that is not the one that was signed
 */
export async function* exportText(
  from: Exportable,
  filter: ExportFilter,
  form: Format,
  { signal, onEvent = () => undefined }: TextOptions = {},
): AsyncGenerator<Buffer> {
  const between = Buffer.from(form.between);
  let pieces: Buffer[] = [Buffer.from(form.begin)];
  let bytes = 0;
  let empty = true;
  for await (const page of provedEvents(from, { filter, proofs: false, ...(signal && { signal }) })) {
    for (const event of page) {
      const line = form.line(event);
      const content = typeof line === 'string' ? Buffer.from(line) : line;
      if (!empty) pieces.push(between);
      pieces.push(content);
      bytes += content.length;
      empty = false;
      onEvent(event);
      if (bytes < pieceBytes) continue;
      yield Buffer.concat(pieces);
      [pieces, bytes] = [[], 0];
    }
  }
  yield Buffer.concat([...pieces, Buffer.from(empty ? form.endEmpty : form.end)]);
}

/** How many events an export will have. Reads the log. */
export async function countExported(
  from: Exportable,
  filter: ExportFilter,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for await (const page of provedEvents(from, { filter, proofs: false, signal })) count += page.length;
  return count;
}

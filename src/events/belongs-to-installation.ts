import { streams } from './catalogue.ts';

/** What tells whose an event is. */
export interface Signs {
  readonly stream: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Whether an event of a shared log belongs to this installation: it bears our schema marker, this installation's
 * id (or none, from before there was one), and stands in a stream that we write under no namespace, or under our
 * own, which the store has taken off. All else is another product's or another installation's.
 *
 * With our id, a kind of stream that this release does not know is a newer release's, and ours: whoever folds it
 * must stop there, as with an unknown type, and not pass it over.
 */
export function isOurs({ stream, metadata }: Signs, installation: string | undefined): boolean {
  if (typeof metadata['commonweal_schema'] !== 'number') return false;
  const written = metadata['installation'];
  if (written === undefined) return isOurStream(stream);
  return written === installation && (isOurStream(stream) || !stream.includes('.'));
}

const kinds = streams.map(({ name }) => name).join('|');
const ourKind = new RegExp(`^(?:${kinds})-`);
/** `{namespace}.{kind}-{id}`; what follows the point in the name of a consent's stream is a client's id. */
const namespaced = new RegExp(`^[a-z0-9-]+\\.(?:${kinds})-`);

const isOurStream = (stream: string): boolean => ourKind.test(stream) && !namespaced.test(stream);

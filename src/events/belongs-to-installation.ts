import { streams } from './catalogue.ts';

/** The parts of an event that tell which installation it belongs to. */
export interface OwnershipFields {
  readonly stream: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/**
 * Whether an event of a shared log belongs to this installation. It has our schema marker and this
 * installation's id, and is in a stream that we write without a namespace, or under our own namespace, which the store has
 * removed from the name. Other events belong to another product or another installation.
 *
 * An event with our id in an unknown kind of stream was written by a newer release. It is ours: a projection must stop
 * there, as it does at an unknown type, and not skip it.
 */
export function belongsToInstallation(
  { stream, metadata }: OwnershipFields,
  installation: string | undefined,
): boolean {
  if (typeof metadata['commonweal_schema'] !== 'number') return false;
  const written = metadata['installation'];
  if (installation === undefined || written !== installation) return false;
  return !stream.includes('.') || isOurStream(stream);
}

const kinds = streams.map(({ name }) => name).join('|');
const ourKind = new RegExp(`^(?:${kinds})-`);
/** `{namespace}.{kind}-{id}`. In the name of a consent's stream, a client's id follows the dot. */
const namespaced = new RegExp(`^[a-z0-9-]+\\.(?:${kinds})-`);

/** Whether a stream has a name that we give, without a namespace. */
export const isOurStream = (stream: string): boolean => ourKind.test(stream) && !namespaced.test(stream);

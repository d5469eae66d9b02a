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

/**
 * The same of an event whose metadata is a JSON text. Metadata as we write it begins with the schema and ends with the
 * installation, and is not parsed. True for what is no JSON: it was changed outside the store, and nothing says whose it is.
 */
export function textBelongsToInstallation(
  { stream, metadata: text }: { readonly stream: string; readonly metadata: string },
  installation: string | undefined,
): boolean {
  if (
    installation !== undefined &&
    text.startsWith(beginsWith) &&
    isDigit(text.charCodeAt(beginsWith.length)) &&
    text.endsWith(endingOf(installation)) &&
    text.indexOf(schemaName, beginsWith.length) < 0 &&
    !stream.includes('.')
  )
    return true;
  let metadata: unknown;
  try {
    metadata = JSON.parse(text);
  } catch {
    return true;
  }
  if (typeof metadata !== 'object' || metadata === null) return false;
  return belongsToInstallation({ stream, metadata: metadata as OwnershipFields['metadata'] }, installation);
}

let ending = { of: '', text: '' };
/** How our metadata ends. Kept, since it is asked for each event of a log. */
function endingOf(installation: string): string {
  if (ending.of !== installation) ending = { of: installation, text: `,"installation":"${installation}"}` };
  return ending.text;
}

const schemaName = '"commonweal_schema"';
const beginsWith = `{${schemaName}:`;
const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

const kinds = streams.map(({ name }) => name).join('|');
const ourKind = new RegExp(`^(?:${kinds})-`);
/** `{namespace}.{kind}-{id}`. In the name of a consent's stream, a client's id follows the dot. */
const namespaced = new RegExp(`^[a-z0-9-]+\\.(?:${kinds})-`);

/** Whether a stream has a name that we give, without a namespace. */
export const isOurStream = (stream: string): boolean => ourKind.test(stream) && !namespaced.test(stream);

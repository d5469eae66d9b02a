import type { Metadata } from '../../events/metadata.ts';
import type { LoggedEvent } from '../proof-log/entry.ts';

/** The metadata of an event of ours. It was checked when the event was appended. */
export const metadataOf = ({ metadata }: LoggedEvent): Metadata => metadata as unknown as Metadata;

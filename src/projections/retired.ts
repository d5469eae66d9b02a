import { eventTypes, type EventType } from '../events/catalogue.ts';
import type { AnyProjection } from './engine/define.ts';

/**
 * Read models of release 0.1 that no release after it shows. During a rolling upgrade its nodes still wait for them
 * after a change and report them when they stand still, so their checkpoints move on where they are found. Their
 * documents stay as they are. Nothing is built for them.
 */
export const retired: readonly AnyProjection[] = [
  stub('submissions', ['ResourceSubmitted', 'ResourceApproved', 'ResourceRejected', 'ResourceRevised']),
  stub('signing-keys', ['SigningKeyPublished', 'SigningKeyActivated', 'SigningKeyRetired']),
  stub('audit-index', eventTypes as readonly EventType[]),
];

function stub(name: string, events: readonly EventType[]): AnyProjection {
  return {
    collection: { name, fields: [], indexes: [] },
    version: 1,
    events,
    idOf: () => name,
    fold: (doc) => doc,
  };
}

import { eventTypes, type EventType } from '../events/catalogue.ts';
import type { AnyProjection } from './engine/define.ts';

/**
 * Read models of release 0.1 that no later release shows. During a rolling upgrade, nodes of 0.1 still wait for them
 * after a change, and report them when they make no progress. So the checkpoints that are found move on. The
 * documents stay as they are, and nothing is built.
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

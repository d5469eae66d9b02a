import type { ResourceLimits } from 'node:worker_threads';

/**
 * The young generation of a thread that passes things on: a writer, a reader, the signer, the dispatcher. What it makes is
 * garbage as soon as it is passed on, so little survives a collection, however often there is one. V8 would let it grow to
 * 48 MB in each thread, and give them back late.
 */
export const smallYoungGeneration: ResourceLimits = { maxYoungGenerationSizeMb: 6 };

/** Of a thread that holds a batch of some thousand events while it works, which should not be copied again and again. */
export const batchYoungGeneration: ResourceLimits = { maxYoungGenerationSizeMb: 24 };

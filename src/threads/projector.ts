import { workerData } from 'node:worker_threads';
import { openSystem } from '../container.ts';
import { projections } from '../projections/all.ts';
import { project } from '../projections/projector.ts';
import { untilToldToStop, type ThreadData } from './thread.ts';

/** Folds and writes the read models, so that a rebuild of a million events does not slow a request. */
const { config, writer } = workerData as ThreadData;
const system = openSystem(config, writer);
const { store, documents, side, leases } = system;
await untilToldToStop((signal) => project({ store, documents, side, leases, projections, signal }));
await system.close();

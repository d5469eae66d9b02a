import { workerData } from 'node:worker_threads';
import { openSystem } from '../../container.ts';
import { runJob } from '../../ground/job.ts';
import { projections } from '../../projections/all.ts';
import { project } from '../../projections/engine/projector.ts';
import { tellRates } from '../../status/projection-rates.ts';
import { proofLogJob } from '../proof-log.ts';
import { runUntilStopped, tellFault, type ThreadData } from './thread.ts';
import { familiesOfThread } from './thread-families.ts';
import { tracesOfThread } from './thread-traces.ts';

/**
 * The projector thread: writes the read models, so that a rebuild of a million events does not slow requests. Whoever reads
 * the log for them also reads it for the proof log: once a second, which is a tenth of the work, and a thread of its own
 * costs 45 MB and a second of start on one core.
 */
const { config, writer, instance } = workerData as ThreadData;
const traces = await tracesOfThread('projector', config, instance);
const families = await familiesOfThread('projector', config);
const system = await openSystem(config, writer);
const { store, documents, side, leases, nodes } = system;
await runUntilStopped(
  async (signal) => {
    const rates = tellRates(side, signal);
    await Promise.all([
      project({ store, documents, side, leases, nodes, projections, signal, onFault: tellFault }),
      runJob({ side, leases, onFault: tellFault }, proofLogJob(system), signal),
    ]);
    await rates;
  },
  system.lost,
  families,
);
await Promise.all([system.close(), traces.stop()]);
traces.leave();

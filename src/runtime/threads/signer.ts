import { workerData } from 'node:worker_threads';
import { openSystem } from '../../container.ts';
import { runJob } from '../../ground/job.ts';
import { signProofLog } from '../proof-log.ts';
import { runUntilStopped, tellFault, type ThreadData } from './thread.ts';
import { familiesOfThread } from './thread-families.ts';

/** The signer thread: adds events to the proof log and signs checkpoints. */
const { config, writer } = workerData as ThreadData;
const families = await familiesOfThread('signer', config);
const system = await openSystem(config, writer);
const { side, leases } = system;
const job = {
  name: 'proof-log',
  lease: 'proof-log',
  work: signProofLog(system, { everyMs: config.checkpoints.everyMs }),
};
await runUntilStopped(
  (signal) => runJob({ side, leases, onFault: tellFault }, job, signal),
  system.lost,
  families,
);
await system.close();

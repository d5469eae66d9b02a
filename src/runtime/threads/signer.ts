import { workerData } from 'node:worker_threads';
import { openSystem } from '../../container.ts';
import { runJob } from '../../ground/job.ts';
import { signProofLog } from '../proof-log.ts';
import { runUntilStopped, tell, type ThreadData } from './thread.ts';
import { familiesOfThread } from './thread-families.ts';

/** The signer thread: adds events to the proof log and signs checkpoints. */
const { config, writer } = workerData as ThreadData;
const families = await familiesOfThread('signer', config);
const system = await openSystem(config, writer);
const { side, leases } = system;
const onFault = (what: string, error: unknown) =>
  tell({ kind: 'fault', what, message: error instanceof Error ? error.message : String(error) });
const job = {
  name: 'proof-log',
  lease: 'proof-log',
  work: signProofLog(system, { everyMs: config.checkpoints.everyMs }),
};
await runUntilStopped((signal) => runJob({ side, leases, onFault }, job, signal), system.lost, families);
await system.close();

import { workerData } from 'node:worker_threads';
import { openSystem } from '../src/container.ts';
import { runJob } from '../src/ground/job.ts';
import { proofLogJob } from '../src/runtime/proof-log.ts';
import { runUntilStopped, tellFault, type ThreadData } from '../src/runtime/threads/thread.ts';

/** Keeps the proof log, without the projector that shares its thread in a server. */
const { config, writer } = workerData as ThreadData;
const system = await openSystem(config, writer);
const { side, leases } = system;
await runUntilStopped(
  (signal) => runJob({ side, leases, onFault: tellFault }, proofLogJob(system), signal),
  system.lost,
);
await system.close();

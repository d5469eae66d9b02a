import type { System } from '../../container.ts';
import { examinations, type Examination } from '../../doctor/record.ts';
import { pause } from '../../ground/back-off.ts';
import { isDaily, runLongCheck, type Due } from './long-check.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';

/** How often it looks whether a check is due, and whether somebody has asked for one, in milliseconds. */
const lookEveryMs = 5 * 60_000;
const requestEveryMs = 2_000;

/**
 * Starts the job that runs `doctor` every day and whenever an operator asks for it, in a process of its own, and records
 * what it finds for health and the page of operations.
 */
export function startDoctor(system: Pick<System, 'side'>, supervision: Supervision): Job {
  const since = new Date();
  return startJob(supervision, {
    name: 'doctor',
    lease: 'doctor',
    async work(signal, progress) {
      while (!signal.aborted) {
        const run = () => runLongCheck(supervision.leases, ['doctor', '--json'], signal);
        await examineWhenDue(system, { now: new Date(), since }, run);
        progress.succeeded();
        await untilNextLook(system, signal);
      }
    },
  });
}

/** Until a look is due, or somebody asks for a run. */
async function untilNextLook({ side }: Pick<System, 'side'>, signal: AbortSignal): Promise<void> {
  const record = examinations(side);
  const until = Date.now() + lookEveryMs;
  while (!signal.aborted && Date.now() < until && (await record.requestedAt()) === undefined)
    await pause(requestEveryMs, signal);
}

/**
 * One look of the job. The first run is due a day after the first look, unless somebody asks for one.
 * @throws Error with what the command wrote to stderr, when it gave no result
 */
export async function examineWhenDue(
  { side }: Pick<System, 'side'>,
  due: Due,
  run: () => Promise<{ readonly stdout: string; readonly stderr: string }>,
): Promise<void> {
  const record = examinations(side);
  const [newest, requestedAt] = await Promise.all([record.newest(), record.requestedAt()]);
  const { now } = due;
  if (newest === undefined) await record.put({ at: now.toISOString() });
  if (!isDaily(newest?.at, due) && requestedAt === undefined) return;
  try {
    const { stdout, stderr } = await run();
    if (stdout === '') throw new Error(stderr.trim());
    const { problems, findings } = JSON.parse(stdout) as Pick<Required<Examination>, 'problems' | 'findings'>;
    await record.put({ at: now.toISOString(), problems, findings });
  } finally {
    if (requestedAt !== undefined) await record.met();
  }
}

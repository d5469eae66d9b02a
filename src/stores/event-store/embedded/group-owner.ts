/** A process is identified by its id and start time: in a container every process has id 1. */
const startedAt = Math.round(Date.now() - process.uptime() * 1_000);
/** This process, as the owner of events that it handles. */
export const self = `${process.pid}@${startedAt}`;

/** Threads of one process compute slightly different start times. An earlier process differs by more. */
const sameStartMs = 500;

/** Whether the process that owns events still runs. All processes are on one machine. */
export function isAlive(owner: string): boolean {
  const [pid = 0, start = 0] = owner.split('@').map(Number);
  if (pid === process.pid) return Math.abs(start - startedAt) < sameStartMs;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

import { modelNamed } from '../projections/engine/define.ts';
import { failuresTable, type ProjectionFailure } from '../projections/engine/failures.ts';
import type { SideStore } from '../stores/side/port.ts';

/** After so long a person wants to know what a command waits for. */
const silentMs = 10_000;

/** Waits for read models. When that takes long, standard error says once what keeps them. */
export async function sayingWhy(
  side: SideStore,
  waiting: Promise<void>,
  afterMs: number = silentMs,
): Promise<void> {
  const timer = setTimeout(() => {
    // Whoever cannot read the failures waits on; the command itself ends with what is wrong.
    void reasonOf(side).then(console.error, () => undefined);
  }, afterMs);
  try {
    await waiting;
  } finally {
    clearTimeout(timer);
  }
}

async function reasonOf(side: SideStore): Promise<string> {
  const failures = await side.table<ProjectionFailure>(failuresTable).list();
  const reasons = failures.map(
    ({ id, value: { since, error } }) => `${modelNamed(id)} has failed since ${since}: ${error}`,
  );
  const known = reasons.length > 0 ? reasons : ['they are being built, or another process builds them'];
  return `Waiting for the read models. ${known.join('; ')}. "commonweal status" shows them.`;
}

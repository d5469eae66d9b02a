import type { SideStore } from '../stores/side/port.ts';

/** What the newest run of the doctor found. What exactly, `doctor` says: health is public. */
export interface Examination {
  /** ISO 8601 UTC. When it ended; without `problems`, since when a daily run is expected. */
  readonly at: string;
  /** Undefined: there was no run yet. */
  readonly problems?: number;
}

const id = 'newest';

export function examinations(side: SideStore) {
  const table = side.table<Examination>('examinations');
  return {
    newest: () => table.get(id),
    put: (examination: Examination) => table.put(id, examination),
  };
}

/** One sentence for health, however much was found. */
export const problemsFound = (examination: Examination | undefined): string | undefined =>
  (examination?.problems ?? 0) === 0
    ? undefined
    : `The daily check found problems (${examination?.problems}) at ${examination?.at}; \`commonweal doctor\` names them.`;

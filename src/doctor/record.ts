import type { SideStore } from '../stores/side/port.ts';
import type { Finding } from './finding.ts';

/** What the newest run of the doctor found, for operators: health is public, and tells the number of problems alone. */
export interface Examination {
  /** ISO 8601 UTC. When it ended; without `problems`, since when a daily run is expected. */
  readonly at: string;
  /** Undefined: there was no run yet. */
  readonly problems?: number;
  /** The first of them, problems and warnings. Absent in a record of an older release. */
  readonly findings?: readonly Finding[];
}

/** What the newest verification of the whole log found. */
export interface Verification extends Examination {
  readonly events?: number | undefined;
  /** How long it took. */
  readonly seconds?: number | undefined;
}

interface RunRequest {
  /** ISO 8601 UTC. */
  readonly asked_at: string;
}

const id = 'newest';
const idOfVerification = 'verified';
const mostFindings = 50;
const longestSentence = 1_000;
/** A request that no process has met by then is forgotten: the daily run comes anyway. */
const forgottenAfterMs = 60 * 60_000;

/** The newest examination, and the request for another one before its day. */
export function examinations(side: SideStore) {
  const table = side.table<Examination>('examinations');
  const requests = side.table<RunRequest>('examination-requests');
  return {
    newest: () => table.get(id),
    put: ({ findings, ...rest }: Examination) =>
      table.put(id, { ...rest, ...(findings === undefined ? {} : { findings: kept(findings) }) }),
    /** Asks the process that runs the doctor to do so now. */
    ask: (now: Date) =>
      requests.put(id, { asked_at: now.toISOString() }, new Date(now.getTime() + forgottenAfterMs)),
    /** Since when a run is asked for that has not ended. ISO 8601 UTC. */
    requestedAt: async () => (await requests.get(id))?.asked_at,
    /** The run that was asked for has ended, or has failed. */
    met: () => requests.delete(id),
  };
}

/** A sentence may pass on what a driver said, such as the address of a server with its password. */
const kept = (findings: readonly Finding[]): Finding[] =>
  findings.slice(0, mostFindings).map(({ sentence, ...of }) => ({
    ...of,
    sentence: sentence.replace(/(\w:\/\/)[^\s/@]*@/g, '$1…@').slice(0, longestSentence),
  }));

/** The newest verification of the whole log, by the daily job or by hand. */
export function verifications(side: SideStore) {
  const table = side.table<Verification>('examinations');
  return {
    newest: () => table.get(idOfVerification),
    put: ({ findings, ...rest }: Verification) =>
      table.put(idOfVerification, {
        ...rest,
        ...(findings === undefined ? {} : { findings: kept(findings) }),
      }),
  };
}

/** Both, in one read. */
export async function newestChecks(
  side: SideStore,
): Promise<{ readonly examined: Examination | undefined; readonly verified: Verification | undefined }> {
  const found = new Map(
    (await side.table<Verification>('examinations').list()).map((each) => [each.id, each.value]),
  );
  return { examined: found.get(id), verified: found.get(idOfVerification) };
}

/** One sentence for health, however much was found. */
export const problemsFound = (examination: Examination | undefined): string | undefined =>
  (examination?.problems ?? 0) === 0
    ? undefined
    : `The daily check found problems (${examination?.problems}) at ${examination?.at}; \`commonweal doctor\` names them.`;

/** The same of the newest verification. */
export const verifiedProblems = (verification: Verification | undefined): string | undefined =>
  (verification?.problems ?? 0) === 0
    ? undefined
    : `The verification of the log found problems (${verification?.problems}) at ${verification?.at}; \`commonweal verify\` names them.`;

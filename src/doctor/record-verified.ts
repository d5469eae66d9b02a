import { messageOf } from '../ground/store-error.ts';
import type { SideStore } from '../stores/side/port.ts';
import { findingOf } from './finding.ts';
import type { VerifyFinding } from './of-verify.ts';
import { verifications } from './record.ts';

/** What a verification of the whole log found. */
interface Verified {
  readonly findings: readonly VerifyFinding[];
  /** With the number of events. */
  readonly value: object;
}

/**
 * Verifies, and records what was found, so that `status` and the alert end with the problem, and not with the next daily
 * run. `isWhole`: of the whole log, as the daily run does it.
 */
export async function recorded<Result extends Verified>(
  side: SideStore,
  isWhole: boolean,
  verify: () => Promise<Result>,
): Promise<Result> {
  const began = performance.now();
  const result = await verify();
  if (!isWhole) return result;
  const { findings, value } = result;
  const { events } = value as { readonly events?: number };
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  try {
    await verifications(side).put({
      ...{ at: new Date().toISOString(), seconds, events, problems: findings.length },
      findings: findings.map(({ name, sentence }) => findingOf(name, sentence)),
    });
  } catch (error) {
    // What was found is printed all the same.
    console.error(`The result is not recorded: ${messageOf(error)}`);
  }
  return result;
}

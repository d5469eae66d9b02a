import { pauseRule, type PauseRule } from '../delivery-policy.ts';

/** When a subscription is paused that fails, if nothing changes. */
export interface PauseOutlook {
  readonly failing_since: string;
  /** Not before this time (ISO 8601 UTC), which may lie in the past while too few deliveries have failed. */
  readonly pauses_at: string;
  /** How many more deliveries must fail before it is. */
  readonly more_deliveries: number;
}

/** Undefined when its newest attempt succeeded. `failing`: how many deliveries have failed since then. */
export function pauseOutlook(
  { failing_since, failing }: { readonly failing_since?: string | null; readonly failing: number },
  rule: PauseRule = pauseRule,
): PauseOutlook | undefined {
  if (!failing_since) return undefined;
  return {
    failing_since,
    pauses_at: new Date(Date.parse(failing_since) + rule.afterMs).toISOString(),
    more_deliveries: Math.max(0, rule.deliveries - failing),
  };
}

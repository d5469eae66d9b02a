import type { SideStore, SideTable } from '../../stores/side/port.ts';

/** A test delivery that was asked for, and may not have been sent. */
export interface WaitingTest {
  readonly subscription: string;
  readonly team: string;
}

/**
 * Waiting test deliveries, by their ids. A test is sent also while its subscription is paused, and the read model
 * cannot find it among all that is held then. Written before the test is scheduled, removed once it is settled: a
 * dispatcher that starts attempts each of them, and those that are settled do nothing.
 */
export const waitingTests = (side: SideStore): SideTable<WaitingTest> =>
  side.table<WaitingTest>('webhook-waiting-tests');

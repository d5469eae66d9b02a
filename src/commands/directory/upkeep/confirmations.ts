import {
  agingParts,
  type AgingPart,
  type Confirmation,
} from '../../../events/directory/upkeep/confirmation.ts';
import type { ResourceEvent } from '../../../events/directory/resource.ts';
import { defined } from '../../../ground/defined.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import type { ByTeam, ReviewStatus } from '../reviewed-state.ts';

/** Somebody who knows says that all of it, or parts of it, are still right. */
export type ConfirmCommand = {
  readonly kind: 'confirm';
  readonly by: 'team' | 'agency';
  readonly parts?: readonly AgingPart[] | undefined;
  /** By the private link of this mail. `organization`: whose contact got it. */
  /** By those who keep the record, who proved an address at this host. */
  readonly byClaim?: { readonly host: string } | undefined;
  readonly byLink?: { readonly ask: string; readonly organization?: string } | undefined;
} & ByTeam;

/** The last confirmation of the whole is too long ago. Undefined: it is not, or there is none. */
export type LapseCommand = { readonly kind: 'lapse'; readonly lapsed: Confirmation | undefined } & ByTeam;

/** What a record is, as far as its confirmations concern it. */
interface State {
  readonly status: ReviewStatus;
  /** The date of the confirmation of which was noted that it is too long ago. */
  readonly lapsedOn?: string;
}

/** What subscribers are told about a record. */
type Announced = Extract<ResourceEvent, { type: 'ResourceConfirmed' }>['data']['announced'];

/** What nobody sees need not be confirmed: whoever approves it has read it. */
export function confirmed(
  { status }: State,
  { by, parts, byLink, byClaim }: ConfirmCommand,
  announced: Announced,
): ResourceEvent[] {
  if (status !== 'approved')
    throw new CommandRefused('conflict', `This record is ${status}; only a public one is confirmed.`);
  const named = parts && agingParts.filter((part) => parts.includes(part));
  const data = { by, ...defined({ parts: named, by_link: byLink, by_claim: byClaim }), announced };
  return [{ type: 'ResourceConfirmed', data }];
}

/** It is noted once of each confirmation, and of what the public sees. */
export function confirmationLapsed(
  { status, lapsedOn }: State,
  { lapsed }: LapseCommand,
  announced: Announced,
): ResourceEvent[] {
  if (status !== 'approved' || !lapsed || lapsed.on === lapsedOn) return [];
  return [{ type: 'ResourceConfirmationLapsed', data: { confirmed: lapsed, announced } }];
}

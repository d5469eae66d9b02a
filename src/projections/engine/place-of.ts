import type { Position } from '../../stores/event-store/port.ts';

/** The digits of the highest position, 2^63 - 1. */
const digits = 19;

/**
 * A position as read models order by it: a decimal text of fixed length. A number would lose digits beyond 2^53, which
 * positions of EventStoreDB may pass.
 */
export const placeOf = (position: Position): string => String(position).padStart(digits, '0');

export const positionOf = (place: string): Position => BigInt(place);

import { WrongExpectedRevision } from '../../src/stores/errors.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { altered } from './altered.ts';

/**
 * A store in which, while it is `on`, somebody else is always first to append to the streams whose names begin so: the
 * appends of everybody who uses it end in a conflict.
 */
export function conflicting(real: EventStore, streams: string) {
  const state = { on: true, conflicts: 0 };
  const store = altered<EventStore>(real, {
    append: async (stream, events, expected) => {
      if (!state.on || !stream.startsWith(streams)) return real.append(stream, events, expected);
      state.conflicts += 1;
      const found = typeof expected === 'number' ? expected + 1 : 0;
      throw new WrongExpectedRevision(stream, expected === 'any' ? 0 : expected, found);
    },
  });
  return Object.assign(state, { store });
}

import { randomUUID } from 'node:crypto';
import type { CommandContext } from '../../src/events/metadata.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');
let minutes = 0;

/** Somebody asks for something: a new command a minute after the one before, unless told otherwise. */
export function aCommand(rest: Partial<CommandContext> = {}): CommandContext {
  minutes += 1;
  return {
    actor: { kind: 'user', id: 'reviewer' },
    commandId: randomUUID(),
    at: new Date(start + minutes * 60_000),
    ...rest,
  };
}

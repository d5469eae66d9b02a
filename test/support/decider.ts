import { expect } from 'vitest';
import { CommandRefused, type Refusal } from '../../src/ground/refusals.ts';
import { OAuthRefused, type OAuthErrorCode } from '../../src/commands/oauth/errors.ts';
import type { Decider } from '../../src/commands/command-handler.ts';
import { definitionOf, type DomainEvent } from '../../src/events/catalogue.ts';

/** What a stream has seen so far; then what is asked of it, and what that makes happen. */
export function given<State, Command extends { readonly kind: string }, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  ...history: readonly Event[]
) {
  const state = history.reduce(decider.evolve, decider.initial);
  return {
    /** The state that the history makes. */
    state,
    when(command: Command) {
      const story = `given ${history.map(({ type }) => type).join(', ') || 'nothing'}, when ${command.kind}`;
      const decided = () => outcomeOf(decider, command, state);
      return {
        then(...events: readonly Event[]): void {
          expect(decided(), story).toStrictEqual({ events });
          for (const event of events) expect(problemsOf(event), `${story}, then ${event.type}`).toEqual([]);
        },
        thenNothing(): void {
          expect(decided(), story).toStrictEqual({ events: [] });
        },
        thenRefused(code: Refusal | OAuthErrorCode): void {
          expect(decided(), story).toMatchObject({
            refused: code,
            because: expect.stringMatching(/^\S.*\.$/) as string,
          });
        },
      };
    },
  };
}

type Decided<Event> =
  | { readonly events: readonly Event[] }
  | { readonly refused: Refusal | OAuthErrorCode; readonly because: string };

function outcomeOf<State, Command, Event extends DomainEvent>(
  decider: Decider<State, Command, Event>,
  command: Command,
  state: State,
): Decided<Event> {
  try {
    return { events: decider.decide(command, state) };
  } catch (error) {
    if (error instanceof CommandRefused || error instanceof OAuthRefused)
      return { refused: error.code, because: error.message };
    throw error;
  }
}

/** An event that a decider makes must be one that can be appended. */
function problemsOf(event: DomainEvent): string[] {
  const checked = definitionOf(event.type)?.data.safeParse(event.data);
  if (!checked) return [`${event.type} is in no catalogue`];
  return (checked.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

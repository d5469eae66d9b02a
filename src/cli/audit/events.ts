import { Command } from 'commander';
import {
  BadQuestion,
  conditionNames,
  readConditions,
  type AuditConditions,
  type GivenConditions,
} from '../../audit/search-filter.ts';
import { knownNames } from '../../audit/known-names.ts';
import { searchEvents } from '../../audit/search.ts';
import { shown, type ShownEvent } from '../../audit/shown-event.ts';
import { recordAccess } from '../../commands/audit.ts';
import { auditEvents } from '../../projections/audit.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { count, UsageError } from '../options.ts';
import { answer } from '../../ground/print.ts';

interface EventsOptions extends GivenConditions {
  readonly limit: string;
  readonly oldestFirst?: boolean;
  readonly json?: boolean;
}

export function auditEventsCommand(line: CommandLine): Command {
  return new Command('events')
    .description(
      'Search the audit log. Each event is a line with its time and a sentence. The search is recorded.',
    )
    .option('--actor <kind:id>', 'only what this actor did, such as user:4b1c… or system:cli')
    .option('--subject <kind:id>', 'only events about this, such as person:4b1c… or resource:r_1a2b…')
    .option('--stream <name>', 'only events of this stream')
    .option('--type <type>', 'only events of this type')
    .option('--correlation <id>', 'only events of one request')
    .option('--from <time>', 'only events at this time or later, such as 2026-01-31T00:00:00Z')
    .option('--until <time>', 'only events before this time')
    .option('--after <position>', 'only events after this position of the log')
    .option('--before <position>', 'only events before this position of the log')
    .option('--limit <events>', 'the most events', '25')
    .option('--oldest-first', 'the oldest first; else the newest')
    .action(({ limit, oldestFirst = false, json, ...given }: EventsOptions) => {
      const conditions = read(given);
      const atMost = count('--limit', limit);
      return withSystem(line, async (at) => {
        await at.waitUntilCurrent(auditEvents);
        const asked = { conditions, newestFirst: !oldestFirst, limit: atMost };
        const { found, next } = await searchEvents(at, asked);
        const names = await knownNames(at, found, undefined);
        const filter = Object.fromEntries(
          conditionNames.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
        );
        const data = { question: 'events', filter, events: found.length } as const;
        await recordAccess(at.store, { type: 'AuditQueried', data }, at.context());
        const events = found.map((each) => shown(each, names));
        const more = `There are more: go on with ${oldestFirst ? '--after' : '--before'} ${String(next)}.`;
        const none = 'No event meets these conditions.';
        answer(json, { data: events, has_more: next !== undefined }, [
          ...(events.length === 0 ? [none] : events.map(asLine)),
          ...(next === undefined ? [] : [more]),
        ]);
      });
    });
}

/** @throws UsageError */
function read(given: GivenConditions): AuditConditions {
  try {
    return readConditions(given, new Date());
  } catch (error) {
    if (error instanceof BadQuestion) throw new UsageError(`--${error.message}`);
    throw error;
  }
}

const asLine = ({ position, at, sentence }: ShownEvent): string =>
  `${position.padStart(8)}  ${at}  ${sentence}`;

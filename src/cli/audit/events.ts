import { Command } from 'commander';
import { searchLog } from '../../actions/audit-log.ts';
import { perform, valueOf } from '../../actions/perform.ts';
import { BadQuestion, type ConditionTexts } from '../../audit/search-filter.ts';
import type { ShownEvent } from '../../audit/shown-event.ts';
import { auditEvents } from '../../projections/audit.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { count, UsageError } from '../options.ts';
import { answer } from '../../ground/print.ts';

interface EventsOptions extends ConditionTexts {
  readonly limit: string;
  readonly oldestFirst?: boolean;
  readonly parts: boolean;
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
    .option('--no-parts', 'an import is one line; else each of its records is one too, and each webhook')
    .action(({ limit, oldestFirst = false, parts, json, ...conditions }: EventsOptions) => {
      const atMost = count('--limit', limit);
      return withSystem(line, async (at) => {
        await at.waitUntilCurrent(auditEvents);
        const performed = await perform(searchLog, at, {
          who: { kind: 'operator' },
          input: { conditions, newestFirst: !oldestFirst, withParts: parts, limit: atMost },
          context: () => at.context(),
        });
        if (performed.kind === 'refused' && performed.refusal instanceof BadQuestion)
          throw new UsageError(`--${performed.refusal.message}`);
        const { events, next } = valueOf(performed);
        const more = `There are more: go on with ${oldestFirst ? '--after' : '--before'} ${String(next)}.`;
        const none = 'No event meets these conditions.';
        answer(json, { data: events, has_more: next !== undefined }, [
          ...(events.length === 0 ? [none] : events.map(asLine)),
          ...(next === undefined ? [] : [more]),
        ]);
      });
    });
}

const asLine = ({ position, at, sentence }: ShownEvent): string =>
  `${position.padStart(8)}  ${at}  ${sentence}`;

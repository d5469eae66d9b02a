import { event, line, slug, stream, type EventOf } from '../define.ts';
import { uuidOf } from '../ids.ts';
import { z } from 'zod';
import { fieldGroup } from './upkeep/precedence.ts';

/** What a source is called. People change it as they like: records know their source by its id. */
export const sourceName = line(200);

/** The id of a source, as it stands in `ResourceSubmitted.source.system`. */
export const sourceId = line(200).meta({ title: 'the id of a source' });

const named = z.strictObject({
  team: slug,
  source: sourceId.describe('The id of the source, as it stands in its records. It never changes.'),
  name: sourceName,
});

/** Where records of a team come from. Sources from before there were names have only their id, in their records. */
export const sourceStream = stream('source', {
  SourceNamed: event(
    'A source of a team’s directory was named, before its first import or with the next one.',
    named,
  ),
  SourceRenamed: event('The source is called otherwise. Its records stay its records.', named),
  SourcePrecedenceChosen: event(
    'It was chosen for which fields the word of the source counts before what people, or other sources, have changed.',
    z.strictObject({
      team: slug,
      source: sourceId,
      groups: z
        .array(fieldGroup)
        .refine((all) => new Set(all).size === all.length, { message: 'a group is named twice' })
        .describe(
          'Groups of fields. Empty: what has been changed here stays, as it does without this event.',
        ),
    }),
  ),
});
export type SourceEvent = EventOf<typeof sourceStream>;

/** The id in the name of the stream of a source. */
export const sourceStreamId = (team: string, source: string): string => uuidOf('source', team, source);

/**
 * A date as precisely as a source knows it: a year, a month, a day, or an instant in UTC. ISO 8601, so that texts of the same
 * precision are in the order of time.
 */
export const sourceDate = z
  .string()
  .regex(/^\d{4}(-\d{2}(-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z)?)?)?$/, {
    message:
      'must be a year, a month, a day or a time in UTC, such as 2018, 2018-05, 2018-05-14 or 2018-05-14T09:30:00Z',
  })
  .refine((date) => isOnCalendar(date), { message: 'is no day of the calendar' })
  .meta({ title: 'year, month, day or time in UTC, ISO 8601' });

/** Whether the parts of a date are there on the calendar and on the clock. */
export function isOnCalendar(date: string): boolean {
  const at = new Date(date);
  if (Number.isNaN(at.getTime())) return false;
  const day = date.slice(0, 10);
  return at.toISOString().startsWith(day);
}

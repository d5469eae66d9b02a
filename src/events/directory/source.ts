import { event, line, slug, stream, type EventOf } from '../define.ts';
import { uuidOf } from '../ids.ts';
import { z } from 'zod';

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
});
export type SourceEvent = EventOf<typeof sourceStream>;

/** The id in the name of the stream of a source. */
export const sourceStreamId = (team: string, source: string): string => uuidOf('source', team, source);

import { isOfOneTeam } from '../../events/audit-subjects.ts';
import type { LoggedEvent } from '../proof-log/entry.ts';
import { metadataOf } from './metadata-of.ts';
import { isWhole, type ExportFilter } from './filter.ts';
import { subjectsIn, teamIn } from './subjects-in.ts';

/** Tells of the events of a log, given in order from the first, which ones a filter selects. */
export type Selection = (event: LoggedEvent) => boolean;

export function selectionOf(filter: ExportFilter): Selection {
  if (isWhole(filter)) return () => true;
  const { type, stream, actor, subject, team, correlation, from, until } = filter;
  const isOfTeam = team === undefined ? undefined : membershipOf(team);
  const [earliest, end] = [from, until].map((time) => (time === undefined ? undefined : Date.parse(time)));
  return (event) => {
    // Before the other conditions: it must have seen the first event of each stream.
    if (isOfTeam?.(event) === false) return false;
    if (type !== undefined && event.type !== type) return false;
    if (stream !== undefined && event.stream !== stream) return false;
    const metadata = metadataOf(event);
    if (correlation !== undefined && metadata.correlation_id !== correlation) return false;
    if (actor !== undefined && `${metadata.actor.kind}:${metadata.actor.id}` !== actor) return false;
    if (earliest !== undefined || end !== undefined) {
      const at = Date.parse(metadata.at);
      if (earliest !== undefined && at < earliest) return false;
      if (end !== undefined && at >= end) return false;
    }
    return subject === undefined || subjectsIn(event).includes(subject);
  };
}

/** Whether events belong to a team (`isOfOneTeam`). Of the streams, only those of this team are remembered. */
function membershipOf(team: string): Selection {
  const streams = new Set<string>();
  return (event) => {
    const named = teamIn(event);
    if (event.revision === 0 && named === team && isOfOneTeam(event.stream)) streams.add(event.stream);
    return named === undefined ? streams.has(event.stream) : named === team;
  };
}

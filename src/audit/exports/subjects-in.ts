import { definitionOf, UnknownEvent, upcast } from '../../events/catalogue.ts';
import {
  subjectNamedBy,
  subjectsOf,
  subjectText,
  teamOf,
  type SubjectEvent,
} from '../../events/audit-subjects.ts';
import type { LoggedEvent } from '../proof-log/entry.ts';

/** What an event is about, as texts `kind:id`. Of an event of a newer release: what its stream is named after. */
export function subjectsIn(event: LoggedEvent): readonly string[] {
  const readable = readableEvent(event);
  if (readable) return subjectsOf(readable).map(subjectText);
  const named = subjectNamedBy(event.stream);
  return named ? [subjectText(named)] : [];
}

/** The team that an event says it belongs to. */
export function teamIn(event: LoggedEvent): string | undefined {
  const readable = readableEvent(event);
  return readable && teamOf(readable);
}

function readableEvent(event: LoggedEvent): SubjectEvent | undefined {
  if (!definitionOf(event.type)) return undefined;
  try {
    return { ...upcast(event), stream: event.stream };
  } catch (error) {
    if (error instanceof UnknownEvent) return undefined;
    throw error;
  }
}

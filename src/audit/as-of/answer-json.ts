import type { RecordedEvent } from '../../stores/event-store/port.ts';
import type { Answer } from './ask.ts';
import { momentJson, type Moment } from './moment.ts';

/** An answer as the API and the command line give it, without how its list goes on. */
export function answerJson(moment: Moment, answer: Answer) {
  return {
    as_of: momentJson(moment),
    ...('beside' in answer ? answer.beside : {}),
    total: answer.total,
    data: entriesJson(answer),
  };
}

function entriesJson(answer: Answer): readonly object[] {
  switch (answer.question) {
    case 'streams':
      return answer.entries.map(eventJson);
    case 'consents':
    case 'tokens':
      return answer.entries.map(({ user, ...rest }) => ({ person: user, ...rest }));
    case 'members':
      return answer.entries.map(({ user, role, joined_at, person }) => ({
        person: user,
        role,
        joined_at,
        ...person,
      }));
    case 'keys':
    case 'directory':
    case 'subscriptions':
      return answer.entries;
  }
}

const eventJson = ({ id, stream, revision, position, type, data, metadata }: RecordedEvent) => ({
  id,
  stream,
  revision,
  position: String(position),
  type,
  data,
  metadata,
});

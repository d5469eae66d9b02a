import type { RecordedEvent } from '../../stores/event-store/port.ts';
import type { Answer } from './ask.ts';
import { saidMoment, type Moment } from './moment.ts';

/** An answer as the API and the command line give it, without how its list goes on. */
export function saidAnswer(moment: Moment, answer: Answer) {
  return {
    as_of: saidMoment(moment),
    ...('beside' in answer ? answer.beside : {}),
    total: answer.total,
    data: saidEntries(answer),
  };
}

function saidEntries(answer: Answer): readonly object[] {
  switch (answer.question) {
    case 'streams':
      return answer.entries.map(saidEvent);
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

const saidEvent = ({ id, stream, revision, position, type, data, metadata }: RecordedEvent) => ({
  id,
  stream,
  revision,
  position: String(position),
  type,
  data,
  metadata,
});

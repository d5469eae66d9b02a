import {
  agencyAskingStream,
  agencyCallStream,
  type AgencyAskingEvent,
  type AgencyCallEvent,
} from '../../../events/directory/upkeep/agency-asking.ts';
import { streamId } from '../../../events/define.ts';
import { projection } from '../../engine/read-model.ts';

/** Whether a team asks its agencies by mail. */
export interface AgencyAskingDocument {
  readonly team: string;
  readonly on: 0 | 1;
  readonly after_days?: number;
  /** When it was chosen. */
  readonly since: string;
}

export const agencyAskings = projection<AgencyAskingDocument, AgencyAskingEvent>({
  version: 1,
  events: ['AgencyAskingChosen'],
  collection: { name: 'agency-askings', fields: ['team', 'on'], indexes: [['on', 'team']] },
  idOf: (event) => streamId(event, agencyAskingStream),
  fold(_, { data: { team, on, after_days }, metadata }) {
    const days = after_days === undefined ? {} : { after_days };
    return { team, on: on ? 1 : 0, ...days, since: metadata.at };
  },
});

/** The newest call about a record that reached nobody. */
export interface AgencyCallDocument {
  readonly svc_id: string;
  readonly team: string;
  /** The day from which it is on the call list again. */
  readonly again_on: string;
}

export const agencyCalls = projection<AgencyCallDocument, AgencyCallEvent>({
  version: 1,
  events: ['AgencyNotReached'],
  collection: { name: 'agency-calls', fields: ['team', 'again_on'], indexes: [['team', 'again_on']] },
  idOf: (event) => streamId(event, agencyCallStream),
  fold: (_, { data }) => data,
});

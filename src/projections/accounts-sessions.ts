import { defined } from '../ground/defined.ts';
import { streamId } from '../events/define.ts';
import { sessionStream, type SessionEvent } from '../events/accounts/session.ts';
import { projection } from './engine/read-model.ts';

/** A session. An ended one is marked. It has also ended when its person's sessions have a later epoch. */
export interface SessionDocument {
  readonly session: string;
  readonly user: string;
  readonly status: 'open' | 'ended';
  readonly epoch: number;
  /** Unix seconds. */
  readonly auth_time: number;
  readonly amr: readonly string[];
  /** Unix seconds. */
  readonly ends: number;
  readonly secret_sha256: string;
  /** Sealed. */
  readonly device?: string;
  readonly started_at: string;
  readonly ended_at?: string;
}

export const sessions = projection<SessionDocument, SessionEvent>({
  version: 1,
  events: ['SessionStarted', 'SessionEnded'],
  collection: {
    name: 'sessions',
    fields: ['session', 'user', 'status', 'started_at'],
    indexes: [['user', 'status', 'started_at', 'session']],
  },
  idOf: (event) => streamId(event, sessionStream),
  fold(doc, event) {
    const { at } = event.metadata;
    switch (event.type) {
      case 'SessionStarted': {
        const { device, ...started } = event.data;
        return { ...started, ...defined({ device }), status: 'open', started_at: at };
      }
      case 'SessionEnded':
        return doc && { ...doc, status: 'ended', ended_at: at };
    }
  },
});

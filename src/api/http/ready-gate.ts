import { commonProblem } from './errors.ts';
import type { ServerDependencies } from '../dependencies.ts';

/** Lets requests through once the service has been ready. */
export interface Gate {
  /** Cheap enough to check on every request. */
  readonly open: boolean;
  /** @throws Problem not_ready */
  pass(): Promise<void>;
  /** Whether the service is ready now. The first time that it is, the gate opens. */
  ready: ServerDependencies['ready'];
}

export function gateOf({ ready }: Pick<ServerDependencies, 'ready'>): Gate {
  let open = false;
  const look = async () => {
    const now = await ready();
    open ||= now.ready;
    return now;
  };
  return {
    get open() {
      return open;
    },
    ready: look,
    async pass() {
      if (!open) await look();
      if (!open) {
        throw commonProblem('not_ready', 'The service is starting; its read models are catching up.', {
          headers: { 'retry-after': '1' },
        });
      }
    },
  };
}

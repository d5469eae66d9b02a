import { commonProblem } from './errors.ts';
import type { ServerDependencies } from '../dependencies.ts';

/** Lets requests through once the service has been ready. */
export interface Gate {
  /** Cheap enough to check on every request. */
  readonly open: boolean;
  /** @throws Problem not_ready */
  pass(): Promise<void>;
}

export function gateOf({ ready }: Pick<ServerDependencies, 'ready'>): Gate {
  let open = false;
  return {
    get open() {
      return open;
    },
    async pass() {
      if (open) return;
      open = (await ready()).ready;
      if (!open) {
        throw commonProblem('not_ready', 'The service is starting; its read models are catching up.', {
          headers: { 'retry-after': '1' },
        });
      }
    },
  };
}

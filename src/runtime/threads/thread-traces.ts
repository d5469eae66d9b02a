import { randomUUID } from 'node:crypto';
import type { Config } from '../../config.ts';
import { startTraces, type Traces } from '../operators/traces.ts';
import { tell, type ThreadName } from './thread.ts';

/** In a thread: starts to record its spans where they are asked for. */
export const tracesOfThread = (
  thread: ThreadName,
  config: Pick<Config, 'traces'>,
  instance: string = randomUUID(),
): Promise<Traces> =>
  startTraces(config, {
    thread,
    instance,
    tell: (message) => tell({ kind: 'notice', what: 'traces', message }),
  });

import { setTimeout } from 'node:timers';
import type { Readable } from 'node:stream';

/** A reader that takes nothing for so long is cut off: it would keep others out. */
const stalledMs = 60_000;

/** Ends a stream of which nothing is read any more. `afterMs`: how long a reader may take nothing. */
export function cutWhenStalled(stream: Readable, afterMs = stalledMs): Readable {
  let timer: NodeJS.Timeout | undefined;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stream.destroy(new Error('The reader takes nothing any more.')), afterMs);
    timer.unref();
  };
  restart();
  stream.on('data', restart).pause();
  stream.once('close', () => clearTimeout(timer));
  return stream;
}

import { progressBar, type Progress } from './progress.ts';

/** A bar for each phase of long work, one after the other. */
export function phaseBar(): {
  readonly update: (phase: string, done: number, total: number) => void;
  readonly stop: () => void;
} {
  let current: { readonly phase: string; readonly bar: Progress } | undefined;
  return {
    update(phase, done, total) {
      if (current?.phase !== phase) {
        current?.bar.stop();
        current = { phase, bar: progressBar(phase, total) };
      }
      current.bar.update(done);
    },
    stop() {
      current?.bar.stop();
      current = undefined;
    },
  };
}

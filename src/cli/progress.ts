import { SingleBar } from 'cli-progress';

export interface Progress {
  update(value: number): void;
  stop(): void;
}

/** A bar with rate and remaining time on a terminal, a line every few seconds elsewhere. On stderr. */
export function progressBar(what: string, total: number): Progress {
  const began = performance.now();
  const rate = (value: number) => Math.round(value / ((performance.now() - began) / 1_000));
  const bar = new SingleBar({
    format: `${what} [{bar}] {percentage}% | {value}/{total} | {rate}/s | {eta_formatted} left`,
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 5_000,
    hideCursor: true,
    etaBuffer: 200,
  });
  bar.start(total, 0, { rate: 0 });
  return {
    update: (value) => bar.update(value, { rate: rate(value) }),
    stop: () => bar.stop(),
  };
}

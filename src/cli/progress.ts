import { MultiBar, SingleBar } from 'cli-progress';
import type { Performing } from '../actions/action.ts';
import type { CommandLine } from './command-line.ts';

export interface Progress {
  /** `total`: when it was not known at first. */
  update(value: number, total?: number): void;
  stop(): void;
}

/** A bar with rate and remaining time on a terminal, on stderr. Elsewhere nothing: a pipe or a file has the result alone. */
export function progressBar(what: string, total: number): Progress {
  const began = performance.now();
  const rate = (value: number) => Math.round(value / ((performance.now() - began) / 1_000));
  const bar = new SingleBar({
    format: `${what} [{bar}] {percentage}% | {value}/{total} | {rate}/s | {eta_formatted} left`,
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
    etaBuffer: 200,
  });
  bar.start(total, 0, { rate: 0 });
  return {
    update(value, of) {
      if (of !== undefined) bar.setTotal(of);
      bar.update(value, { rate: rate(value) });
    },
    stop: () => bar.stop(),
  };
}

/** Bars of several things at once, each with its own total, which may change. */
export interface ProgressBars {
  update(
    what: string,
    progress: { readonly done: number; readonly total: number; readonly rate: number; readonly what: string },
  ): void;
  /** Fills the bar, if there is one. */
  done(what: string): void;
  /** Writes lines above the bars. */
  say(lines: string): void;
  stop(): void;
}

/** Like `progressBar`, one below the other. */
export function progressBars(): ProgressBars {
  const bars = new MultiBar({
    format:
      '{name} [{bar}] {percentage}% | {value} of about {total} events | {rate}/s | {left} left | {what}',
    stream: process.stderr,
    noTTYOutput: false,
    hideCursor: true,
    linewrap: false,
  });
  const made = new Map<string, SingleBar>();
  return {
    update(name, { done, total, rate, what }) {
      const bar = made.get(name) ?? bars.create(total, 0, { name, rate, left: '-', what });
      made.set(name, bar);
      bar.setTotal(Math.max(total, 1));
      bar.update(done, { rate, what, left: rate > 0 ? `${Math.ceil((total - done) / rate)} s` : '-' });
    },
    done(name) {
      const bar = made.get(name);
      bar?.update(bar.getTotal(), { what: 'done', left: '0 s' });
    },
    say(lines) {
      if (process.stderr.isTTY) bars.log(`${lines}\n`);
      else console.error(lines);
    },
    stop: () => bars.stop(),
  };
}

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

/** From how many things on a bar is shown. */
const many = 200;

/**
 * How a command watches the work of its action: with a bar when it is much, unless a program reads the answer. The first
 * Ctrl-C stops what can be stopped.
 */
export const watchedAt =
  (line: CommandLine, show: { readonly bar: boolean }): Performing['watched'] =>
  async ({ name, total, canStop, work }) => {
    const all = await total();
    const bar = show.bar && all >= many ? progressBar(name, all) : undefined;
    const stop = new AbortController();
    const onInterrupt = () => {
      stop.abort();
      line.exitCode = 1;
    };
    if (canStop) process.once('SIGINT', onInterrupt);
    try {
      return await work({ onProgress: (done) => bar?.update(done), signal: stop.signal });
    } finally {
      bar?.stop();
      process.off('SIGINT', onInterrupt);
    }
  };

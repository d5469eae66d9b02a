import { Worker } from 'node:worker_threads';
import type { Judged, ToJudge } from './password-strength-thread.ts';

/** The thread ends when no password was chosen for this long. Its dictionaries take 30 MB. */
const idleMs = 60_000;

/**
 * The thread that estimates passwords. An estimate takes 1 to 200 ms, and loading the dictionaries 200 ms: too long
 * for the thread that answers requests. It is started with the first password, and does not keep the process alive.
 */
let thread: Thread | undefined;

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, { resolve: (judged: Judged) => void; reject: (error: Error) => void }>;
  calls: number;
  idle: NodeJS.Timeout | undefined;
}

/**
 * Why a password is too easy to guess, as a sentence for the person who chose it. Undefined when it is not. `about`:
 * what others know about them, such as name and address. Nothing leaves the process.
 */
export async function easyToGuess(password: string, about: readonly string[]): Promise<string | undefined> {
  const { because } = await judge({ password, about });
  return because === undefined ? undefined : `${reasons[because]} ${advice}`;
}

const reasons: Readonly<Record<NonNullable<Judged['because']>, string>> = {
  common: 'This password is too easy to guess: it is made of words that many people use as passwords.',
  repeated: 'This password is too easy to guess: it repeats the same letters or words.',
  personal: 'This password is too easy to guess: it contains your name or your address.',
  product: 'This password is too easy to guess: it contains the name of this service.',
  keys: 'This password is too easy to guess: it follows the keys of a keyboard or the order of letters or digits.',
  other: 'This password is too easy to guess.',
};
const advice = 'Choose a few words that only you would put together.';

function judge(input: Omit<ToJudge, 'call'>): Promise<Judged> {
  const at = (thread ??= started());
  clearTimeout(at.idle);
  at.worker.ref();
  return new Promise((resolve, reject) => {
    const call = ++at.calls;
    at.waiting.set(call, { resolve, reject });
    at.worker.postMessage({ ...input, call } satisfies ToJudge);
  });
}

function started(): Thread {
  const worker = new Worker(new URL('./password-strength-thread.ts', import.meta.url), {
    name: 'password-strength',
  });
  const made: Thread = { worker, waiting: new Map(), calls: 0, idle: undefined };
  const gone = (error: Error) => {
    if (thread === made) thread = undefined;
    clearTimeout(made.idle);
    for (const { reject } of made.waiting.values()) reject(error);
    made.waiting.clear();
  };
  worker.on('message', (judged: Judged) => {
    made.waiting.get(judged.call)?.resolve(judged);
    made.waiting.delete(judged.call);
    if (made.waiting.size > 0) return;
    worker.unref();
    made.idle = setTimeout(() => {
      if (thread === made) thread = undefined;
      void worker.terminate();
    }, idleMs).unref();
  });
  worker.on('error', gone);
  worker.on('exit', () => gone(new Error('The thread that judges passwords has ended.')));
  return made;
}

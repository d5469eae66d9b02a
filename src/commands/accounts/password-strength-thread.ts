import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

export interface ToJudge {
  readonly call: number;
  readonly password: string;
  /** What others know about the person who chose it. */
  readonly about: readonly string[];
}

export interface Judged {
  readonly call: number;
  /** Why it is too easy to guess. Undefined when it is not. */
  readonly because: 'common' | 'repeated' | 'personal' | 'keys' | 'other' | undefined;
}

/** Characters that are estimated: the time for estimating grows faster than the length. */
const longestJudged = 64;
/** "Safely unguessable": more than 10^8 guesses. A server that limits guesses allows about 10^3 in a day. */
const leastScore = 3;

const estimator = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });

/** Estimates how soon a program would guess a password (Wheeler, "zxcvbn", USENIX Security 2016). */
parentPort?.on('message', ({ call, password, about }: ToJudge) => {
  parentPort?.postMessage({ call, because: objection(password, wordsOf(about)) } satisfies Judged);
});

function objection(password: string, known: readonly string[]): Judged['because'] {
  const looked = Array.from(password.normalize('NFKC')).slice(0, longestJudged).join('');
  const { score, sequence } = estimator.check(looked, [...known]);
  if (score >= leastScore) return undefined;
  const patterns = sequence.map(({ pattern, ...match }) =>
    pattern === 'dictionary' && 'dictionaryName' in match && match.dictionaryName === 'userInputs'
      ? 'personal'
      : pattern,
  );
  if (patterns.includes('personal')) return 'personal';
  if (patterns.includes('repeat')) return 'repeated';
  if (patterns.includes('dictionary')) return 'common';
  return patterns.includes('spatial') || patterns.includes('sequence') ? 'keys' : 'other';
}

/** Words of names and addresses: whole, in parts and joined. The name of this product is easy to guess too. */
function wordsOf(about: readonly string[]): string[] {
  const words = about.flatMap((each) => {
    const parts = each.split(/[^\p{L}\p{N}]+/u);
    return [each, ...parts, parts.join('')];
  });
  return [...new Set([...words, 'commonweal'])].filter(({ length }) => length > 2);
}

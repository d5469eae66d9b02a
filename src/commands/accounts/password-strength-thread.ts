import { parentPort } from 'node:worker_threads';
import { ZxcvbnFactory, type ZxcvbnResult } from '@zxcvbn-ts/core';
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
  readonly because: 'common' | 'repeated' | 'personal' | 'product' | 'keys' | 'other' | undefined;
}

/** Characters that are estimated: the time for estimating grows faster than the length. */
const longestJudged = 64;
/** "Safely unguessable" (Wheeler). A server that limits guesses allows about 10^3 in a day. */
const leastGuesses = 1e8;
/** How many ways of repeating the same pieces a guesser tries. */
const arrangements = 10;
/** Guesses for each sign between the pieces, after the first. A random password has several. */
const guessesPerSign = 30;

/**
 * The estimator takes a place in a list for how common a word is. The words for dice stand in order of the alphabet: by
 * this name it takes each for one of 6^5.
 */
const { 'diceware-common': diceware, ...ranked } = dictionary;
const estimator = new ZxcvbnFactory({ dictionary: { ...ranked, diceware }, graphs: adjacencyGraphs });

parentPort?.on('message', ({ call, password, about }: ToJudge) => {
  parentPort?.postMessage({ call, because: objection(password, wordsOf(about)) } satisfies Judged);
});

/** Part of an estimate: how many guesses, and by which patterns. */
type Estimate = Pick<ZxcvbnResult, 'guesses' | 'sequence'>;

/**
 * Estimates how soon a program would guess a password (Wheeler, "zxcvbn", USENIX Security 2016). The estimator takes
 * `password password` for two words and a separator that must be guessed, so the pieces are judged too: joined, each
 * once, and by what it takes to guess them one by one.
 */
function objection(password: string, words: readonly string[]): Judged['because'] {
  const whole = Array.from(password.normalize('NFKC')).slice(0, longestJudged).join('');
  const estimates = new Map<string, Estimate>();
  const estimate = (text: string): Estimate => {
    const made = estimates.get(text) ?? estimator.check(text, [...words]);
    estimates.set(text, made);
    return made;
  };
  const easy = (guesses: number) => guesses <= leastGuesses;

  const asTyped = estimate(whole);
  if (easy(asTyped.guesses)) return reasonOf(asTyped.sequence);
  const folded = withoutMarks(whole);
  for (const split of ['separators', 'separators, capitals and digits'] satisfies Split[]) {
    const { pieces, signs } = piecesAt(folded, split);
    const separated = guessesPerSign ** Math.max(signs.length - 1, 0);
    const joined = estimate(pieces.join('').toLowerCase());
    if (easy(joined.guesses * separated)) return reasonOf(joined.sequence);
    const distinct = withoutRepeats(pieces);
    const repeats = distinct.length < pieces.length;
    const once = estimate(distinct.join(''));
    if (easy(once.guesses * separated)) return reasonOf(once.sequence, repeats);
    const each = distinct.map(estimate);
    const oneByOne = each.reduce((product, { guesses }, at) => product * guesses * (at + 1), arrangements);
    if (easy(oneByOne * separated))
      return reasonOf(
        each.flatMap(({ sequence }) => sequence),
        repeats,
      );
  }
  return undefined;
}

function reasonOf(sequence: Estimate['sequence'], repeats = false): NonNullable<Judged['because']> {
  const patterns = sequence.map(({ pattern, ...match }) => {
    if (!('dictionaryName' in match) || match.dictionaryName !== 'userInputs') return pattern;
    return match.matchedWord === productName ? 'product' : 'personal';
  });
  if (patterns.includes('personal')) return 'personal';
  if (patterns.includes('product')) return 'product';
  if (repeats || patterns.includes('repeat')) return 'repeated';
  if (patterns.includes('dictionary')) return 'common';
  return patterns.includes('spatial') || patterns.includes('sequence') ? 'keys' : 'other';
}

/** The name of this product is easy to guess too. */
const productName = 'commonweal';

/** Words of names and addresses: whole, in parts and joined. */
function wordsOf(about: readonly string[]): string[] {
  const words = about.flatMap((each) => {
    const parts = each.split(/[^\p{L}\p{N}]+/u);
    return [each, ...parts, parts.join('')];
  });
  return [...new Set([...words, ...words.map(withoutMarks), productName])].filter(({ length }) => length > 2);
}

/**
 * Where a password is cut. The first keeps signs that stand for letters, as in `P@ssw0rd`. The second finds the words
 * in `Summer2024Pass`.
 */
type Split = 'separators' | 'separators, capitals and digits';

const cuts: Readonly<Record<Split, RegExp>> = {
  separators: /[\p{L}\p{N}@$!|+(<{[]+/gu,
  'separators, capitals and digits': /\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}]+|\p{Lu}+|\p{N}+/gu,
};

/** The pieces of a password, and the different signs between them. */
function piecesAt(
  password: string,
  split: Split,
): { readonly pieces: readonly string[]; readonly signs: readonly string[] } {
  const pieces = password.match(cuts[split]) ?? [];
  return { pieces, signs: [...new Set(password.replace(cuts[split], ''))] };
}

/** A piece shorter than this is a character or two of a random password, where chance repeats them. */
const shortestRepeat = 3;

/** The pieces in lower case, each once, in the order of the first ones. */
function withoutRepeats(pieces: readonly string[]): string[] {
  const lower = pieces.map((piece) => piece.toLowerCase());
  return lower.filter((piece, at) => piece.length < shortestRepeat || lower.indexOf(piece) === at);
}

/** Without accents: `pässwörd` is guessed as soon as `password`. */
const withoutMarks = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/(?<=\p{sc=Latin})\p{M}+/gu, '')
    .normalize('NFC');

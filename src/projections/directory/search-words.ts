import { wordsOf } from '../../stores/documents/port.ts';
import { stem } from '../../tables/stem.ts';

/** A longer word is cut, so that no text can make a term of any length. */
const longestWord = 40;
/** A whole text written together is cut here. */
const longestTogether = 60;

/** Straight, curly, modifier letter, grave, acute, prime. */
const apostrophes = /['’‘ʼ`´′]/g;

/**
 * Words that say nothing of what somebody looks for, in English and in Spanish, as `searchWords` writes them. Words
 * that mean something in the other language are not among them: "will" (a testament), "son", "once".
 */
export const stopWords: ReadonlySet<string> = new Set(
  (
    'a about all also am an and any are as at be been being both but by can could did do does each for from had has ' +
    'have he her his how i if in into is it its itself just me more most my of on or our ours should so some such ' +
    'than that the their theirs them then there these they this those through to too was we were what when where ' +
    'which while who whom whose why with within would you your yours ' +
    'al como con cual cuales cuando de del desde donde e el ella ellas ellos en entre es esa esas ese eso esos esta ' +
    'estan estas este esto estos ha han hasta hay la las le les lo los mi mis muy ni nos nuestra nuestro o para pero ' +
    'por porque pueda puede pueden que quien quienes se ser si sobre su sus te tiene tienen tu tus u un una unas ' +
    'unos usted ustedes y ya yo'
  ).split(' '),
);

/** The words of a text, normalised: without case, marks and apostrophes. A long word is cut. */
export function searchWords(text: string): string[] {
  const words = wordsOf(text.replace(apostrophes, ''));
  for (let n = 0; n < words.length; n++) {
    const word = words[n] ?? '';
    if (word.length > longestWord) words[n] = cut(word, longestWord);
  }
  return words;
}

/** The words by which a text is found: all but stop words. Of a text that has nothing else, the stop words. */
export function tellingWords(text: string): string[] {
  const words = searchWords(text);
  const telling = words.filter((word) => !stopWords.has(word));
  return telling.length > 0 ? telling : words;
}

/** The stems of words. */
export const stemsOf = (words: readonly string[]): string[] => words.map(stem);

/**
 * Each two neighbouring words written together, and then stemmed: "food banks" gives `foodbank`, as the one word
 * "foodbanks" does.
 */
export const pairsOf = (words: readonly string[]): string[] =>
  words.slice(1).map((word, n) => stem(`${words[n] ?? ''}${word}`));

/** A whole text as one key: the stems of its telling words, written together. Empty where it has no words. */
export const wholeOf = (text: string): string => cut(stemsOf(tellingWords(text)).join(''), longestTogether);

/** A name as one key, by every word of it: "St. Louis" gives `stlouis`. Empty where it has no words. */
export const together = (text: string): string => cut(searchWords(text).join(''), longestTogether);

/** The beginning of a word, without half of a surrogate pair at its end. */
const cut = (word: string, length: number): string =>
  word.length <= length ? word : word.slice(0, length).replace(/[\ud800-\udbff]$/, '');

import { stripVTControlCharacters } from 'node:util';

const mostLines = 5;
const mostCharacters = 600;
/** More than the lines that are kept: a program may print gigabytes. */
const mostKept = 8_192;

/** What a program printed last. */
export interface LastLines {
  readonly add: (chunk: Buffer) => void;
  /** The last lines, in one, without what looks like a secret. */
  value(): string;
}

/** Collects the last lines of the output of a program that may print anything, secrets too. */
export function lastLines(): LastLines {
  let kept = '';
  return {
    add: (chunk) => (kept = (kept + chunk.toString('utf8')).slice(-mostKept)),
    value() {
      // The first line may have lost its beginning, by which a secret would be known.
      const lines = kept.length === mostKept ? kept.split('\n').slice(1) : kept.split('\n');
      const shown = lines
        .map((line) =>
          stripVTControlCharacters(line)
            .replace(/\p{Cc}/gu, ' ')
            .trim(),
        )
        .filter((line) => line !== '')
        .slice(-mostLines)
        .map(withoutSecrets);
      return shown.join(' / ').slice(-mostCharacters);
    },
  };
}

/** Without passwords and queries of addresses, values that are named as secrets, and long random words. */
const withoutSecrets = (line: string): string =>
  line
    .replace(/(\w:\/\/)[^\s/@]*@/g, '$1…@')
    .replace(/(\w:\/\/[^\s?]*\?)\S+/g, '$1…')
    .replace(/\b(authorization|bearer|basic)\b(:?\s+)\S.*/gi, '$1$2…')
    .replace(/([\w-]*(?:secret|passw|token|key|credential|signature)[\w-]*["']?\s*[=:]\s*)\S+/gi, '$1…')
    .replace(/[A-Za-z0-9+_=-]{32,}/g, '…');

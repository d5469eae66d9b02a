import { misleads } from '../../../events/display-name.ts';

/** Longer names are cut in the middle, so that the ending stays. */
const longest = 100;

/**
 * The name of a file that somebody has sent, to be shown: without folders, without signs that are invisible or turn the
 * direction of text, and short. Files are stored under another name.
 */
export function shownFileName(given: string): string {
  const name = given
    .toWellFormed()
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{DI}]/gu, '')
    .trim();
  if (name === undefined || name === '' || misleads(name)) return 'file';
  return name.length <= longest ? name : `${name.slice(0, longest - 11)}…${name.slice(-10)}`.toWellFormed();
}

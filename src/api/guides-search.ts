import { stem } from '../tables/stem.ts';
import { allGuides, type Guide, type Section } from './guides-markdown.ts';
import { guides, type GuideName } from './pages/paths.ts';

/** A place in a guide where the words were found. */
export interface Found {
  readonly path: string;
  readonly guide: string;
  /** Empty: the beginning of the guide. */
  readonly heading: string;
  /** What stands around the first word. */
  readonly excerpt: string;
}

/** Further words of a query, and further places, are left out. */
const mostWords = 8;
const mostFound = 20;

/** How much a word counts by where it is. In a text it counts as often as it is there, up to a bound. */
const weight = { heading: 12, title: 6, timesInText: 4, part: 2 };

/**
 * The places in all guides with the words of a query, the best first. A word is found where a word begins so, plural or not.
 * Places with all words come alone, if there are any.
 */
export async function searchGuides(query: string): Promise<readonly Found[]> {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const patterns = [...new Set(words)].slice(0, mostWords).map(patternOf);
  const places = (await allGuides()).flatMap(([name, guide]) =>
    guide.sections.map((section) => ({ name, guide, section, ...rated(guide, section, patterns) })),
  );
  const most = Math.max(...places.map(({ words }) => words));
  return places
    .filter(({ words }) => words > 0 && words === most)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostFound)
    .map((place) => foundAt(place, patterns));
}

const patternOf = (word: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${word}|${stem(word)})`, 'giu');

/** How many of the words a section has, and how well it is described by them. */
function rated({ title }: Guide, { heading, level, text }: Section, patterns: readonly RegExp[]) {
  const scores = patterns.map((pattern) => {
    const has = (words: string): boolean => words.search(pattern) !== -1;
    const times = Math.min(text.match(pattern)?.length ?? 0, weight.timesInText);
    return (has(heading) ? weight.heading : 0) + (has(title) ? weight.title : 0) + times;
  });
  const words = scores.filter((score) => score > 0).length;
  return { words, score: scores.reduce((sum, each) => sum + each, level === 2 ? weight.part : 0) };
}

function foundAt(
  { name, guide, section }: { readonly name: GuideName; readonly guide: Guide; readonly section: Section },
  patterns: readonly RegExp[],
): Found {
  const text = section.text.replace(/\s+/g, ' ').trim();
  const firsts = patterns.map((pattern) => text.search(pattern)).filter((at) => at !== -1);
  const begin = firsts.length === 0 ? 0 : text.lastIndexOf(' ', Math.max(0, Math.min(...firsts) - 60)) + 1;
  const excerpt = text.slice(begin, begin + 200);
  return {
    path: `${guides[name]}${section.id === '' ? '' : `#${section.id}`}`,
    guide: guide.title,
    heading: section.heading,
    excerpt: `${begin > 0 ? '… ' : ''}${excerpt}${begin + 200 < text.length ? ' …' : ''}`,
  };
}

/** Acronyms of this field that could be read as words. Those without a vowel need no list. */
const acronyms = new Set(
  `AA AAA AARP ABA ABC ACA ACLU ADA ADHD ADRC AIDS ALF AME APD ASL CAA CDC CIL COVID DAV DOE DOH DUI EBT EITC ELCA EMS
  EMT ESE ESL ESOL ESRD FAFSA FAU FEMA FIU FQHC GED HIV HOA HUD ICU IEP IOP IRS JCC LGBT LGBTQ LIHEAP MADD NAACP NAMI
  NE NICU OA OB PTA PTSD ROTC RSVP SAMHSA SE SNAP SSA SSDI SSI STD STEM STI TANF TDD TTY UF UM UNICEF USA USC USCIS
  USDA USF VA VFW VITA VPK WIC WIOA YMCA YMHA YWCA`.split(/\s+/),
);

/** Words without a vowel that are abbreviations, not acronyms. */
const abbreviations = new Set(
  'BLDG BLVD CNTR CT CTR DEPT DR FT HWY JR LN LTD MR MRS MS MT MTN PKWY PL RD SQ SR ST STS TR'.split(' '),
);

/** Small in a title, in English, Spanish and Creole, unless they begin it. */
const small = new Set(
  `a an and as at but by for from in into nor of off on or per the to via with
  al con de del e el en la las los para por y da do dos e di du des et le les pou ak nan`.split(/\s+/),
);

const romanNumeral = /^(?=[IVX])(X{0,3})(IX|IV|V?I{0,3})$/;
const ordinal = /^\d+(ST|ND|RD|TH)$/;

/** Articles that begin a Spanish name of a place: "Consulate of El Salvador". */
const spanishArticle = /^(el|la|los|las)$/;
const englishPreposition = /(^|\s)(of|in|at|to|for|from)\s$/i;

/** Has no lower-case letter but in "16th", and is more than an initial, or an acronym of three letters. */
export const isInCapitals = (text: string): boolean =>
  !/\p{Ll}/u.test(text.replace(/\d(st|nd|rd|th)\b/g, '')) &&
  /\p{Lu}{2}/u.test(text) &&
  !/^\P{L}*\p{Lu}{2,3}\P{L}*$/u.test(text);

/** What is longer than this is no name. */
const longestName = 1_000;

/**
 * A name that is written in capitals, in title case: acronyms, Roman numerals and initials stay, small words are small.
 * `spellings` tells how its organization writes a word elsewhere (see `spellingsIn`). A name that has lower-case
 * letters is as its publisher wants it, and stays.
 */
export function titleCased(name: string, spellings: ReadonlyMap<string, string> = new Map()): string {
  if (name.length > longestName || !isInCapitals(name)) return name;
  return name.replace(/[\p{L}\p{N}'’.&]*[\p{L}\p{N}][\p{L}\p{N}'’.&]*/gu, (part, at: number) => {
    const before = name.slice(0, at);
    const after = name.slice(at + part.length);
    const [, word = part, end = ''] = /^(.*?)([.'’&]*)$/u.exec(part) ?? [];
    const spelling = spellings.get(word);
    if (spelling !== undefined) return spelling + end;
    const alone = /\($/.test(before) && /^\)/.test(after) && /^\p{Lu}{2,6}$/u.test(word);
    if (alone || staysInCapitals(word)) return part;
    const lower = word.toLowerCase();
    const begins = /(^|[:(–—"“/]\s*|\s-\s*)$/.test(before) || after === '';
    const article = spanishArticle.test(lower) && englishPreposition.test(before);
    if (small.has(lower) && !begins && !article && end === '') return lower;
    return capitalized(word) + end;
  });
}

/** Acronyms, Roman numerals, initials ("U.S."), "AT&T", "HAC2". */
function staysInCapitals(word: string): boolean {
  if (acronyms.has(word) || romanNumeral.test(word)) return true;
  if (/^(\p{L}[.&])+\p{L}?$/u.test(word) || /^\p{L}{1,2}&\p{L}{1,2}$/u.test(word)) return true;
  if (/\p{N}/u.test(word)) return !ordinal.test(word);
  return word.length > 1 && !/[\p{M}AEIOUY'’]/u.test(word.normalize('NFD')) && !abbreviations.has(word);
}

/** "McDonald", "O'Brien", "Children's", "YMCA's", "16th". */
function capitalized(word: string): string {
  const [, stem = word, possessive = ''] = /^(.+)(['’]S)$/u.exec(word) ?? [];
  if (possessive !== '' && staysInCapitals(stem)) return stem + possessive.toLowerCase();
  return word
    .toLowerCase()
    .replace(/^\p{L}/u, (first) => first.toUpperCase())
    .replace(/^(Mc)(\p{L})(?=\p{L}{2})/u, (_, mc: string, letter: string) => mc + letter.toUpperCase())
    .replace(/^([OD]['’])(\p{L})(?=\p{L})/u, (_, o: string, letter: string) => o + letter.toUpperCase());
}

/** Words that people write in capitals to be heard. */
const shouted = new Set(
  'ALL AND ANY ARE CALL DO DOES FREE IF IN IS MUST NO NOT NOTE NEW NOW ONLY OR PLEASE THE TO WILL YES'.split(
    ' ',
  ),
);

/**
 * How an organization writes its own words: acronyms, and words with a capital inside ("HelpLine"), by their form in
 * capitals. Only texts with lower-case letters tell; words in capitals beside each other are a shouted sentence, except
 * in parentheses.
 */
export function spellingsIn(texts: Iterable<string>): Map<string, string> {
  const spellings = new Map<string, string>();
  for (const text of texts) {
    if (!/\p{Ll}/u.test(text) || isInCapitals(text)) continue;
    for (const { 0: word, index } of text.matchAll(wordsToTell)) {
      if (/^\p{Lu}\p{Ll}+\p{Lu}\p{Ll}[\p{L}]*$/u.test(word)) spellings.set(word.toUpperCase(), word);
      if (word.length > 7 || /\p{Ll}/u.test(word) || shouted.has(word)) continue;
      const before = text.slice(Math.max(0, index - 15), index);
      const after = text.slice(index + word.length, index + word.length + 15);
      const inParentheses = /\(\s?$/.test(before) && /^\s?\)/.test(after);
      const inShout = /\p{Lu}{2}[\s,!.*]*$/u.test(before) || /^[\s,!.*]*\p{Lu}{2}/u.test(after);
      if (inParentheses || !inShout) spellings.set(word, word);
    }
  }
  return spellings;
}

/** Words with a capital or a digit after their first letter, which is a capital. */
const wordsToTell = /(?<![A-Za-z0-9À-ɏ])[A-ZÀ-ÖØ-Þ][a-z0-9ß-öø-ÿ]*[A-Z0-9À-ÖØ-Þ][A-Za-z0-9À-ɏ]*/g;

/**
 * The words of a name in capitals that are the initials of what another part of the name, or a text of the record,
 * spells out: PATH in "PATH - PROJECTS FOR ASSISTANCE IN TRANSITION FROM HOMELESSNESS", CIFFTA of "Culturally Informed
 * and Flexible Family-based Treatment for Adolescents". In running text only words with a capital count, so that no
 * chance makes an acronym, and four letters are the least.
 */
export function initialismsIn(name: string, sentences: () => readonly Sentence[]): string[] {
  const parts = name.split(/\s[-–—:]\s|[,()/]/).filter((part) => part.trim() !== '');
  const words = new Set(name.match(/(?<![\p{L}\p{N}.])\p{Lu}{3,8}(?![\p{L}\p{N}])/gu) ?? []);
  return [...words].filter((word) => {
    const others = parts.filter((part) => !wordsOf(part).includes(word));
    const spelled = others.some((part) => areInitials(word, wordsOf(part), 'all'));
    return spelled || (word.length > 3 && sentences().some((titled) => beginsWithin(word, titled)));
  });
}

/** The words with a capital of a sentence, and the small ones between them. */
type Sentence = readonly string[];

/** The sentences of texts, as `initialismsIn` takes them. They are looked for once, and only if they are asked for. */
export function sentencesOf(texts: readonly string[]): () => readonly Sentence[] {
  let sentences: readonly Sentence[] | undefined;
  return () => (sentences ??= texts.flatMap((text) => titleWords(text.slice(0, longestName))));
}

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}][\p{L}\p{N}'’.]*/gu) ?? [];

const titleWords = (text: string): Sentence[] =>
  text.split(/[.:;()\n]/).map((sentence) => {
    const words = sentence.match(/(?<!\p{L})(?:\p{Lu}\p{Ll}+|\p{Ll}{1,4})(?!\p{L})/gu) ?? [];
    return words.filter((word) => /^\p{Lu}/u.test(word) || small.has(word));
  });

/**
 * Whether the letters are the initials of words that begin anywhere in a sentence. A word with another initial than the
 * first letter could only be passed over, so nothing begins there: trying each cost an import a tenth of its time.
 */
const beginsWithin = (letters: string, words: readonly string[]): boolean =>
  words.length >= letters.length &&
  words.some(
    (word, from) => word[0]?.toUpperCase() === letters[0] && areInitials(letters, words.slice(from), 'first'),
  );

/** Whether the letters are the initials of all these words, or of the first of them, small ones passed over or not. */
function areInitials(letters: string, words: readonly string[], of: 'all' | 'first'): boolean {
  // How many of the letters may have been found, one way or another.
  let found = new Set([0]);
  for (const word of words) {
    if (of === 'first' && found.has(letters.length)) return true;
    const initial = word.slice(0, 1).toUpperCase();
    const further = [...found].filter((count) => letters[count] === initial).map((count) => count + 1);
    found = new Set(small.has(word.toLowerCase()) ? [...found, ...further] : further);
    if (found.size === 0) return false;
  }
  return found.has(letters.length);
}

/**
 * The initials that an organization may be known by: RCMA, of the Redlands Christian Migrant Association; FAST, of
 * Family and Schools Together.
 */
export function initialsOf(name: string): string[] {
  const [own = ''] = name.split(/\s[-–—]\s|,|\(/);
  const words = wordsOf(own);
  return [words, words.filter((word) => !small.has(word.toLowerCase()))]
    .map((these) => these.map((word) => word.slice(0, 1).toUpperCase()).join(''))
    .filter((initials) => /^\p{Lu}{3,7}$/u.test(initials));
}

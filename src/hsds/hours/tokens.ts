import { clockOf, clockPattern, midnightClock, noonClock, type WrittenClock } from './clock.ts';

/** A piece of a written statement about hours. */
export type Token =
  | { readonly kind: 'clock'; readonly clock: WrittenClock }
  | { readonly kind: 'days'; readonly days: readonly number[]; readonly daily?: true }
  /** 24 hours. */
  | { readonly kind: 'all day' }
  | { readonly kind: 'to' | 'and' | 'between' | 'next day' | 'closed' | 'lunch' | 'holidays' }
  /** A semicolon or full stop, and where it is in the line. */
  | { readonly kind: 'end'; readonly at: number }
  /** Anything else. */
  | { readonly kind: 'word' };

const week = [0, 1, 2, 3, 4, 5, 6];
const daily: Token = { kind: 'days', days: week, daily: true };

/** English and Spanish, from Monday. `mar` is Tuesday in a Spanish text alone: in English it is March. */
const dayPatterns = [
  /mon(?:day)?s?|lun(?:es)?/,
  /tue(?:s(?:days?)?)?|martes/,
  /wed(?:s|nesdays?)?|mi[eé](?:r(?:coles)?)?/,
  /thu(?:r(?:s(?:days?)?)?)?|jue(?:ves)?/,
  /fri(?:days?)?|vie(?:rnes)?/,
  /sat(?:urdays?)?|s[aá]b(?:ados?)?/,
  /sun(?:days?)?|dom(?:ingos?)?/,
];
const spanish =
  /(?<![\p{L}])(?:lun(?:es)?|mi[eé](?:r(?:coles)?)?|jue(?:ves)?|vie(?:rnes)?|s[aá]b(?:ados?)?|dom(?:ingos?)?|desde|hasta|abierto|horario)(?!\p{L})/iu;

/** `M-F`, `M, W, F`, `MWF`, `T/Th`: at least two, so that no single letter is taken for a day. */
const letters = /(?:M|Tu|Th|T|W|F|Sa|Su)(?:\s*[-–—/,&]?\s*(?:M|Tu|Th|T|W|F|Sa|Su))+(?![\p{L}\d])/uy;
const letterNames = ['M', 'T', 'W', 'Th', 'F', 'Sa', 'Su'];
/** `L-V`, `L a S`. */
const spanishLetters = /L\s*(?:[-–—]|a)\s*(?<last>[VSD])(?![\p{L}\d])/uy;
/** `Mo`, `TU`. Not before a word: `We are open`, `Su horario`. */
const twoLetters = /(?<day>M[oO]|T[uU]|W[eE]|T[hH]|F[rR]|S[aA]|S[uU])(?![\p{L}\d])(?!\s+\p{L}{2})/uy;
const twoLetterNames = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Words and what they mean, in the order in which they are tried. Null: a word that changes nothing. */
const vocabulary: readonly (readonly [RegExp, readonly Token[] | null])[] = [
  [word`24\s*\/\s*7`, [daily, { kind: 'all day' }]],
  [
    word`(?:24|twenty-?four)[\s-]*(?:hours?|hrs?|horas)(?:\s+(?:a|per|each|every|al|por)\s+(?:day|d[ií]a)|\s+daily)`,
    [{ kind: 'all day' }],
  ],
  [word`(?:24|twenty-?four)[\s-]*(?:hours?|hrs?|h|horas)`, [{ kind: 'all day' }]],
  [word`all day|todo el d[ií]a|around the clock`, [{ kind: 'all day' }]],
  [
    word`(?:7|seven) days(?: (?:a|per) week| weekly)|(?:los )?(?:7|siete) d[ií]as (?:de la|a la|por) semana`,
    [daily],
  ],
  [word`daily|(?:every|each) ?day|(?:todos los|cada) d[ií]as?|diario|diariamente`, [daily]],
  [word`weekdays?|business days|entre semana|d[ií]as h[aá]biles`, [{ kind: 'days', days: [0, 1, 2, 3, 4] }]],
  [word`week-?ends?|(?:los )?fin(?:es)? de semana`, [{ kind: 'days', days: [5, 6] }]],
  [
    word`(?:(?:the|of the) )?(?:next|following) (?:day|morning)|(?:del|al) d[ií]a siguiente`,
    [{ kind: 'next day' }],
  ],
  [word`(?:12(?::00)?\s*)?(?:noon|mediod[ií]a)`, [{ kind: 'clock', clock: noonClock }]],
  [word`(?:12(?::00)?\s*)?(?:midnight|medianoche)`, [{ kind: 'clock', clock: midnightClock }]],
  [
    word`(?:except|excluding|excepto|salvo)(?: on| for)?(?: all)? (?:(?:major|public|federal|national|legal|bank) )*(?:holidays|d[ií]as (?:festivos|feriados)|festivos|feriados)`,
    null,
  ],
  [
    word`(?:on )?(?:all )?(?:(?:major|public|federal|national|legal|bank) )*holidays|(?:los )?(?:d[ií]as )?(?:festivos|feriados)`,
    [{ kind: 'holidays' }],
  ],
  [
    word`(?:the )?(?:services? )?(?:(?:is|are) )?(?:closed|not open|not available)|cerrad[oa]s?`,
    [{ kind: 'closed' }],
  ],
  [
    word`(?:for|during) lunch|lunch(?: ?(?:time|break|hour))?|(?:por|para)(?: el)? almuerzo|almuerzo`,
    [{ kind: 'lunch' }],
  ],
  [word`between|entre`, [{ kind: 'between' }]],
  [word`to|thru|through|until|till?|hasta|a|al`, [{ kind: 'to' }]],
  [word`and|y`, [{ kind: 'and' }]],
  [
    word`hours of operation|(?:opening|business|regular|normal) hours|horarios?(?: de (?:atenci[oó]n|servicio|apertura))?`,
    null,
  ],
  [word`(?:the )?services? (?:is|are) available|available`, null],
  [word`(?:we |we['’]re |we are |is |are )?open(?:ed)?|abiert[oa]s?|abre|hours?|hrs|horas`, null],
  [
    word`(?:walk-?ins? (?:are )?welcome|no appointments? (?:is |are )?(?:necessary|needed|required)|sin cita(?: previa)?)`,
    null,
  ],
  [
    word`from|on|at|each|every(?! ?other)|only|de|desde|del|los|las|la|el|cada|the|de la (?:ma[nñ]ana|tarde|noche)`,
    null,
  ],
];

/** A word or phrase, whatever its case, where it stands on its own. */
function word({ raw: [pattern = ''] }: TemplateStringsArray): RegExp {
  return new RegExp(`(?<![\\p{L}\\d])(?:${pattern})(?![\\p{L}\\d])\\.?`, 'iuy');
}

const englishDays = dayPatterns.map(({ source }) => new RegExp(`(?:${source})(?!\\p{L})\\.?`, 'iuy'));
const spanishDays = englishDays.with(1, new RegExp(`(?:${dayPatterns[1]?.source}|mar)(?!\\p{L})\\.?`, 'iuy'));

/** A line as `tokensOf` reads it: `9 a. m.` is `9 am`. */
export const plainLine = (line: string): string =>
  line
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/(?<=\d ?)([ap]) ?\. ?m\b\.?/gi, '$1m');

/** Makes the pieces of one line. `whole` is the text that the line is from; it tells the language. */
export function tokensOf(line: string, whole: string): Token[] {
  const text = plainLine(line);
  const days = spanish.test(whole) ? spanishDays : englishDays;
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const [found, end] = tokenAt(text, at, days);
    tokens.push(...found);
    at = end;
  }
  return tokens;
}

function tokenAt(text: string, at: number, days: readonly RegExp[]): readonly [readonly Token[], number] {
  const matches = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(text);
  };
  const space = matches(/\s+/y);
  if (space) return [[], at + space[0].length];

  for (const [pattern, meaning] of vocabulary) {
    const match = matches(pattern);
    if (match) return [meaning ?? [], at + match[0].length];
  }
  for (const [day, pattern] of days.entries()) {
    const match = matches(pattern);
    if (match) return [[{ kind: 'days', days: [day] }], at + match[0].length];
  }
  const initials = matches(letters);
  if (initials) return [initialsOf(initials[0]), at + initials[0].length];
  const spanishInitials = matches(spanishLetters);
  if (spanishInitials) {
    const last = 'VSD'.indexOf(spanishInitials.groups?.['last'] ?? '') + 5;
    return [[{ kind: 'days', days: week.slice(0, last) }], at + spanishInitials[0].length];
  }
  const two = matches(twoLetters);
  if (two) return [[{ kind: 'days', days: [twoLetterNames.indexOf(two[0].toUpperCase())] }], at + 2];

  const clock = matches(clockPattern);
  const time = clockOf(clock);
  if (clock && time) return [[{ kind: 'clock', clock: time }], at + clock[0].length];

  const sign = text[at] ?? '';
  if (/[-–—‐−~]/.test(sign)) return [[{ kind: 'to' }], at + 1];
  if (/[,/&+():|•·*]/.test(sign)) return [[{ kind: 'and' }], at + 1];
  if (/[;.]/.test(sign)) return [[{ kind: 'end', at }], at + 1];
  const other = matches(/[\p{L}\d]+(?:[.:'’-][\p{L}\d]+)*|./suy);
  return [[{ kind: 'word' }], at + (other?.[0].length ?? 1)];
}

function initialsOf(written: string): Token[] {
  return [...written.matchAll(/Tu|Th|Sa|Su|[MTWF]|[-–—/,&]/g)].map(([piece]): Token => {
    if (/[-–—]/.test(piece)) return { kind: 'to' };
    if (/[/,&]/.test(piece)) return { kind: 'and' };
    return { kind: 'days', days: [letterNames.indexOf(piece === 'Tu' ? 'T' : piece)] };
  });
}

/** How parts of a text are told apart in HTML, and what is written for them in a text without markup. */
const breaks = 'br|p|div|tr|table|tbody|thead|h[1-6]|ul|ol|dl|dt|blockquote|hr';
const inline =
  'a|abbr|acronym|b|big|center|cite|dd|em|font|i|img|label|o:p|pre|s|small|span|strong|sub|sup|td|th|tt|u';
const anyTag = new RegExp(`</?(?:${breaks}|li|${inline})(?:\\s[^<>]*)?/?>`, 'i');
const breakTag = new RegExp(`</?(?:${breaks})(?:\\s[^<>]*)?/?>`, 'gi');
const inlineTag = new RegExp(`</?(?:li|${inline})(?:\\s[^<>]*)?/?>`, 'gi');
/** A tag in which a source cut its text. */
const cutTag = /<\/?[a-z]{0,10}(?:\s[^<>]{0,60})?$/i;
const link = /<a\s([^<>]*)>([^<>]*)<\/a>/gi;
const target = /(?:^|\s)href\s{0,3}=\s{0,3}(?:"([^"]*)"|'([^']*)'|([^\s"']+))/i;
const item = /<li(?:\s[^<>]*)?>/gi;

/** Character references that people and their editors write. Others stay as they are. */
const named: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', hellip: '…' },
  ...{
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bull: '•',
    middot: '·',
    copy: '©',
    reg: '®',
    trade: '™',
  },
  ...{ aacute: 'á', eacute: 'é', iacute: 'í', oacute: 'ó', uacute: 'ú', ntilde: 'ñ', uuml: 'ü', ccedil: 'ç' },
  ...{
    Aacute: 'Á',
    Eacute: 'É',
    Iacute: 'Í',
    Oacute: 'Ó',
    Uacute: 'Ú',
    Ntilde: 'Ñ',
    agrave: 'à',
    egrave: 'è',
  },
  ...{ ecirc: 'ê', ograve: 'ò', ocirc: 'ô', iquest: '¿', iexcl: '¡', deg: '°', frac12: '½', frac14: '¼' },
};
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi;

/**
 * A text of a source without its HTML: paragraphs and line breaks become line breaks, items of a list lines that begin
 * with a dash, links their words and their address; other tags of HTML go. Character references are read once. What
 * only looks like a tag ("<18 years") stays. HSDS allows HTML in descriptions, and people must not read it.
 */
export function withoutMarkup(text: string): string {
  const untagged = anyTag.test(text)
    ? text
        .replace(link, (_, attributes: string, words: string) => linked(words, attributes))
        .replace(item, '\n- ')
        .replace(breakTag, '\n')
        .replace(inlineTag, '')
        .replace(cutTag, '')
        .split('\n')
        .map((line) => line.trim())
        .join('\n')
        .replace(/\n{2,}(?=- )/g, '\n')
    : text;
  return untagged.replace(reference, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
    const isCharacter = code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
    return isCharacter ? String.fromCodePoint(code) : whole;
  });
}

function linked(words: string, attributes: string): string {
  const [, one, two, three] = target.exec(attributes) ?? [];
  const address = one ?? two ?? three ?? '';
  const shown = words.trim();
  const leadsTo = address.replace(/^mailto:|^tel:/i, '').trim();
  const same = (text: string): string => text.replace(/^https?:\/\/|\/$/gi, '').toLowerCase();
  if (!/^(https?:|mailto:|tel:|www\.)/i.test(address) || same(shown) === same(leadsTo)) return words;
  return shown === '' ? leadsTo : `${shown} (${leadsTo})`;
}

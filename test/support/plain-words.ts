/** What no page or email may show to people: the places of rules, and a second spelling of email. */
const forbidden = /\b(?:RFC|interface|section|appendix)\s+\d[\d.]*|§|\be-mail/i;

/** The first thing in a text that is not for people, with what stands around it; undefined when there is none. */
export function notForPeople(text: string): string | undefined {
  const found = forbidden.exec(text);
  return found ? text.slice(Math.max(0, found.index - 40), found.index + 40) : undefined;
}

/** The parts of a page that say what is wrong. */
const wrongs = [
  /<p class="error"[^>]*>([\s\S]*?)<\/p>/g,
  /<div class="notice wrong"[^>]*>([\s\S]*?)<\/div>/g,
  /<h1>This cannot be done<\/h1>([\s\S]*?)<\/main>/g,
];

/** Times of machines, and that there are parameters. */
const ofMachines = /\d{4}-\d\d-\d\dT\d\d:|\bparameter\b/;
/** The name of a field, a value or a class. What somebody has typed may look the same. */
const nameOfMachines = /\b(?!site_|lnk_|api_)[a-z]{2,}_[a-z_]{2,}\b|\b[a-z]+[A-Z][a-z]+\b/;

/** @throws where what a page says is wrong is not said in words for people. `strict`: nor with names of machines */
export function requireErrorsInWords(html: string, where: string, strict = false): void {
  for (const part of wrongs)
    for (const [, content = ''] of html.matchAll(part)) {
      const sentence = content.replace(/<[^>]*>/g, '');
      const found = ofMachines.exec(sentence) ?? (strict ? nameOfMachines.exec(sentence) : null);
      if (found) throw new Error(`${where} tells people ${found[0]}: ${sentence.trim()}`);
    }
}

/** @throws where a text shows what is not for people */
export function requirePlainWords(text: string, where: string): void {
  const found = notForPeople(text);
  if (found !== undefined) throw new Error(`${where} shows what is not for people: …${found}…`);
}

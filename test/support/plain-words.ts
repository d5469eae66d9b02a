/** What no page or email may show to people: the places of rules, and a second spelling of email. */
const forbidden = /\b(?:RFC|interface|section|appendix)\s+\d[\d.]*|§|\be-mail/i;

/** The first thing in a text that is not for people, with what stands around it; undefined when there is none. */
export function notForPeople(text: string): string | undefined {
  const found = forbidden.exec(text);
  return found ? text.slice(Math.max(0, found.index - 40), found.index + 40) : undefined;
}

/** @throws where a text shows what is not for people */
export function requirePlainWords(text: string, where: string): void {
  const found = notForPeople(text);
  if (found !== undefined) throw new Error(`${where} shows what is not for people: …${found}…`);
}

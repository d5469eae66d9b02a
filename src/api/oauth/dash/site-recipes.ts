import { readFileSync } from 'node:fs';

/** What the guide says of one framework. */
export interface Recipe {
  /** The anchor of its heading. */
  readonly name: string;
  readonly title: string;
  /** Paragraphs before and after the code, in Markdown. */
  readonly before: readonly string[];
  readonly code: string;
  readonly after: readonly string[];
}

/** The values of a site in place of those that the guide is written with. */
export interface OwnValues {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
}

const section = /^## (.+)\n([^]*?)^```(?:js|csharp) \S+\n([^]*?)\n^```$([^]*?)(?=^## |(?![^]))/gm;

let read: readonly Recipe[] | undefined;

/** The recipes of docs/sign-in.md, whose very text the dashboard shows. */
export function recipes(): readonly Recipe[] {
  return (read ??= recipesIn(readFileSync(new URL('../../../../docs/sign-in.md', import.meta.url), 'utf8')));
}

/** The sections of a guide that have code with a name. */
export const recipesIn = (guide: string): Recipe[] =>
  // A section without code ends at the next heading.
  guide
    .split(/(?=^## )/m)
    .flatMap((each) => [...each.matchAll(section)])
    .map(([, title = '', before = '', code = '', after = '']) => ({
      name: title
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replace(/\s+/g, '-'),
      title,
      before: paragraphsOf(before),
      code,
      after: paragraphsOf(after),
    }));

const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n{2,}/)
    .map((each) => each.replace(/\s+/g, ' ').trim())
    .filter((each) => each !== '');

/** The redirect URI that the code comes back to. A framework may have a path of its own, which the guide names. */
export function redirectUriOf({ before }: Recipe, redirectUri: string): string {
  const [, path] = /redirect URI is `http:\/\/localhost:8080([^`]+)`/.exec(before.join(' ')) ?? [];
  return path === undefined ? redirectUri : partsOf(redirectUri).origin + path;
}

/** A text of the guide with the values of a site. */
export function filledRecipe(text: string, { issuer, clientId, redirectUri }: OwnValues): string {
  const { origin, path, rest } = partsOf(redirectUri);
  const port = /^http:.*:(\d+)$/.exec(origin)?.[1];
  const own: Readonly<Record<string, string>> = {
    '}/callback': `}${quotable(rest)}`,
    "'/callback'": `'${quotable(path || '/')}'`,
    'http://localhost:8080': quotable(origin),
    'http://localhost:3000': issuer,
    'site_…': clientId,
    // Elsewhere a proxy answers for the site.
    'Run("http://localhost:8080")': port === undefined ? 'Run()' : `Run("${quotable(origin)}")`,
    'listen(8080)': port === undefined ? 'listen(8080)' : `listen(${port})`,
  };
  // At once, because a value of the site may be one of those that the guide is written with.
  return text.replace(
    /Run\("http:\/\/localhost:8080"\)|\}\/callback|'\/callback'|http:\/\/localhost:(?:8080|3000)|site_…|listen\(8080\)/g,
    (each) => own[each] ?? each,
  );
}

/** Character by character as it is registered: a URL would be written otherwise. */
function partsOf(uri: string) {
  const [origin = '', path = ''] = [
    /^https?:\/\/[^/?]+/.exec(uri)?.[0],
    /^https?:\/\/[^/?]+([^?]*)/.exec(uri)?.[1],
  ];
  return { origin, path, rest: uri.slice(origin.length) };
}

/** In a text in quotes. A redirect URI has no other character that ends one. */
const quotable = (text: string): string => text.replaceAll("'", "\\'");

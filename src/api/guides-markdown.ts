import { readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import MarkdownIt, { type Token } from 'markdown-it';
import { html, Html } from './pages/html.ts';
import { docsPath, guideNames, guides, isGuide, ownPath, type GuideName } from './pages/paths.ts';
import { copyableLines } from './pages/parts/show-once.ts';

/** The folder of the guides, which the image carries. */
export const guidesFolder = new URL('../../docs/', import.meta.url);

/** A guide, made of its file. */
export interface Guide {
  readonly title: string;
  /** Its first paragraph, as text. */
  readonly lead: string;
  /** Without the title. Its examples hold placeholders, which `filledIn` replaces. */
  readonly content: Html;
  /** What it says, by heading. The first section stands before the first heading. */
  readonly sections: readonly Section[];
  /** Its examples have a place for a key that reads the directory. */
  readonly takesKey: boolean;
}

export interface Section {
  /** Where it is in the guide. Empty before the first heading. */
  readonly id: string;
  readonly heading: string;
  /** 2 for the parts of a guide, 3 for their parts. */
  readonly level: number;
  readonly text: string;
}

const made = new Map<GuideName, Guide>();

/** A guide, whose file is read once. @throws Error when it is missing */
export function guideOf(name: GuideName): Guide {
  const guide = made.get(name) ?? guideFrom(sourceOf(name));
  made.set(name, guide);
  return guide;
}

const sourceOf = (name: GuideName): string => readFileSync(new URL(`${name}.md`, guidesFolder), 'utf8');

/** All guides. Those that were not read yet are, with room for other requests between them. */
export async function allGuides(): Promise<readonly (readonly [GuideName, Guide])[]> {
  for (const name of guideNames) {
    if (!made.has(name)) await setImmediate();
    guideOf(name);
  }
  return [...made];
}

/** How examples write the address of an installation, and a key that reads the directory. */
const anAddress = 'http://localhost:3000';
const aKey = /api_(?:pk_)?…/g;

/** A guide whose examples hold the address of this installation, and a key where there is one. */
export function filledIn({ content }: Guide, address: string, key?: string): Html {
  const here = content.text.replaceAll(anAddress, html`${address}`.text);
  return new Html(key === undefined ? here : here.replace(aKey, html`${key}`.text));
}

/** HTML in a guide is shown as text, and a link that would run a script is none: markdown-it sees to both. */
const markdown = MarkdownIt();
const { rules } = markdown.renderer;
rules.fence = rules.code_block = (tokens, index) => {
  const number = tokens
    .slice(0, index + 1)
    .filter(({ type }) => type === 'fence' || type === 'code_block').length;
  return copyableLines((tokens[index]?.content ?? '').trimEnd(), `Example ${number}`).text;
};
// A page of ours that is named is led to.
rules.code_inline = (tokens, index) => {
  const content = tokens[index]?.content ?? '';
  const code = html`<code>${content}</code>`;
  const isPage = ownPath(content) !== undefined && !content.startsWith('/dash/api/');
  const isLinked = tokens[index - 1]?.type === 'link_open';
  return (!isPage || isLinked ? code : html`<a href="${content}">${code}</a>`).text;
};
rules.table_open = () => '<div class="scrolls" tabindex="0"><table>';
rules.table_close = () => '</table></div>';
rules.heading_close = (tokens, index) => {
  const id = tokens[index - 2]?.attrGet('id') ?? '';
  const text = textOf(tokens[index - 1]);
  return (
    html`<a class="anchor" href="#${id}" aria-label="Link to ${text}">#</a>`.text +
    `</${tokens[index]?.tag ?? ''}>`
  );
};

/** A line that says where a generated part of a guide begins or ends. */
const marker = /^<!--[^\n]*-->$/gm;

/** A guide made of Markdown. */
export function guideFrom(source: string): Guide {
  const [open, title, close, ...others] = markdown.parse(source.replace(marker, ''), {});
  const tokens =
    open?.tag === 'h1' ? others : [open, title, close, ...others].filter((each) => each !== undefined);
  const sections: { id: string; heading: string; level: number; text: string }[] = [
    { id: '', heading: '', level: 1, text: '' },
  ];
  const ids = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'inline') showPictures(token);
    const section = sections.at(-1);
    if (token.type === 'heading_open') {
      const heading = textOf(tokens[index + 1]);
      const id = idOf(heading, ids);
      token.attrSet('id', id);
      sections.push({ id, heading, level: Number(token.tag.slice(1)), text: '' });
    } else if (section && tokens[index - 1]?.type !== 'heading_open' && token.type !== 'html_block') {
      section.text += `${token.type === 'inline' ? textOf(token) : token.content} `;
    }
    for (const link of token.children ?? []) leadToGuide(link, token.children ?? []);
  }
  return {
    title: textOf(title),
    lead: textOf(tokens.find(({ type }) => type === 'inline')),
    content: new Html(markdown.renderer.render(tokens, markdown.options, {})),
    sections,
    takesKey: tokens.some(({ type, content }) => type === 'fence' && content.search(aKey) !== -1),
  };
}

/** The words of a paragraph or heading, without their marks. */
const textOf = (token: Token | undefined): string =>
  (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

/** The id of a heading, as GitHub makes it: a second heading with the same words gets a number. */
function idOf(heading: string, ids: Map<string, number>): string {
  const id = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
  const times = ids.get(id) ?? 0;
  ids.set(id, times + 1);
  return times === 0 ? id : `${id}-${times}`;
}

/** Links lead to the pages of guides. What else a repository has is not here, and is named only. */
function leadToGuide(link: Token, siblings: readonly Token[]): void {
  if (link.type !== 'link_open') return;
  const href = String(link.attrGet('href') ?? '');
  const [, name = '', place = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (isGuide(name)) link.attrSet('href', guides[name] + place);
  const words = siblings[siblings.indexOf(link) + 1];
  if (isGuide(name) && words?.content === `${name}.md`) words.content = titleOf(name);
  if (isGuide(name) || /^(https?:|mailto:|#)/.test(href)) return;
  const end = siblings.slice(siblings.indexOf(link)).find(({ type }) => type === 'link_close');
  for (const each of [link, end]) if (each) each.type = 'text';
}

/** What a guide is called, where a text calls it by its file. */
const titleOf = (name: GuideName): string => /^# (.*)$/m.exec(sourceOf(name))?.[1] ?? name;

/** Pictures with their widths, which Markdown has no words for: the one HTML that guides hold. */
const pictures =
  /^<p align="center">(?:<img src="images\/[\w-]+\.(?:png|svg)" width="\d+" alt="[^"<>&]*">\s*)+<\/p>$/;
const picture = /src="images\/([^"]+)" width="(\d+)" alt="([^"]+)"/g;

function showPictures(token: Token): void {
  if (!pictures.test(token.content)) return;
  const all = [...token.content.matchAll(picture)].map(
    ([, file = '', width = '', alt = '']) =>
      html`<img src="${docsPath}/images/${file}" width="${width}" alt="${alt}" loading="lazy" />`,
  );
  Object.assign(token, { type: 'html_block', content: html`${all}`.text });
}

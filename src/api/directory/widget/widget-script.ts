import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { queryOf } from '../../http/query-string.ts';
import { languages, type Language } from '../../pages/frame/language.ts';
import { widgetTextsIn } from './widget-texts.ts';

/**
 * The parts of the widget, each before those that use it. They are modules, so that each can be read and tested alone;
 * browsers load them as one classic script, because only such a script can see the attributes of its own tag.
 */
const parts = [
  'shared',
  'texts',
  'options',
  'elements',
  'style',
  'links',
  'requests',
  'result',
  'directory',
  'start',
];

/** The part that only a widget with colours of its own needs. It would be a tenth of the script of all others. */
const coloursPart = 'colours';

/** A text in quotes. */
const quoted = /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)/;

/** Where the current script is, for snippets. */
export const widgetPath = '/resources-widget.js';

/** A script in one language: it carries the texts of no other. */
export interface WidgetScript {
  readonly language: Language;
  readonly colours: boolean;
  readonly body: string;
  /** The address of exactly this script. It changes with the content. */
  readonly versionedPath: string;
  /** For the attribute `integrity` (W3C Subresource Integrity). */
  readonly integrity: string;
}

const partOf = (part: string): string =>
  readFileSync(new URL(`./script-${part}.js`, import.meta.url), 'utf8');
const code = parts.map(partOf);

/** The scripts as they are sent, that in English first, those with colours last. */
export const widgetScripts: readonly WidgetScript[] = [false, true].flatMap((colours) =>
  languages.map((language) => {
    const body = joined([
      `const widgetTexts = ${widgetTextsIn(language)};`,
      `const widgetLanguage = '${language}';`,
      `const widgetLanguages = '${languages.join(' ')}'.split(' ');`,
      colours ? partOf(coloursPart) : 'const tint = undefined;',
      ...code,
    ]);
    return {
      language,
      colours,
      body,
      versionedPath: `/resources-widget-${hash('sha256', body, 'base64url').slice(0, 12)}.js`,
      integrity: `sha384-${hash('sha384', body, 'base64')}`,
    };
  }),
);

/** The script in this language: in English where there is none. */
export const widgetScriptIn = (language: Language, colours = false): WidgetScript => {
  const all = widgetScripts.filter((each) => each.colours === colours);
  return all.find((each) => each.language === language) ?? (all[0] as WidgetScript);
};

/** The script that an address asks for. */
export function widgetScriptAt(url: string): WidgetScript {
  const query = new URLSearchParams(queryOf(url));
  return widgetScriptIn(query.get('lang') ?? '', query.has('colours'));
}

/** Where the script in a language is, for snippets. Without a language it follows the page. */
export function widgetAddress(language: Language | undefined, colours = false): string {
  const query = [language === undefined ? '' : `lang=${language}`, colours ? 'colours' : ''];
  const written = query.filter((each) => each !== '').join('&');
  return written === '' ? widgetPath : `${widgetPath}?${written}`;
}

/**
 * One script of several modules: without imports and exports, and without comments, indentation and spaces around signs,
 * which would be a third of it compressed. A part imports names as they are, never by another name.
 */
function joined(modules: readonly string[]): string {
  const code = modules
    .join('\n')
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export /gm, '')
    .replace(/^\s*\/\*[\s\S]*?\*\/\n/gm, '')
    .replace(/^\s*\/\/.*\n/gm, '')
    .replace(/^\s+/gm, '')
    .split(quoted)
    .map((text, at) => (at % 2 === 0 ? withoutSpaces(text) : text.startsWith('`\n') ? styleOf(text) : text))
    .join('');
  return `(() => {\n'use strict';\n${code}})();\n`;
}

/** Code without the spaces and line breaks that mean nothing: every statement ends with a semicolon. */
function withoutSpaces(code: string): string {
  return code
    .replace(/ (=>|[=!]==|\?\??|:|&&|\|\||[<>]=?|=|[*+]) /g, '$1')
    .replace(/[,;]\n(?=[}\])])/g, '')
    .replace(/([;{,(])\s+/g, '$1')
    .replace(/\s+(?=[})\].?:&|{])/g, '')
    .replace(/\b(if|for|while|switch|catch) \(/g, '$1(')
    .replace(/([:=?]) $/, '$1');
}

/** The style sheet, a text in backquotes. */
function styleOf(text: string): string {
  return text
    .replace(/\s*\n\s*/g, '')
    .replace(/([{:;,]) /g, '$1')
    .replace(/ \{/g, '{')
    .replace(/;\}/g, '}');
}

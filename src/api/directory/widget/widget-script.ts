import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
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

/** A text in quotes, or a sign with spaces around or after it that may go. */
const quotedOrSign =
  /('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)| (=>|===|!==|\?\??|:|&&|\|\||[<>]=?|=) |([,{;]) | (?=[{}])/g;

/** Where the current script is, for snippets. */
export const widgetPath = '/resources-widget.js';

/** A script in one language: it carries the texts of no other. */
export interface WidgetScript {
  readonly language: Language;
  readonly body: string;
  /** The address of exactly this script. It changes with the content. */
  readonly versionedPath: string;
  /** For the attribute `integrity` (W3C Subresource Integrity). */
  readonly integrity: string;
}

const code = parts.map((part) => readFileSync(new URL(`./script-${part}.js`, import.meta.url), 'utf8'));

/** The scripts as they are sent, that in English first. */
export const widgetScripts: readonly WidgetScript[] = languages.map((language) => {
  const body = joined([
    `const widgetTexts = ${widgetTextsIn(language)};`,
    `const widgetLanguage = '${language}';`,
    `const widgetLanguages = '${languages.join(' ')}'.split(' ');`,
    ...code,
  ]);
  return {
    language,
    body,
    versionedPath: `/resources-widget-${hash('sha256', body, 'base64url').slice(0, 12)}.js`,
    integrity: `sha384-${hash('sha384', body, 'base64')}`,
  };
});

/** The script in this language: in English where there is none. */
export const widgetScriptIn = (language: Language): WidgetScript =>
  widgetScripts.find((each) => each.language === language) ?? (widgetScripts[0] as WidgetScript);

/** Where the script in a language is, for snippets. Without a language it follows the page. */
export const widgetAddress = (language: Language | undefined): string =>
  language === undefined ? widgetPath : `${widgetPath}?lang=${language}`;

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
    .replace(
      quotedOrSign,
      (_, quoted?: string, sign?: string, mark?: string) => quoted ?? sign ?? mark ?? '',
    );
  return `(() => {\n'use strict';\n${code}})();\n`;
}

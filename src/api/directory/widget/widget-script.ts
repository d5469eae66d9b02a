import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { widgetTexts } from './widget-texts.ts';

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

/** The script as it is sent. */
export const widgetScript: string = joined([
  `const widgetTexts = ${widgetTexts};`,
  ...parts.map((part) => readFileSync(new URL(`./script-${part}.js`, import.meta.url), 'utf8')),
]);

/** The address of exactly this script. It changes with the content. */
export const versionedWidgetPath = `/resources-widget-${hash('sha256', widgetScript, 'base64url').slice(0, 12)}.js`;

/** For the attribute `integrity` (W3C Subresource Integrity). */
export const widgetIntegrity = `sha384-${hash('sha384', widgetScript, 'base64')}`;

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

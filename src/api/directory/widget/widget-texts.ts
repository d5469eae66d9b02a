import type { WrittenTexts } from '../../../tables/spoken-texts.ts';
import type { Language } from '../../pages/frame/language.ts';
import { textsIn, writtenTextsIn } from '../../pages/frame/texts.ts';

/**
 * What the widget says in a language, with the words of the pages for categories and opening hours: as JavaScript, which is
 * smaller than the code that would fill the texts in the browser.
 */
export const widgetTextsIn = (language: Language): string => groupCode(textsOf(language), language);

function textsOf(language: Language): WrittenTexts {
  const {
    widget = {},
    opening,
    find = {},
  } = writtenTextsIn(language) as Readonly<Record<string, WrittenTexts>>;
  // The link without JavaScript stands in the page.
  const { help: _, ...ofScript } = widget;
  return {
    ...ofScript,
    ...pick(find, ['near', 'unknownPlace', 'everywhere']),
    categories: Object.fromEntries(
      Object.entries(textsIn(language).categories).map(([slug, { label }]) => [slug, label]),
    ),
    // Of what is unknown the widget says nothing.
    opening: { ...opening, unknown: '' },
  };
}

const pick = (texts: WrittenTexts, names: readonly string[]): WrittenTexts =>
  Object.fromEntries(Object.entries(texts).filter(([name]) => names.includes(name)));

function groupCode(texts: WrittenTexts, language: Language): string {
  const members = Object.entries(texts).map(([key, text]) => `${key}:${codeOf(text, language)}`);
  return `{${members.join(',')}}`;
}

/** A text that names values in braces is a function of these, `v`. */
function codeOf(text: WrittenTexts[string], language: Language): string {
  if (typeof text === 'string') return `${text.includes('{') ? '(v) => ' : ''}${filledCode(text)}`;
  const { one, other, ...further } = text as Readonly<Record<string, string>>;
  if (one === undefined || other === undefined) return groupCode(text, language);
  const forms = Object.entries({ one, ...further }).map(
    ([form, each]) => `f === '${form}' ? ${filledCode(each)} : `,
  );
  const rules = `new Intl.PluralRules('${language}')`;
  return `(v, f = ${rules}.select(v.count)) => ${forms.join('')}${filledCode(other)}`;
}

/** `Call {number}` as a template: `Call ${v.number}`. */
function filledCode(text: string): string {
  const escaped = text.replace(/[\\`$]/g, '\\$&');
  const template = escaped.replace(
    /\{(\w+)(:lowercase)?\}/g,
    (_, name: string, lowercase: string | undefined) =>
      lowercase === undefined ? `\${v.${name}}` : `\${String(v.${name}).toLowerCase()}`,
  );
  return `\`${template}\``;
}

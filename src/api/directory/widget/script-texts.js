// What the widget says, in the language of this script: made of src/tables/languages when the service starts.
/* global widgetTexts, widgetLanguage, widgetLanguages */

export const texts = widgetTexts;
export const language = widgetLanguage;

/** The language of the container, or else of the page, where there is a script in it and it is not that of this one. */
export function otherLanguageOf(target) {
  const marked = target.closest('[lang]');
  const [wanted] = (marked ? marked.lang : '').toLowerCase().split(/\W/);
  return wanted !== language && widgetLanguages.includes(wanted) ? wanted : undefined;
}

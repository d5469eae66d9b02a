// What the widget says, in each of its languages: made of src/tables/texts when the service starts.
/* global widgetTexts */

export const allTexts = widgetTexts;

/** The language of the container, or else of the page. English where the widget does not speak it. */
export function languageOf(target) {
  const marked = target.closest('[lang]');
  const [language] = (marked ? marked.lang : '').toLowerCase().split(/\W/);
  return Object.keys(allTexts).includes(language) ? language : 'en';
}

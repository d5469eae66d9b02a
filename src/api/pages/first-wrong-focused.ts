import { Html } from './html.ts';

/** A control, or the group that it belongs to. Values are escaped, so no attribute holds an angle bracket. */
const tag = /<(input|select|textarea|fieldset)\b[^>]*>/g;
const isWrong = 'aria-invalid="true"';

/**
 * Fields of which the first that is marked as wrong has the focus when the page is shown, and no other. Of a group, it is
 * the first choice. Fields without errors stay as they are.
 */
export function firstWrongFocused(fields: Html): Html {
  if (!fields.text.includes(isWrong)) return fields;
  let state: 'looking' | 'in a group' | 'found' = 'looking';
  return new Html(
    fields.text.replace(tag, (found, kind: string) => {
      const control = found.replace(/\sautofocus\b/, '');
      if (state === 'found' || (state === 'looking' && !found.includes(isWrong))) return control;
      state = kind === 'fieldset' ? 'in a group' : 'found';
      return state === 'found' ? control.replace(/\s*\/?>$/, (end) => ` autofocus${end}`) : control;
    }),
  );
}

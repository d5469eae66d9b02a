import { Html } from '../html.ts';

const attribute = ' autofocus';

/** The attribute of a control that has the focus when the page is shown, unless a value in its form is wrong. */
export const focusable = ({
  focused = false,
  isWrong,
}: {
  readonly focused?: boolean | undefined;
  readonly isWrong: boolean;
}): Html => {
  const text = focused ? attribute : '';
  return new Html(text, [{ at: 0, length: text.length, isWrong }]);
};

/**
 * Fields of which the first with a wrong value has the focus when the page is shown, and no other. Of a group, it is the
 * first choice. Fields without errors stay as they are.
 */
export function firstWrongFocused(fields: Html): Html {
  const wrong = fields.focus.find(({ isWrong }) => isWrong);
  if (!wrong) return fields;
  let text = '';
  let from = 0;
  for (const place of fields.focus) {
    text += fields.text.slice(from, place.at);
    if (place === wrong) text += attribute;
    from = place.at + place.length;
  }
  return new Html(text + fields.text.slice(from));
}

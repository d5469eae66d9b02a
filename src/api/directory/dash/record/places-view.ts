import { button, checkbox, field, hidden, when, type Problems } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { en } from '../texts.ts';
import {
  emptyPlace,
  placeEntry,
  type PlaceDraft,
  type PlaceMember,
  type PlacesDraft,
} from './places-draft.ts';

const texts = en.form.places;

/** The places of a record, each with its address, its pin and its phones. */
export function placesFields(draft: PlacesDraft, problems: Problems): Html {
  const places = draft.length === 0 ? [emptyPlace] : draft;
  return html`${places.map((place, n) => placeFields(place, n, places.length, problems))}
    <div class="choices">${button(texts.add, { weight: 'secondary', name: 'do', value: 'add-place' })}</div>`;
}

function placeFields(place: PlaceDraft, n: number, count: number, problems: Problems): Html {
  const entry = (member: PlaceMember, maxlength: number, type: 'text' | 'lines' | 'prose' = 'text') => {
    const name = placeEntry(n, member);
    const hint = texts.hints[member as keyof typeof texts.hints] as string | undefined;
    return field({
      name,
      label: texts.labels[member],
      type,
      value: place[member],
      error: problems[name],
      optional: true,
      ...(hint === undefined ? {} : { hint }),
      ...(type === 'lines' ? {} : { maxlength }),
    });
  };
  const box = (member: 'pin' | 'virtual' | 'confidential') =>
    checkbox({
      name: placeEntry(n, member),
      label: texts.labels[member],
      ticked: place[member] === 'yes',
    });
  const of = texts.place(n + 1);
  return html`<fieldset class="field place-fields">
    ${when(count > 1, html`<legend>${of}</legend>`)} ${hidden(placeEntry(n, 'at'), place.at)}
    ${when(count > 1 || place.place_name !== '', entry('place_name', 300))} ${entry('street', 500)}
    ${entry('city', 120)} ${entry('region', 120)} ${entry('postal_code', 20)} ${entry('country', 2)}
    <div class="side-by-side">${entry('latitude', 24)} ${entry('longitude', 24)}</div>
    ${when(place.at !== '' && place.latitude !== '', box('pin'))} ${entry('place_phones', 0, 'lines')}
    ${entry('accessibility', 2_000, 'prose')} ${box('virtual')} ${box('confidential')}
    <div class="choices">
      ${button(texts.remove, { weight: 'quiet', name: 'do', value: `remove-place-${n}`, of })}
    </div>
  </fieldset>`;
}

// One resource in the list of results.

import { make } from './script-elements.js';
import { addressOf, directionsOf, phoneOf, webAddress } from './script-links.js';
import { openingLine } from './script-shared.js';

const shownLetters = 200;

/**
 * The list item of a record, and `refresh`, which marks anew whether it is open now. `newTab`: the id of the element that
 * says that a link opens in a new tab.
 */
export function resultOf(record, { base, texts, newTab }) {
  const { name, category, url, free, alert, hours, organization } = record;
  const phone = phoneOf(record);
  const link = (href, attributes, text) =>
    make(
      'a',
      { href, target: '_blank', rel: 'noopener noreferrer', 'aria-describedby': newTab, ...attributes },
      text,
    );
  const line = (className, text) => (text ? make('p', { class: className, dir: 'auto' }, text) : undefined);

  const page = `${base}/r/${encodeURIComponent(record.svc_id)}`;
  const opening = make('span');
  const refresh = () => markOpening(opening, record, texts);
  refresh();
  const isUnknown = opening.className === 'unknown';
  const directions = directionsOf(record);
  const website = webAddress(url);
  const item = make(
    'li',
    {},
    make('p', { class: 'name', dir: 'auto' }, link(page, {}, name)),
    make(
      'p',
      { class: 'marks' },
      organization && organization.name !== name
        ? make('span', { dir: 'auto' }, organization.name)
        : undefined,
      make('span', {}, texts.categories[category] || category),
      free ? make('span', {}, texts.free) : undefined,
      opening,
    ),
    line('alert', alert),
    line('', shortened(record.description || '')),
    line('quiet', [addressOf(record), record.distance_in_words].filter(Boolean).join(' · ')),
    line('quiet', isUnknown && shortened(record.hours_in_words || hours || '')),
    line('quiet', record.confirmed_in_words),
    make(
      'p',
      { class: 'links' },
      phone &&
        (phone.href
          ? make(
              'a',
              { class: 'button', href: phone.href, 'aria-label': texts.call({ number: phone.text, name }) },
              phone.text,
            )
          : phone.text),
      directions &&
        link(directions, { class: 'button', 'aria-label': texts.directionsTo({ name }) }, texts.directions),
      website && link(website, { class: 'button', 'aria-label': texts.websiteOf({ name }) }, texts.website),
    ),
  );
  return { item, refresh };
}

/** At most 200 letters, cut between two words. */
function shortened(text) {
  const plain = text.replace(/\s+/g, ' ').trim();
  if (plain.length <= shownLetters) return plain;
  return `${plain.slice(0, shownLetters).replace(/[\s.,;:]+\S*$/, '')}…`;
}

function markOpening(element, record, texts) {
  const { state, text } = openingOf(record, new Date(), texts.opening);
  element.className = state;
  if (element.textContent !== text) element.textContent = text;
}

/** Whether it is open, in words. Nothing where this browser does not know the time zone. */
export function openingOf(record, now, texts) {
  try {
    return openingLine({ ...record, time_zone: record.time_zone ?? record.hours_time_zone }, now, texts);
  } catch {
    return { state: 'unknown', text: '' };
  }
}

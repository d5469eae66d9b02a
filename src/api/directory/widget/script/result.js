// One resource in the list of results.

import { make } from './elements.js';
import { addressOf, directionsOf, phoneOf, webAddress } from './links.js';
import { clockAt, statusAt } from './opening-status.js';

const shownLetters = 200;

/**
 * The list item of a record, and `refresh`, which marks anew whether it is open now. `newTab`: the id of the element that
 * says that a link opens in a new tab.
 */
export function resultOf(record, { base, texts, newTab }) {
  const { name, category, url, free, alert, hours, opening_hours: structured } = record;
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
  const directions = directionsOf(record);
  const website = webAddress(url);
  const item = make(
    'li',
    {},
    make('p', { class: 'name', dir: 'auto' }, link(page, {}, name)),
    make(
      'p',
      { class: 'marks' },
      make('span', {}, texts.categories[category] || category),
      free ? make('span', {}, texts.free) : undefined,
      opening,
    ),
    line('alert', alert),
    line('', shortened(record.description || '')),
    line('quiet', addressOf(record)),
    structured ? undefined : line('quiet', shortened(hours || '')),
    make(
      'p',
      { class: 'links' },
      phone &&
        (phone.href
          ? make(
              'a',
              { class: 'button', href: phone.href, 'aria-label': texts.call(phone.text, name) },
              phone.text,
            )
          : phone.text),
      directions &&
        link(directions, { class: 'button', 'aria-label': texts.directionsTo(name) }, texts.directions),
      website && link(website, { class: 'button', 'aria-label': texts.websiteOf(name) }, texts.website),
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
  const now = new Date();
  const status = statusAt(record, now);
  const words = openingText(record, status, now, texts.opening);
  element.className = status.state;
  if (element.textContent !== words) element.textContent = words;
}

/** What a status is in words. Times are on the clock of the place. Of an unknown one there is nothing to say. */
export function openingText({ availability, time_zone: zone }, { state, until, opens }, now, texts) {
  if (state === 'unknown') return '';
  if (availability === 'temporarily_closed') return texts.temporarilyClosed;
  if (availability === 'defunct') return texts.defunct;
  const time = until || opens;
  if (!time) return texts[state];
  const { daysAhead, weekday, minutes } = clockAt(time, now, zone);
  // The night belongs to the day on which it begins.
  const isToday = daysAhead === 0 || (until && daysAhead === 1 && minutes < 12 * 60);
  if (until) return isToday ? texts.openUntil(minutes) : texts.openUntilDay(minutes, weekday);
  if (isToday) return texts.opensToday(minutes);
  return daysAhead === 1 ? texts.opensTomorrow(minutes) : texts.opensOn(minutes, weekday);
}

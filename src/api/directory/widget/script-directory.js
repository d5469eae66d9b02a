// The directory inside a container: search, results, pages.
/* global AbortController, clearTimeout, setTimeout, setInterval, clearInterval */

import { tint } from './script-colours.js';
import { make, show } from './script-elements.js';
import { longestNear } from './script-options.js';
import { request } from './script-requests.js';
import { resultOf } from './script-result.js';
import { addStyle } from './script-style.js';
import { language, texts } from './script-texts.js';

/** What the host element is called. */
export const hostName = 'resources-widget';

/** How long nobody types before a search begins. */
const pause = 250;
/** After how long people are told that something is loading. */
const unnoticed = 400;

/**
 * Fills a container. `run` begins, or goes on after `rest`, which ends what goes on: a page may take its container away and
 * bring it back.
 */
export function showDirectory(target, options, complain) {
  const state = { text: '', near: options.near, category: options.category, offset: 0 };

  const input = make('input', {
    type: 'search',
    autocomplete: 'off',
    maxlength: 200,
    enterkeyhint: 'search',
  });
  const place = make('input', {
    autocomplete: 'off',
    maxlength: longestNear,
    enterkeyhint: 'search',
    placeholder: texts.nearHint,
  });
  place.value = options.near;
  const select = make(
    'select',
    {},
    make('option', { value: '' }, texts.all),
    ...Object.entries(texts.categories).map(([value, name]) => make('option', { value }, name)),
  );
  const form = make(
    'form',
    {},
    make('label', {}, texts.search, input),
    make('label', {}, texts.near, place),
    options.category ? undefined : make('label', {}, texts.category, select),
    // Of a form with several fields, Enter presses the button.
    make('button', { hidden: '' }),
  );
  const status = make('p', { class: 'status', role: 'status', tabindex: -1 });
  const retry = make('button', { type: 'button' }, texts.retry);
  const directory = make(
    'a',
    {
      class: 'button',
      href: `${options.base}/`,
      target: '_blank',
      rel: 'noopener noreferrer',
      'aria-describedby': 'new-tab',
    },
    texts.directory,
  );
  const actions = make('p', { class: 'actions' }, retry, directory);
  // Busy from the beginning: see `run`.
  const list = make('ul', { role: 'list', 'aria-busy': 'true' });
  const previous = make('button', { type: 'button' }, texts.previous);
  const next = make('button', { type: 'button' }, texts.next);
  const range = make('span');
  const pages = make(
    'div',
    { class: 'pages', role: 'group', 'aria-label': texts.pages },
    previous,
    range,
    next,
  );
  const newTab = make('span', { id: 'new-tab', hidden: '' }, texts.newTab);
  const section = make('section', { class: options.theme }, form, status, actions, list, pages, newTab);

  const host = make(hostName, { lang: language, role: 'region', 'aria-label': labelOf() });
  const root = host.attachShadow({ mode: 'open' });
  addStyle(root);
  root.append(section);
  show(actions, false);
  show(pages, false);
  target.replaceChildren(host);
  // Only the script for colours has it.
  if (tint && options.colours) tint(section, options.colours, complain);

  let results = [];
  let running = new AbortController();
  let typing;
  let clock;

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    search();
  });
  input.addEventListener('input', () => {
    clearTimeout(typing);
    typing = setTimeout(search, pause);
  });
  place.addEventListener('change', search);
  select.addEventListener('change', search);
  // Keys that a page takes for commands: it cannot see that somebody writes here.
  for (const type of ['keydown', 'keypress', 'keyup']) {
    form.addEventListener(type, (event) => {
      if (event.key && event.key.length === 1) event.stopPropagation();
    });
  }
  previous.addEventListener('click', () => turnTo(state.offset - options.limit));
  next.addEventListener('click', () => turnTo(state.offset + options.limit));
  retry.addEventListener('click', () => load({ moveFocus: true }));

  const rest = () => {
    clock = clearInterval(clock);
    clearTimeout(typing);
    running.abort();
  };
  const run = () => {
    if (clock) return;
    clock = setInterval(() => {
      for (const { refresh } of results) refresh();
    }, 60_000);
    // What was under way was ended.
    if (list.hasAttribute('aria-busy')) load();
  };
  run();
  return { host, run, rest };

  /** Landmarks of one page need different names. */
  function labelOf() {
    const base = texts.categories[options.category] || texts.title;
    const same = [...target.ownerDocument.querySelectorAll(hostName)].filter((other) =>
      (other.getAttribute('aria-label') || '').startsWith(base),
    );
    return same.length === 0 ? base : `${base} (${same.length + 1})`;
  }

  function search() {
    clearTimeout(typing);
    const text = input.value.trim();
    const near = place.value.trim();
    const category = options.category || select.value;
    const isShown =
      actions.hidden && text === state.text && near === state.near && category === state.category;
    if (isShown) return;
    Object.assign(state, { text, near, category, offset: 0 });
    load();
  }

  function turnTo(offset) {
    state.offset = Math.max(0, offset);
    load({ moveFocus: true });
  }

  /** `moveFocus`: to the status, because what has the focus may be gone afterwards. */
  async function load({ moveFocus = false } = {}) {
    running.abort();
    const own = (running = new AbortController());
    const { offset } = state;
    list.setAttribute('aria-busy', 'true');
    const notice = setTimeout(() => say(texts.loading), results.length === 0 ? 0 : unnoticed);
    try {
      const page = await request(options, state, own.signal);
      if (own.signal.aborted) return;
      // The page is beyond the end: there are fewer resources than before.
      if (page.data.length === 0 && offset > 0) return turnTo(0);
      showPage(page, offset);
    } catch (error) {
      if (own.signal.aborted) return;
      showError(error);
    } finally {
      clearTimeout(notice);
      if (!own.signal.aborted) list.removeAttribute('aria-busy');
    }
    if (moveFocus) status.focus();
  }

  function showPage({ data, has_more: hasMore, total, near }, offset) {
    results = data.map((record) => resultOf(record, { base: options.base, texts, newTab: newTab.id }));
    replaceList();
    const isSearch = state.text || state.near || state.category !== options.category;
    const none = isSearch ? texts.nothing : texts.empty;
    // Of a place that nobody knows, the answer says so, and is from everywhere.
    const unknown = near === null ? `${texts.unknownPlace({ place: state.near })} ${texts.everywhere} ` : '';
    const between = { from: offset + 1, to: offset + data.length, total };
    const shown = total === undefined ? texts.range(between) : texts.rangeOfTotal(between);
    say(unknown + (data.length === 0 ? none : shown));
    range.textContent = shown;
    previous.disabled = offset === 0;
    next.disabled = !hasMore;
    show(pages, offset > 0 || hasMore);
    show(actions, false);
    show(form, true);
  }

  /** Who stands on a link keeps it where it is also among the new results. */
  function replaceList() {
    const held = list.contains(root.activeElement) ? root.activeElement.href : undefined;
    list.replaceChildren(...results.map(({ item }) => item));
    if (!held) return;
    const same = [...list.querySelectorAll('a')].find(({ href }) => href === held);
    (same || status).focus();
  }

  function showError({ reason = 'broken', message }) {
    complain(message);
    results = [];
    replaceList();
    const isFinal = reason === 'refused' || reason === 'gone';
    say(texts[reason], true);
    show(retry, !isFinal);
    show(directory, isFinal);
    show(actions, true);
    show(pages, false);
    const focused = root.activeElement;
    // Nothing can be searched any more.
    show(form, !isFinal);
    if (isFinal && focused && form.contains(focused)) status.focus();
  }

  function say(text, isWrong = false) {
    status.className = isWrong ? 'status wrong' : 'status';
    status.textContent = text;
  }
}

// What the attributes of the script tag ask for (interface 4.4).
/* global URL */

import { texts } from './script-texts.js';

const defaultTarget = 'service-resources';
const defaultLimit = 20;
const maximumLimit = 100;
export const longestNear = 120;

/**
 * Reads the attributes. What is wrong counts as not given; `complain` tells the owner of the page where that may
 * surprise.
 */
export function optionsOf({ src, dataset }, complain) {
  const { background, text, accent } = dataset;
  const category = (dataset.category || 'all').trim();
  const isCategory = Object.keys(texts.categories).includes(category);
  if (!isCategory && category !== 'all')
    complain(`data-category="${category}" is no category, so all are shown.`);
  return {
    /** The address of the service: where the script comes from. */
    base: new URL('.', src).href.replace(/\/$/, ''),
    key: (dataset.key || '').trim(),
    category: isCategory ? category : '',
    near: (dataset.near || '').trim().slice(0, longestNear),
    limit: limitOf(dataset.limit),
    target: dataset.target || defaultTarget,
    theme: dataset.theme === 'dark' ? 'dark' : 'light',
    /** The slug of a team: its records alone. */
    team: (dataset.team || '').trim(),
    /** As they are written, where there are some. */
    colours: (background || text || accent) && { background, text, accent },
  };
}

function limitOf(text) {
  const limit = /^\d+$/.test(text) ? Number(text) : 0;
  return limit === 0 ? defaultLimit : Math.min(limit, maximumLimit);
}

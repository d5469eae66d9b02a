// One page of the legacy list (interface 4.3), or why there is none.
/* global AbortController, URLSearchParams, fetch, location, setTimeout, clearTimeout */

import { language } from './script-texts.js';

const patience = 30_000;

/**
 * A page of results, and nothing once `abort` was called. `reason` of the error is the name of a text for the visitor,
 * `message` is for the owner of the page.
 */
export function request({ base, key, limit, team }, { text, near, category, offset }, signal) {
  const query = new URLSearchParams({ limit, offset, lang: language });
  if (team) query.set('team', team);
  if (category) query.set('category', category);
  if (text) query.set('q', text);
  if (near) query.set('near', near);
  return answerTo(`${base}/api/resources?${query}`, key, signal);
}

async function answerTo(url, key, signal) {
  // Any other letter cannot be sent in a header.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw refusal('refused', key ? 'data-key is no API key.' : 'data-key is missing: it takes an API key.');
  }
  let status;
  let body;
  const own = new AbortController();
  const timer = setTimeout(() => own.abort(), patience);
  signal.addEventListener('abort', () => own.abort());
  try {
    const response = await fetch(url, {
      headers: { 'X-API-Key': key },
      credentials: 'omit',
      // The site, by which a key may be restricted, but not the page.
      referrerPolicy: 'origin',
      signal: own.signal,
    });
    status = response.status;
    body = await response.text();
  } catch (error) {
    throw refusal('offline', `${url.split('?')[0]} cannot be reached: ${error.message}`);
  } finally {
    clearTimeout(timer);
  }
  const answer = parsed(body);
  if (status === 200) {
    if (answer && Array.isArray(answer.data)) return answer;
    throw refusal('broken', 'The answer is not a list of resources.');
  }
  const detail = answer && answer.error ? ` ${answer.error}` : '';
  throw refusal(reasonOf(status), `${status}${detail}.${adviceOn(status, answer)}`);
}

function parsed(body) {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function reasonOf(status) {
  if (status === 410) return 'gone';
  if (status === 429) return 'busy';
  return status === 401 || status === 403 ? 'refused' : 'away';
}

function adviceOn(status, answer) {
  if (status === 401) return ' Check data-key.';
  if (status === 410) return ' This directory has switched its widget off.';
  const domain = status === 403 && answer && /domain/i.test(answer.error);
  return domain ? ` Add ${location.hostname || 'a domain'} to the domains of the key.` : '';
}

const refusal = (reason, message) => Object.assign(new Error(message), { reason });

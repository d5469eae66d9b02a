/** Anything in the form of a key, code, token, session or link of ours, wherever it is. */
const key = /(?:api_[pti]k|sac|sat|srt|sss|lnk)_[0-9A-Za-z]+/g;

/** Query parameters that may contain a key, another secret, a person's address, or what somebody is looking for and where. */
const secret: readonly string[] = [
  // The legacy endpoint takes one (interface 4.3).
  'key',
  'x-api-key',
  'api_key',
  // RFC 6749, 7009, 7636; OpenID Connect Core 3.1.2.1, RP-Initiated Logout.
  'access_token',
  'refresh_token',
  'token',
  'code',
  'code_verifier',
  'client_secret',
  'client_assertion',
  'state',
  'nonce',
  'id_token_hint',
  'login_hint',
  'logout_hint',
  // Our own pages.
  'continue',
  'confirm',
  // Form fields that somebody may put into an address by mistake.
  'email',
  'username',
  'password',
  // What people search for, and where they are. The search for help must leave no trace.
  'q',
  'near',
  'city',
  'postal_code',
  'category',
  'language',
  'organization',
  // It contains the search.
  'cursor',
  // Whom somebody looks for in the audit log.
  'about',
  'by',
];

/** The page on which people search. Nothing that is asked of it is logged. */
const search = /^\/find\/?$/i;

/** A request target as a log may show it. */
export function redacted(target: string): string {
  const mark = target.indexOf('?');
  if (mark === -1) return target.replace(key, '[redacted]');
  if (search.test(target.slice(0, mark))) return `${target.slice(0, mark)}?[redacted]`;
  const query = target
    .slice(mark + 1)
    .split('&')
    .map(redactedPair)
    .join('&');
  return `${target.slice(0, mark)}?${query}`.replace(key, '[redacted]');
}

function redactedPair(pair: string): string {
  const equals = pair.indexOf('=');
  if (equals === -1) return pair;
  const name = decoded(pair.slice(0, equals)).trim().toLowerCase();
  if (secret.includes(name)) return `${name}=[redacted]`;
  const plain = decoded(pair);
  if (plain.includes('@')) return `${name}=[redacted]`;
  return plain.replace(key, '') === plain ? pair : '[redacted]';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

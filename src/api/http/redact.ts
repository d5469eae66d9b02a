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
  // From which search somebody opened a record, sealed.
  'via',
  // Whom somebody looks for in the audit log.
  'about',
  'by',
];

/** The page on which people search. Nothing that is asked of it is logged. */
const search = /^\/find\/?$/i;

/** A request target as a log may show it. */
export function redacted(target: string): string {
  const mark = target.indexOf('?');
  if (mark === -1) return redactedPath(target);
  const path = target.slice(0, mark);
  if (search.test(path)) return `${path}?[redacted]`;
  const query = target
    .slice(mark + 1)
    .split('&')
    .map(redactedPair)
    .join('&');
  return `${redactedPath(path)}?${query}`;
}

function redactedPath(path: string): string {
  const shown = path.replace(key, '[redacted]');
  return hasKey(decoded(shown)) ? '[redacted]' : shown;
}

/** A parameter without what may be a secret or name a person. Its name is shown where it is neither. */
function redactedPair(pair: string): string {
  const [part = ''] = pair.split('=', 1);
  const name = decoded(part).trim().toLowerCase();
  if (hasKey(decoded(part)) || name.includes('@')) return '[redacted]';
  if (pair === part) return pair;
  const value = decoded(pair.slice(part.length));
  if (secret.includes(name) || value.includes('@')) return `${name}=[redacted]`;
  return hasKey(value) ? '[redacted]' : pair;
}

const hasKey = (text: string): boolean => text.replace(key, '') !== text;

/** Without the percent-encoding of ASCII characters. Keys and addresses are looked for among these. */
const decoded = (text: string): string =>
  text
    .replaceAll('+', ' ')
    .replace(/%([0-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

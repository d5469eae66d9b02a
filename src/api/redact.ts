/** Anything that has the shape of one of our keys, wherever it stands. */
const key = /api_[pt]k_[0-9A-Za-z]+/g;

/** Query parameters that carry a key; the legacy endpoint takes one (interface 4.3). */
const secret: readonly string[] = ['key', 'x-api-key', 'api_key', 'access_token', 'token'];

/** A request target as a log may show it. */
export function redacted(target: string): string {
  const mark = target.indexOf('?');
  if (mark === -1) return target.replace(key, '[redacted]');
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
  return plain.replace(key, '') === plain ? pair : '[redacted]';
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

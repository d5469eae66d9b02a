/** The encodings in which answers are sent, the preferred one first. */
export const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** The encoding that a client prefers (RFC 9110 section 12.5.3). Undefined when it accepts none of ours. */
export function acceptedEncoding(acceptEncoding: string | undefined): Encoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const qualities = new Map<string, number>();
  for (const each of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = each.split(';').map((part) => part.trim());
    // `x-gzip` is another name of gzip. Whoever takes everything gets gzip, which every client can read.
    const encoding = name === '*' || name === 'x-gzip' ? 'gzip' : name;
    const quality = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
    const weight = quality === undefined ? 1 : Number.parseFloat(quality) || 0;
    qualities.set(encoding, Math.max(qualities.get(encoding) ?? 0, weight));
  }
  const qualityOf = (encoding: Encoding) => qualities.get(encoding) ?? 0;
  const [first, ...others] = encodings;
  const best = others.reduce<Encoding>(
    (kept, encoding) => (qualityOf(encoding) > qualityOf(kept) ? encoding : kept),
    first,
  );
  return qualityOf(best) > 0 ? best : undefined;
}

const compressible = /^text\/(?!event-stream)|[+/](?:json|text|xml)(?:;|$)|octet-stream(?:;|$)/;

/** Whether a body of this media type becomes smaller. Pictures and archives do not. */
export const isCompressible = (mediaType: string): boolean => compressible.test(mediaType);

import { z } from 'zod';
import { event, line, slug, stream, type EventOf } from './define.ts';
import { sealed } from './oauth/values.ts';
import { keyScope } from './teams.ts';

/**
 * A developer key belongs to no team and reaches public data, a team key belongs to a team. An installation key is an
 * operator's: it reads the audit log of the whole installation, and nothing else.
 */
export const keyKind = z.enum(['developer', 'team', 'installation'], {
  message: 'must be developer, team or installation',
});
export type KeyKind = z.output<typeof keyKind>;

/** A host name, or `*.` and a host name for its subdomains. */
export const domain = z
  .string()
  .max(253)
  .transform((value) => value.toLowerCase())
  .refine(
    (value) =>
      /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(value),
    {
      message: 'must be a host name such as example.org or *.example.org',
    },
  );

/**
 * The same of what people paste: of an address such as `https://example.org/page`, its host. What has neither a scheme, a
 * path nor a port is taken as it stands.
 */
export const pastedDomain = z
  .string()
  .max(2_000)
  .transform((text) => {
    const trimmed = text.trim();
    if (!/[/:?#]/.test(trimmed)) return trimmed;
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`;
    if (!/^https?:/i.test(address) || !URL.canParse(address)) return trimmed;
    const { hostname, username } = new URL(address);
    return username === '' ? hostname : trimmed;
  })
  .pipe(domain);

export const apiKeyStream = stream('api-key', {
  ApiKeyCreated: event(
    'A key was created and shown once. Only the SHA-256 of its secret is stored.',
    z.strictObject({
      key_id: line(100),
      kind: keyKind,
      team: slug.optional(),
      label: line(200).optional().describe('Of a key that belongs to no person.'),
      label_sealed: sealed
        .optional()
        .describe('The label of a key that a person made, or that was made for one: sealed for that person.'),
      scopes: z.array(keyScope).min(1),
      domains: z.array(domain),
      secret_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .meta({ title: 'SHA-256 in hex' }),
      expires_at: z.iso.datetime().optional().describe('The key is refused from then on.'),
      replaces: line(100).optional().describe('The id of the key in whose place it was made.'),
    }),
  ),
  ApiKeyRolled: event(
    'A new key was made to take the place of this one. Both are valid until this one is revoked or expires.',
    z.strictObject({
      replaced_by: line(100).describe('The id of the new key.'),
      expires_at: z.iso.datetime().optional().describe('This key is refused from then on.'),
    }),
  ),
  ApiKeyDomainsChanged: event(
    'The domains that the key may be used from were replaced. An empty list means no restriction.',
    z.strictObject({ domains: z.array(domain) }),
  ),
  ApiKeyRevoked: event('The key was revoked.', z.strictObject({ reason: line(500).optional() })),
});
export type ApiKeyEvent = EventOf<typeof apiKeyStream>;

/** Whether the time of a key has come. */
export const hasExpired = (
  { expires_at }: { readonly expires_at?: string | undefined },
  at: { getTime(): number },
): boolean => expires_at !== undefined && Date.parse(expires_at) <= at.getTime();

/** No key that ends is made for longer, in years: what is further off is a typing error. */
export const mostYears = 10;

/** Whether a key that is made now may end then. */
export const isExpiry = (end: Date, now: Date): boolean => {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + mostYears);
  return end > now && end <= latest;
};

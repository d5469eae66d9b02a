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
    }),
  ),
  ApiKeyDomainsChanged: event(
    'The domains that the key may be used from were replaced. An empty list means no restriction.',
    z.strictObject({ domains: z.array(domain) }),
  ),
  ApiKeyRevoked: event('The key was revoked.', z.strictObject({ reason: line(500).optional() })),
});
export type ApiKeyEvent = EventOf<typeof apiKeyStream>;

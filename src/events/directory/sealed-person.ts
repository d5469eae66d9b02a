import { z } from 'zod';

/** What a record says about one person, sealed under a data key of its own. */
export const sealedPerson = z.strictObject({
  person: z.uuid().describe('The person’s id. It names the data key.'),
  sealed: z
    .string()
    // The longest contact in UTF-8, with nonce and tag, in base64url.
    .max(41_000)
    .regex(/^[A-Za-z0-9_-]+$/)
    .meta({ title: 'sealed under the person’s data key, base64url' }),
});
export type SealedPerson = z.output<typeof sealedPerson>;

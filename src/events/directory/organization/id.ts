import { z } from 'zod';

/** `o_` + 16 hex digits: 12 checksum bits, then 52 bits of a number, as in a `svc_id`. */
export const orgId = z
  .string()
  .regex(/^o_[0-9a-f]{16}$/, { message: 'must be o_ and 16 hex digits' })
  .meta({ title: '`o_` and 16 hex digits' });

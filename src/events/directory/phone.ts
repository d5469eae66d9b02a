import { z } from 'zod';
import { line } from '../define.ts';

export const phoneTypes = ['voice', 'fax', 'text', 'tty'] as const;

export const phone = z.strictObject({
  /** As people write it. */
  number: line(120),
  extension: line(20).optional(),
  type: z.enum(phoneTypes).describe('voice where absent').optional(),
  /** Who answers, and when. */
  note: line(300).optional(),
  /** Names of languages spoken on this line. */
  languages: z.array(line(60)).max(100).optional(),
});
export type Phone = z.output<typeof phone>;

export const phones = z.array(phone).max(100);

export const isVoice = ({ type = 'voice' }: Phone): boolean => type === 'voice';

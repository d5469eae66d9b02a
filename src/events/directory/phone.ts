import { z } from 'zod';
import { line } from '../define.ts';

export const phoneTypes = ['voice', 'fax', 'text', 'tty'] as const;

const longestNumber = 120;

export const phone = z.strictObject({
  /** As people write it. */
  number: line(longestNumber),
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

/** "305-555-0100 ext. 7", "(305) 555-0100 x7", "555-0100, extension 12": the digits before it are a whole number. */
const withExtension = /^(.*\d[^\p{L}]*?)[\s,;(]*(?<!\p{L})(?:extension|ext|x)[.:#\s]{0,3}(\d{1,8})\)?$/iu;

/** A number with its extension apart, where the text of the number has one and none is known. */
export function withExtensionApart(phone: Phone): Phone {
  if (phone.extension !== undefined || phone.number.length > longestNumber) return phone;
  const [, number, extension] = withExtension.exec(phone.number) ?? [];
  if (number === undefined || extension === undefined || number.replace(/\D/g, '').length < 7) return phone;
  return { ...phone, number: number.replace(/[\s,;(]+$/, ''), extension };
}

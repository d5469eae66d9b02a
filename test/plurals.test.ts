import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { counted } from '../src/ground/counted.ts';

const src = new URL('../src', import.meta.url).pathname;

/** A number before a noun that is counted, in a text. */
const number =
  /\$\{[^}]*\} (?:more |held |failed |waiting |open )?(?:deliveries|events|entries|mails|emails|secrets|backups|documents|requests|attempts|answers|records|resources)\b/;

/** The number is never one, or stands where both are right. */
const fine = [
  'events of ${events} that the newest checkpoint covers',
  'all ${events} events up to the checkpoint',
  ': `each of the ${events} events is`',
  '${lag} events behind',
  '${number(total)} events',
  'All ${number(done)} events are read',
  '${limits.entries.toLocaleString(',
  '${documents} documents, the log makes',
  '${secrets.secrets} secrets of the vault can be opened',
  'its newest checkpoint is of ${size ?? 0} entries',
  '${count} deliveries wait, the oldest since',
  'The tree has ${size} entries',
  'records nothing that somebody did',
];

test('a number is said with its noun: 1 delivery, 2 deliveries', () => {
  expect([counted(1, 'delivery', 'deliveries'), counted(2n, 'event'), counted(0, 'event')]).toEqual([
    '1 delivery',
    '2 events',
    '0 events',
  ]);
  const found = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(join(src, file), 'utf8')
        .split('\n')
        .filter((line) => number.test(line) && !line.includes('=== 1'))
        .filter((line) => !fine.some((each) => line.includes(each)))
        .map((line) => `${file}: ${line.trim()}`),
    );
  expect(found, 'say it with counted() of src/ground/counted.ts').toEqual([]);
});

import { expect, it } from 'vitest';
import { faultReporter } from '../../src/runtime/report-fault.ts';

it('says a failure that differs in its numbers alone once in ten minutes', () => {
  const said: string[] = [];
  let now = 0;
  const report = faultReporter(
    (line) => said.push(line),
    () => now,
  );
  for (const time of ['10:00:00', '10:00:10', '10:00:20'])
    report('backup', new Error(`/backups/2026-11-24T${time}Z cannot be made`));
  report('mail', new Error('The server does not answer'));
  expect(said).toEqual([
    'backup: /backups/2026-11-24T10:00:00Z cannot be made',
    'mail: The server does not answer',
  ]);
  now = 600_000;
  report('backup', new Error('/backups/2026-11-24T10:10:00Z cannot be made'));
  expect(said.length).toBe(3);
});

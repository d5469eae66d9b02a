import { pbkdf2 } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { Uploads } from '../../src/imports/uploads.ts';
import { temporaryFolder } from '../support/folder.ts';

it('a refused file is not left, also when the disk opens it late', async ({ onTestFinished }) => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const uploads = new Uploads(folder.path);
  // The threads that open files are busy: more work than there are threads comes before.
  const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('p', 's', 300_000, 32, 'sha256'));
  const of = { team: 'harbour', id: '00000000-0000-4000-8000-000000000000' };
  const receiving = uploads.receive(of, Readable.from([Buffer.from('%PDF-1.7')]), {
    signal: new AbortController().signal,
  });
  await expect(receiving).rejects.toMatchObject({ code: 'wrong_type' });
  await Promise.all(busy);
  expect(readdirSync(join(folder.path, 'import-files'))).toEqual([]);
});

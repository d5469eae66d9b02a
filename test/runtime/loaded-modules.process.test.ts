import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/folder.ts';
import { startServing } from '../support/serving.ts';

/** In each thread of the server: notes what is loaded, and when the process ends which parts of Node were. */
const notesModules = `
  import { appendFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  import { isMainThread } from 'node:worker_threads';
  const note = (text) => appendFileSync(process.env.LOADED_MODULES, text + '\\n');
  registerHooks({ load: (url, context, next) => { note(url); return next(url, context); } });
  if (isMainThread) process.on('exit', () => note(process.moduleLoadList.join('\\n')));
`;

describe('a server that was asked for a page', () => {
  const folder = temporaryFolder();
  let loaded: readonly string[];
  beforeAll(async () => {
    const file = join(folder.path, 'loaded-modules');
    const serving = await startServing(join(folder.path, 'data'), {
      LOADED_MODULES: file,
      NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(notesModules)}"`,
    });
    const page = await fetch(`${serving.origin}/`, { headers: { 'accept-encoding': 'gzip' } });
    expect(page.headers.get('content-encoding')).toBe('gzip');
    await serving.stop();
    loaded = readFileSync(file, 'utf8').split('\n');
  });
  afterAll(() => folder.remove());

  const matching = (pattern: RegExp) => [...new Set(loaded.filter((each) => pattern.test(each)))];

  test('has loaded no HTTP client, which takes 13 MB', () => {
    expect(matching(/^NativeModule internal\/deps\/undici/)).toEqual([]);
  });

  test('has loaded the messages of zod in English alone', () => {
    expect(matching(/\/zod\/v4\/locales\//).map((url) => url.split('/').at(-1))).toEqual(['en.js']);
  });

  test('has loaded nothing of OpenTelemetry, in no thread', () => {
    // What each thread loads is noted.
    for (const thread of ['projector', 'dispatcher'])
      expect(matching(new RegExp(`/runtime/threads/${thread}\\.ts$`))).toHaveLength(1);
    expect(matching(/opentelemetry|\/traces\/sdk\.ts$/)).toEqual([]);
  });

  test('has loaded no limiter for stores that it does not have', () => {
    expect(matching(/RateLimiter(Redis|Mongo|Postgres)/)).toEqual([]);
  });
});

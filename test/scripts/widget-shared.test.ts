import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sharedPart, sharedScript } from '../../scripts/widget-shared.ts';

it('the widget runs the code of the pages as it is now', async () => {
  const code = await sharedScript();
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(sharedPart, code);
  expect(readFileSync(sharedPart, 'utf8'), 'run the tests with UPDATE_DOCS=1 to write it').toBe(code);
});

it('no two parts of the widget declare the same name: they become one script', () => {
  const folder = new URL('./', sharedPart);
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .flatMap((part) =>
      [
        ...readFileSync(new URL(part, folder), 'utf8').matchAll(
          /^(?:export )?(?:async )?(?:const|let|function|class) (\w+)/gm,
        ),
      ].map(([, name]) => name),
    );
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
});

import { expect, test } from 'vitest';
import { html } from '../../../src/api/pages/html.ts';
import { facts, written } from '../../../src/api/pages/parts/facts.ts';

test('facts stand in their order by name, are escaped, and what is not known is left out', () => {
  const text = facts([
    ['When', 'a <time>'],
    ['Why', undefined],
    [html`<b>How often</b>`, 0],
    ['Said', written('one\ntwo')],
  ]).text.replaceAll(/\s+/g, ' ');
  expect(
    [...text.matchAll(/<dt>(.*?)<\/dt> <dd>(.*?)<\/dd>/g)].map(([, name, value]) => [name, value]),
  ).toEqual([
    ['When', 'a &#60;time&#62;'],
    ['<b>How often</b>', '0'],
    ['Said', '<div class="written">one two</div>'],
  ]);
});

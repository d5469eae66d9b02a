import { describe, expect, it } from 'vitest';
import { cleanText } from '../../src/hsds/text.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import { collect, folderOf, recordsIn } from './support.ts';

describe('HTML in the texts of a source', () => {
  it.each([
    [
      'line breaks',
      'Helps families.<br /><br />Home visits.<BR>Downtown',
      'Helps families.\n\nHome visits.\nDowntown',
    ],
    [
      'paragraphs and fonts',
      '<p class=msonormal>One <font size=2>big</font></p>\n<p>Two</p>',
      'One big\n\nTwo',
    ],
    ['lists', 'We give:<ul><li>food</li>\n<li>coats</li></ul>', 'We give:\n- food\n- coats'],
    [
      'links',
      'See <a href="http://x.org/">x.org</a>, <a href=https://y.org/a>this page</a>',
      'See x.org, this page (https://y.org/a)',
    ],
    ['a tag that was cut', 'Helps families.<br />Home visits.<br', 'Helps families.\nHome visits.'],
    ['links that lead nowhere safe', '<a href="javascript:alert(1)">press</a>', 'press'],
    ['character references', 'Food &amp; coats &#8211; ni&ntilde;os&nbsp;only', 'Food & coats – niños only'],
  ])('%s become a text that people read', (_, written, read) => {
    expect(cleanText(written)).toBe(read);
  });

  it.each([
    'children <5 years & adults >60',
    'a < b and c > d',
    'R&D; AT&T',
    '&nothing;',
    '&valueOf;',
    '&#1114112;',
  ])('what only looks like it stays: %s', (text) => {
    expect(cleanText(text)).toBe(text);
  });

  it('takes no longer where a text is made to be slow', () => {
    const hostile = [
      ' '.repeat(200_000) + '<b',
      '<a ' + 'href=x '.repeat(40_000),
      '<br'.repeat(70_000),
      '&'.repeat(200_000),
    ];
    const begin = performance.now();
    for (const text of hostile) cleanText(`a\\${text}b`);
    expect(performance.now() - begin).toBeLessThan(2_000);
  });

  it('is not in the record that an import makes', async () => {
    const datapackage = await openDatapackage(
      await folderOf({
        'services.csv':
          'id,name,organization_id,description\ns1,Soup,o1,"Hot meals.<br /><b>Daily</b> &amp; free"\n',
        'organizations.csv': 'id,name\no1,Harbor Aid\n',
      }),
    );
    try {
      const [record] = recordsIn(await collect(datapackage.records()));
      expect(record?.fields.description).toBe('Hot meals.\nDaily & free');
    } finally {
      datapackage.close();
    }
  });
});

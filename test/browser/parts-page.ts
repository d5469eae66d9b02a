import type { Page } from 'playwright-core';
import { button, checkbox, field, fields, form, notice, time } from '../../src/api/pages/controls.ts';
import { html } from '../../src/api/pages/html.ts';
import { ask } from '../../src/api/pages/parts/ask.ts';
import { badge } from '../../src/api/pages/parts/badge.ts';
import { changedMeanwhile, changesTable } from '../../src/api/pages/parts/changes.ts';
import { barChart } from '../../src/api/pages/parts/chart.ts';
import { checkboxGroup, radioGroup, selectField } from '../../src/api/pages/parts/choices.ts';
import { facts } from '../../src/api/pages/parts/facts.ts';
import { fileField } from '../../src/api/pages/parts/file-field.ts';
import { empty, filterBar, pager, tabs } from '../../src/api/pages/parts/list-controls.ts';
import { progressBar } from '../../src/api/pages/parts/progress.ts';
import { copyableLines, secretOnce } from '../../src/api/pages/parts/show-once.ts';
import { table } from '../../src/api/pages/parts/table.ts';

const path = '/dash/_parts';

/** Shows every part of which pages are made in the frame of a page of the dashboard that is signed in. Answers its address. */
export async function showParts(page: Page, origin: string): Promise<string> {
  await page.route(origin + path, async (route) => {
    const response = await route.fetch({ url: `${origin}/dash/me` });
    const frame = await response.text();
    await route.fulfill({ response, body: frame.replace(/(?<=<main[^>]*>)[^]*(?=<\/main>)/, content) });
  });
  return origin + path;
}

const content = (): string =>
  html`<h1>Parts</h1>
    ${tabs({
      label: 'Example',
      here: path,
      entries: [
        { to: path, label: 'This one' },
        { to: '/dash/me', label: 'Another' },
      ],
    })}
    ${notice('Something is done.')} ${notice('Something is wrong.', 'wrong')}
    ${notice('Something is to be known.', 'plain')}
    ${changedMeanwhile([{ label: 'Name', before: 'Corner Pantry', after: 'Corner Food Pantry' }])}
    ${secretOnce({ label: 'A secret', value: 'api_pk_example', sentence: 'Store it where it is needed.', kept: 'hashed' })}
    <section class="card">
      <h2>A list</h2>
      ${filterBar({
        action: path,
        label: 'The list',
        fields: html`${field({ name: 'q', label: 'Name', optional: true })}
        ${selectField({ name: 'status', label: 'Status', options: statuses })}`,
      })}
      ${facts([
        ['Number', 'K-0042'],
        ['Made', time('2026-01-31T12:00:00Z', 'minute')],
        ['Left out', undefined],
      ])}
      ${table({
        caption: 'Things',
        columns: [
          { label: 'Thing' },
          { label: 'Status' },
          { label: 'Since' },
          { label: 'Uses', numbers: true },
          { label: '' },
        ],
        rows: [
          [
            'One',
            badge('active', 'good'),
            time('2026-01-02T03:04:05Z', 'minute'),
            1_234,
            ask({
              label: 'Revoke',
              of: 'One',
              sentence: 'It stops working at once. This cannot be undone.',
              action: path,
              token: 'x',
            }),
          ],
          ['Two', badge('failing', 'bad'), time('2026-01-02T03:04:05Z'), 5, ''],
          ['Three', badge('inactive'), time('2026-01-02T03:04:05Z'), 0, ''],
        ],
      })}
      ${pager({ first: path, next: path })}
    </section>
    ${empty('There is nothing yet.', html`<a class="button primary" href="${path}">Make one</a>`)}
    <section class="card">
      <h2>A form</h2>
      ${form({
        action: path,
        token: 'x',
        content: html`${fields(
            [
              { name: 'name', label: 'Name', hint: 'As people know it.', value: 'Corner' },
              { name: 'about', label: 'About', type: 'prose', optional: true },
              { name: 'lines', label: 'Addresses', type: 'lines', hint: 'One a line.', optional: true },
              { name: 'day', label: 'Day', type: 'date' },
            ],
            { name: 'Say at least two words.' },
          )}
          ${radioGroup({ name: 'role', label: 'Role', options: statuses, value: 'on' })}
          ${checkboxGroup({ name: 'scopes', label: 'Scopes', options: statuses, values: ['on'] })}
          ${fileField({ name: 'file', label: 'File', hint: 'A zip file.', accept: ['.zip'] })}
          ${checkbox({ name: 'agree', label: 'I have read this', ticked: true })}
          <div class="choices">${button('Save')} <a class="button secondary" href="${path}">Cancel</a></div>`,
      })}
    </section>
    <section class="card">
      <h2>What is under way</h2>
      ${progressBar({ label: 'Importing', share: 0.4, sentence: '400 of 1,000, 250 a second, 3 s left' })}
      ${progressBar({ label: 'Counting', share: undefined, sentence: 'Counting' })}
    </section>
    <section class="card">
      <h2>What has changed</h2>
      ${changesTable('Changes', [{ label: 'Phone', before: '555-0100', after: '' }])}
    </section>
    <section class="card">
      ${barChart({
        title: 'Requests per day',
        by: 'Day',
        labels: Array.from({ length: 30 }, (_, day) => `${String(day + 1)} January`),
        series: [
          {
            label: 'Answered',
            kind: 'good',
            values: Array.from({ length: 30 }, (_, day) => (day * 37) % 90),
          },
          { label: 'Refused', kind: 'bad', values: Array.from({ length: 30 }, (_, day) => (day * 7) % 11) },
        ],
      })}
    </section>
    ${copyableLines('curl -H "Authorization: Bearer …"', 'A call')}`.text;

const statuses = [
  { value: 'on', label: 'On', hint: 'It works.' },
  { value: 'off', label: 'Off' },
];

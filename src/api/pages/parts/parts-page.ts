import { button, checkbox, field, fields, form, notice, time } from '../controls.ts';
import { html } from '../html.ts';
import type { Page } from '../page-context.ts';
import { paths } from '../paths.ts';
import { ask } from './ask.ts';
import { badge } from './badge.ts';
import { changedMeanwhile, changesTable } from './changes.ts';
import { barChart } from './chart.ts';
import { checkboxGroup, radioGroup, selectField } from './choices.ts';
import { fileField } from './file-field.ts';
import { empty, filterBar, pager, tabs } from './list-controls.ts';
import { progressBar } from './progress.ts';
import { copyableLines, secretOnce } from './show-once.ts';
import { table } from './table.ts';

/** Every part of which pages are made, for those who make them. */
export const partsPage = (): Page => ({
  audience: 'signed in',
  path: paths.parts,
  get: ({ formToken: token }) => ({
    title: 'Parts',
    content: html`<p class="lead">Every part of which the pages of the dashboard are made.</p>
      ${tabs({
        label: 'Example',
        here: paths.parts,
        entries: [
          { to: paths.parts, label: 'This one' },
          { to: paths.me, label: 'Another' },
        ],
      })}
      ${notice('Something is done.')} ${notice('Something is wrong.', 'wrong')}
      ${notice('Something is to be known.', 'plain')}
      ${changedMeanwhile([{ label: 'Name', before: 'Corner Pantry', after: 'Corner Food Pantry' }])}
      ${secretOnce({ label: 'A secret', value: 'api_pk_example', sentence: 'Store it where it is needed.' })}
      <section class="card">
        <h2>A list</h2>
        ${filterBar({
          action: paths.parts,
          label: 'The list',
          fields: html`${field({ name: 'q', label: 'Words', optional: true })}
          ${selectField({ name: 'status', label: 'Status', options: statuses })}`,
        })}
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
                action: paths.parts,
                token,
              }),
            ],
            ['Two', badge('failing', 'bad'), time('2026-01-02T03:04:05Z'), 5, ''],
            ['Three', badge('inactive'), time('2026-01-02T03:04:05Z'), 0, ''],
          ],
        })}
        ${pager({ first: paths.parts, next: paths.parts })}
      </section>
      ${empty('There is nothing yet.', html`<a class="button primary" href="${paths.parts}">Make one</a>`)}
      <section class="card">
        <h2>A form</h2>
        ${form({
          action: paths.parts,
          token,
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
            <div class="choices">
              ${button('Save')} <a class="button secondary" href="${paths.parts}">Cancel</a>
            </div>`,
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
      ${copyableLines('curl -H "Authorization: Bearer …"', 'A call')}`,
  }),
});

const statuses = [
  { value: 'on', label: 'On', hint: 'It works.' },
  { value: 'off', label: 'Off' },
];

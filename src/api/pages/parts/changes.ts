import { html, type Html } from '../html.ts';
import { table } from './table.ts';

/** One field with what it was and what it is to be. */
export interface FieldChange {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** What a change changes, field by field. */
export const changesTable = (
  caption: string,
  changes: readonly FieldChange[],
  [before, after]: readonly [string, string] = ['Before', 'After'],
): Html =>
  table({
    caption,
    columns: [{ label: 'Field' }, { label: before }, { label: after }],
    rows: changes.map((each) => [
      each.label,
      html`<del>${each.before === '' ? 'empty' : each.before}</del>`,
      html`<ins>${each.after === '' ? 'empty' : each.after}</ins>`,
    ]),
  });

/**
 * Shown in place of saving when somebody else has saved since the form was opened: their change and ours, and nothing
 * overwritten. The form below it holds what was typed, and the revision of now.
 */
export const changedMeanwhile = (changes: readonly FieldChange[]): Html =>
  html`<section class="notice wrong" role="alert" tabindex="-1" autofocus>
    <p>
      Somebody else has changed this since you opened it. Nothing of yours is saved yet, and nothing of theirs
      is lost. Compare, then save again.
    </p>
    ${
      changes.length === 0
        ? html`<p>They and you say the same.</p>`
        : changesTable('What they have saved, and what you have typed', changes, [
            'Saved by them',
            'Typed by you',
          ])
    }
  </section>`;

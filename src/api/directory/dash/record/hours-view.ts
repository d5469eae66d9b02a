import { weekdays, type Weekday } from '../../../../events/directory/local-time.ts';
import { button, field, hidden, when, type Problems } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { focusable } from '../../../pages/parts/first-wrong-focused.ts';
import { en } from '../texts.ts';
import {
  emptyWeek,
  hasRoom,
  timesName,
  timesShown,
  weekName,
  type HoursDraft,
  type WeekDraft,
} from './hours-draft.ts';

const texts = en.form.week;

/** The table of hours: the regular week first, below it weeks with a note or dates. */
export function hoursTable(draft: HoursDraft, problems: Problems): Html {
  const weeks = draft.length === 0 ? [emptyWeek] : draft;
  return html`${weeks.map((week, n) => weekTable(week, n, problems))}
    <div class="choices">
      ${button(texts.read, { weight: 'secondary', name: 'do', value: 'read-hours' })}
      ${button(texts.addWeek, { weight: 'secondary', name: 'do', value: 'add-week' })}
    </div>`;
}

function weekTable(week: WeekDraft, n: number, problems: Problems): Html {
  const of = texts.week(n + 1);
  const detail = (what: 'note' | 'valid_from' | 'valid_to') => {
    const name = weekName(n, what);
    return field({
      name,
      label: texts[what],
      type: what === 'note' ? 'text' : 'date',
      value: week[what],
      error: problems[name],
      optional: true,
      ...(what === 'note' ? { hint: texts.noteHint, maxlength: 300 } : {}),
    });
  };
  return html`<fieldset class="field week">
    <legend>${of}</legend>
    <p class="hint">${texts.timesHint}</p>
    ${hidden(weekName(n, 'times'), String(timesShown(week)))}
    <table>
      <tbody>
        ${weekdays.map((day) => dayRow(week, n, day, problems[weekName(n, day)]))}
      </tbody>
    </table>
    ${detail('note')}
    <div class="side-by-side">${detail('valid_from')} ${detail('valid_to')}</div>
    <div class="choices">
      ${when(hasRoom(week), button(texts.moreTimes, { weight: 'quiet', name: 'do', value: `more-times-${n}`, of }))}
      ${button(texts.removeWeek, { weight: 'quiet', name: 'do', value: `remove-week-${n}`, of })}
    </div>
  </fieldset>`;
}

function dayRow({ times, ...week }: WeekDraft, n: number, day: Weekday, error: string | undefined): Html {
  const name = weekName(n, day);
  const count = timesShown({ times, ...week });
  const entry = (nth: number, what: 'opens' | 'closes') =>
    html`<input
      name="${timesName(n, day, nth, what)}"
      value="${times[day][nth]?.[what] ?? ''}"
      aria-label="${texts[what](texts.days[day], nth + 1)}"
      maxlength="20"
      autocomplete="off"
      ${when(error !== undefined, html`aria-invalid="true" aria-describedby="${name}-error"`)}
      ${focusable({ isWrong: error !== undefined && nth === 0 && what === 'opens' })}
    />`;
  return html`<tr>
    <th scope="row">${texts.days[day]}</th>
    <td>
      <div class="times">
        ${Array.from({ length: count }, (_, nth) => html`<span class="time">${entry(nth, 'opens')}–${entry(nth, 'closes')}</span>`)}
      </div>
      ${when(error !== undefined, html`<p class="error" id="${name}-error">${error ?? ''}</p>`)}
    </td>
  </tr>`;
}

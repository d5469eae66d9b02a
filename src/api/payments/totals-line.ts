import { mostSummed, writtenTotals, type Totals } from '../../actions/teams/listed-members.ts';
import { html, type Html } from '../pages/html.ts';
import { en } from './texts.ts';

/** What the payments of a list are together, by currency. */
export const totalsLine = ({
  totals,
  isCut,
}: {
  readonly totals: Totals;
  readonly isCut: boolean;
}): Html | '' =>
  totals.size === 0
    ? ''
    : html`<p>
        <strong>${isCut ? en.totalsCut(mostSummed.toLocaleString('en')) : en.totals}:</strong>
        ${writtenTotals(totals)}
      </p>`;

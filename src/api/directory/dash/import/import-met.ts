import { mostGone } from '../../../../imports/missing-records.ts';
import type { ImportReport } from '../../../../imports/report.ts';
import { notice } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { TeamPageContext } from '../../../pages/page-context.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { importConflictsPath } from './import-paths.ts';
import { en } from './import-texts.ts';

/** What the import has met that a person may decide about. */
export function metOf(
  { conflicts, missing, missing_of: of, erased_left_out: erased }: ImportReport,
  id: string,
  team: string,
): Html {
  return html`${
    conflicts === 0
      ? ''
      : html`<p><a href="${ofTeam(importConflictsPath(id), team)}">${en.conflicts.link(conflicts)}</a></p>`
  }
  ${missing === 0 ? '' : html`<p>${en.missing.sentence(missing, of)}</p>`}
  ${missing > of * mostGone ? notice(en.missing.many, 'wrong') : ''}
  ${erased === 0 ? '' : html`<p>${en.erased(erased)}</p>`}`;
}

/** Ticked, what the source no longer has is taken out. */
export function removeBox(report: ImportReport): Html | '' {
  const { missing, missing_of: of, organizations } = report;
  const { missing: gone = 0, unchanged = 0, revised = 0 } = organizations ?? {};
  if (missing + gone === 0) return '';
  const isMany = missing > of * mostGone;
  const how = isMany || gone > (gone + unchanged + revised) * mostGone ? 'any' : 'few';
  const ofRecords = isMany ? en.missing.removeMany(missing) : en.missing.remove(missing);
  return html`<div class="field check">
    <input type="checkbox" id="remove" name="remove" value="${how}" />
    <label for="remove">${missing === 0 ? en.missingOrganizations.remove(gone) : ofRecords}</label>
  </div>`;
}

/** What the box says that is ticked to take out what the source no longer has. */
export function removing({ form: sent }: TeamPageContext): { readonly removeMissing?: 'few' | 'any' } {
  const how = sent.get('remove');
  return how === 'few' || how === 'any' ? { removeMissing: how } : {};
}

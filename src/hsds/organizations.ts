import type { UnsealedFields } from '../events/directory/resource-fields.ts';
import { known } from './fields/known.ts';
import type { HsdsWarning } from './item.ts';
import type { RelatedRows, Row } from './source/related-rows.ts';
import { cleanLine, cleanText, emailAddress, quoted, webAddress } from './text.ts';

/** What an organization gives to its services. */
export interface Organization {
  readonly name: string;
  readonly url: string;
  readonly email: string;
  readonly description: string;
}

export const shownOrganization = ({ name, url }: Organization): UnsealedFields['organization'] =>
  name === '' ? undefined : { name, ...known({ url }) };

const siteOf = (row: Row): string => row.cell('website') || row.cell('url');

/** What a row of organizations says. */
export function organizationFrom(row: Row | undefined): Organization | undefined {
  if (!row) return undefined;
  return {
    name: cleanLine(row.cell('name')),
    url: webAddress(siteOf(row)) ?? '',
    email: emailAddress(row.cell('email')) ?? '',
    description: cleanText(row.cell('description')),
  };
}

/** A warning for each row of organizations that is left out, and for each of its values that is. */
export function* organizationWarnings(related: RelatedRows): Generator<HsdsWarning> {
  for (const row of related.each('organizations')) {
    const id = row.cell('id');
    const warning = (reason: string): HsdsWarning => ({
      kind: 'warning',
      file: row.file,
      line: row.line,
      reason: `organization ${id}${reason}`,
    });
    const first = related.rowOf('organizations', id);
    if (first && (first.line !== row.line || first.file !== row.file)) {
      yield warning(' is there already; this row is left out');
      continue;
    }
    const wrong = (field: string, value: string, kind: string): HsdsWarning =>
      warning(`: the ${field} ${quoted(value)} is not ${kind} address; left out`);
    const [site, mail] = [siteOf(row), row.cell('email')];
    if (site !== '' && webAddress(site) === undefined) yield wrong('url', site, 'a web');
    if (mail !== '' && emailAddress(mail) === undefined) yield wrong('email', mail, 'an email');
  }
}

import type { Row } from '../source/related-rows.ts';
import { cleanLine, compareIds, webAddress } from '../text.ts';

/** A row of `urls` (HSDS 3.1) that is an address. */
export interface LabelledAddress {
  readonly row: Row;
  readonly label: string;
  readonly url: string;
}

export const addressesIn = (rows: readonly Row[]): LabelledAddress[] =>
  [...rows]
    .sort((one, other) => compareIds(one.cell('id'), other.cell('id')))
    .flatMap((row) => {
      const url = webAddress(row.cell('url'));
      return url === undefined ? [] : [{ row, label: cleanLine(row.cell('label')), url }];
    });

/** Whether an address leads to where people apply, in English and Spanish. */
export const isToApply = ({ label }: LabelledAddress): boolean =>
  /\b(appl(y|ication)|regist|enrol|sign.?up|book|appointment|intake|form|referral|solicit|inscri|registr|cita)/i.test(
    label,
  );

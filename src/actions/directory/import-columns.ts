import { z } from 'zod';
import { CommandRefused } from '../../ground/refusals.ts';
import { mapping } from '../../imports/sheet-columns.ts';
import { action, personOf } from '../action.ts';
import { requireImport, right, type ImportingParts } from './imports.ts';

/**
 * Says what the columns of a spreadsheet are. `compares`: it is compared then; otherwise they are only shown as they would
 * be. `sheet`: another one, whose columns are guessed.
 */
export const chooseColumns = action({
  name: 'directory.choose-columns',
  right,
  input: z.object({
    id: z.string(),
    sheet: z.string().max(300).optional(),
    columns: mapping.shape.columns,
    compares: z.boolean(),
  }),
  async run(parts: ImportingParts, { id, sheet, columns, compares }, { who }) {
    const state = await requireImport(parts, who, id);
    if (state.phase !== 'columns' || !state.sheet)
      throw new CommandRefused('conflict', 'The columns of this file are chosen already.');
    const isOther = sheet !== undefined && sheet !== state.sheet.sheet;
    const targets = Object.values(columns);
    if (compares && !isOther && !targets.includes('name') && !targets.includes('organization'))
      throw new CommandRefused(
        'invalid',
        'Say which column is the name of the service, or the organization.',
      );
    await parts.imports.chooseColumns(state, {
      ...(isOther ? { sheet } : { columns }),
      compares: compares && !isOther,
      by: personOf(who),
    });
    return { changes: [], value: () => ({ id: state.id, compares: compares || isOther }) };
  },
});

import { languageCodes } from '../src/tables/language-codes.ts';
import { lacksOf } from '../src/tables/language-tables.ts';

/** Says what each language of the pages lacks, and what nobody has reviewed yet: `npm run languages`. */
for (const code of languageCodes) {
  const lacks = lacksOf(code);
  console.log(
    lacks.length === 0 ? `${code}: complete` : `${code}:\n${lacks.map((each) => `  ${each}`).join('\n')}`,
  );
}

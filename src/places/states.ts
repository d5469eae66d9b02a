/** The states and territories of the United States by their postal abbreviations. Sources write one or the other. */
const names = `
AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware;DC District of Columbia;
FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;LA Louisiana;ME Maine;
MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;NE Nebraska;NV Nevada;
NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;OH Ohio;OK Oklahoma;
OR Oregon;PA Pennsylvania;RI Rhode Island;SC South Carolina;SD South Dakota;TN Tennessee;TX Texas;UT Utah;VT Vermont;
VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming;AS American Samoa;GU Guam;
MP Northern Mariana Islands;PR Puerto Rico;VI Virgin Islands`;

const pairs = names.split(';').map((entry) => {
  const [abbreviation = '', ...words] = entry.trim().split(' ');
  return { abbreviation, name: words.join(' ') };
});

/** The abbreviations. */
export const stateCodes: readonly string[] = pairs.map(({ abbreviation }) => abbreviation);

/** Those that have a code of their own among the countries (ISO 3166-1). */
export const territories: readonly string[] = ['AS', 'GU', 'MP', 'PR', 'VI'];

const codeOf: ReadonlyMap<string, string> = new Map(
  pairs.flatMap(({ abbreviation, name }) => [
    [abbreviation.toLowerCase(), abbreviation] as const,
    [name.toLowerCase(), abbreviation] as const,
  ]),
);
const nameOf: ReadonlyMap<string, string> = new Map(
  pairs.map(({ abbreviation, name }) => [abbreviation, name]),
);

/** The abbreviation of a state, however it is written: "FL", "fl.", "Florida". */
export const stateCode = (region: string): string | undefined =>
  codeOf.get(region.trim().replaceAll('.', '').toLowerCase());

/** The name of a state by its abbreviation, or the other way round. */
export function stateOtherwise(region: string): string | undefined {
  const code = stateCode(region);
  if (code === undefined) return undefined;
  return region.trim().replaceAll('.', '').length === 2 ? nameOf.get(code) : code;
}

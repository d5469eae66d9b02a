import type { Category } from '../../events/directory/category.ts';

/**
 * How much a term decides. `first`: it names what people come for, whatever else is there. `need`: it names a need.
 * `besides`: a need that is mostly met beside another. `weak`: it tells how or by whom a service is given.
 */
export type Weight = 'first' | 'need' | 'besides' | 'weak';

export type Decision = readonly [
  code: string,
  category: Category | undefined,
  weight: Weight,
  /** Why the branch goes there. */
  why: string,
];

/**
 * The 211 Human Services Indexing System (the AIRS/211 LA County taxonomy): a code begins with the letter of its section
 * and narrows from left to right, `BD-1800.2000-640`. The longest code listed here that a term begins with decides;
 * `undefined` is a term that must never decide.
 */
export const decisions211: readonly Decision[] = [
  // Basic needs
  ['B', 'goods', 'need', 'what is neither food, housing nor transport is a thing to have'],
  ['BD', 'food', 'need', 'food'],
  ['BD-1800', 'food', 'first', 'pantries and food vouchers: who is hungry looks for these'],
  ['BD-1800.8200-250', 'goods', 'besides', 'baby food is given with diapers and clothes'],
  ['BD-5000.1500', 'food', 'first', 'meals at a table, also where a senior center offers more'],
  ['BD-5000.8300', 'food', 'first', 'soup kitchens'],
  ['BH', 'housing', 'need', 'housing'],
  ['BH-1800', 'housing', 'first', 'a bed for tonight is more urgent than what the shelter offers besides'],
  ['BH-1800.1500', 'emergency', 'first', 'shelters from violence and for runaways'],
  ['BM', 'goods', 'besides', 'clothes and household goods are given beside other help'],
  ['BM-8500', 'goods', 'need', 'thrift shops give nothing else'],
  ['BT', 'transit', 'need', 'transport'],
  ['BT-8750', 'other', 'need', 'help for travelers is advice'],
  ['BV', 'housing', 'need', 'utilities belong to the home'],
  ['BV-8900.9300', 'money', 'need', 'help with a utility bill is money'],

  // Consumer services
  ['D', 'other', 'need', 'no need of this directory'],
  ['DD', 'legal', 'need', 'a consumer claims a right'],
  ['DD-1500.9650', 'other', 'need', 'complaints of customers to their own utility'],
  ['DF', 'legal', 'need', 'records, identity papers, licenses'],
  ['DM', 'money', 'need', 'debts and household money'],
  ['DM-1800.2000', 'housing', 'need', 'counseling about a mortgage keeps the home'],
  ['DT', 'money', 'need', 'taxes'],

  // Criminal justice and legal services
  ['F', 'legal', 'need', 'courts, corrections, legal aid'],
  ['FL', 'emergency', 'need', 'police'],
  ['FN-1500', 'legal', 'weak', 'prevention of crime speaks to everybody'],
  ['FN-1500.1900', 'emergency', 'weak', 'prevention of violence in families leads to help against it'],
  ['FN-1500.3600', 'care', 'weak', 'prevention of delinquency is work with youths'],
  ['FN-1500.9100', 'emergency', 'weak', 'programs against domestic violence'],
  ['FN-1500.9700', 'care', 'weak', 'prevention of youth violence is work with youths'],
  ['FN-1900', 'legal', 'need', 'crime victims are accompanied in their rights'],
  ['FN-1900.1500', 'money', 'need', 'compensation of crime victims is paid out'],
  ['FN-5000', 'emergency', 'need', 'missing persons'],
  ['FP', 'legal', 'weak', 'forms of legal help and advocacy, also for benefits or health'],
  ['FT-1000', 'money', 'need', 'legal help to get benefits'],

  // Education
  ['H', 'education', 'need', 'education'],
  ['HL-8120.7800', 'goods', 'besides', 'school supplies are things'],
  ['HL-8120.8030', 'health', 'need', 'clinics in schools'],
  ['HL-8700', 'education', 'besides', 'tutoring is part of most after-school programs'],

  // Environment, public health and public safety
  ['J', 'other', 'need', 'no need of a single person'],
  ['JP', 'health', 'need', 'control of diseases'],
  ['JR-1900', 'emergency', 'need', 'fire service'],
  ['JR-1950', 'emergency', 'need', 'fire stations'],
  ['JR-6000', 'emergency', 'need', '911'],
  ['JR-8000', 'transit', 'need', 'traffic safety'],
  ['JR-8200', 'education', 'weak', 'safety education'],
  ['JR-8400', 'goods', 'need', 'safety equipment is things'],

  // Health care
  ['L', 'health', 'need', 'health care'],
  ['LD', 'emergency', 'need', 'emergency medicine'],
  ['LH-2700.6500', 'emergency', 'first', 'poison control answers at once'],
  ['LH-2700.9500', 'health', 'weak', 'wellness is offered on the side'],
  ['LH-6300.3650', 'housing', 'need', 'rooms for families of patients'],
  ['LH-6300.9500', 'care', 'need', 'wishes of the seriously ill are company, not treatment'],
  ['LJ-5000.8000', 'emergency', 'need', 'safe places for abandoned newborns'],
  ['LR-3100', 'care', 'need', 'day care for adults with disabilities'],
  ['LR-3200', 'care', 'need', 'skills of daily life'],

  // Income support and employment
  ['N', 'money', 'need', 'income'],
  ['NL-1000', 'money', 'first', 'the office that grants cash grants food stamps and Medicaid too'],
  ['ND', 'employment', 'need', 'work'],
  ['NL-3000.1500', 'care', 'need', 'subsidies for child care'],
  ['NL-5000', 'health', 'need', 'a benefit is filed under what it pays for: Medicaid'],
  ['NL-6000', 'food', 'need', 'a benefit is filed under what it pays for: food stamps'],
  ['NL-6000.9500', 'food', 'first', 'WIC is food; its advice and referrals come with it'],
  ['NS-8000', 'health', 'need', 'a benefit is filed under what it pays for: Medicare'],

  // Individual and family life
  ['P', 'care', 'need', 'people who care for people'],
  ['PB', 'other', 'need', 'funerals'],
  ['PB-0900', 'money', 'need', 'help to pay for a burial'],
  ['PD', 'other', 'need', 'animal shelters and pets: no need of a person'],
  ['PH-0700', 'money', 'need', 'screening for benefits'],
  ['PH-1000', 'care', 'weak', 'case management is how many services are given'],
  ['PH-1250', 'care', 'need', 'child care'],
  ['PH-1450', 'legal', 'need', 'refugees and immigrants need a status first'],
  ['PH-2360.8000', 'education', 'need', 'help at school, so that pupils stay there'],
  ['PH-2360.9500', 'care', 'weak', 'wraparound is how a service is given'],
  ['PH-2950', 'goods', 'weak', 'gifts once a year'],
  ['PH-2950.8500', 'food', 'weak', 'meals once a year'],
  ['PH-3300.2750', 'housing', 'need', 'repairs of the home'],
  ['PH-3500', 'other', 'need', 'interpreters'],
  ['PH-6200', 'education', 'weak', 'workshops are offered on the side'],
  ['PH-6200.2000', 'care', 'need', 'education for family life is for parents'],
  ['PH-6300.8000', 'housing', 'need', 'a place to live for youths who leave foster care'],
  ['PH-6500', 'emergency', 'need', 'protection from abuse'],
  ['PL', 'other', 'need', 'leisure'],
  ['PL-6400.1500', 'care', 'need', 'camps look after children'],
  ['PL-6400.1500-850', 'care', 'weak', 'a therapeutic camp is the form of a therapy'],
  [
    'PL-7400',
    'education',
    'besides',
    'lessons in arts and music; camps and after-school programs have them too',
  ],
  ['PN-8100.0200', 'mental', 'need', 'support groups after abuse'],
  ['PN-8100.0500', 'mental', 'need', 'support groups for addictions'],
  ['PN-8100.1000', 'mental', 'need', 'support groups for the bereaved'],
  ['PN-8100.3000', 'health', 'need', 'support groups for an illness'],
  ['PN-8100.5000', 'mental', 'need', 'support groups for mental health'],
  ['PS-9800.9700', 'education', 'need', 'youths learn about business; they are not employed'],
  ['PX', 'other', 'weak', 'who volunteers gives help, and does not look for it'],

  // Mental health and substance use
  ['R', 'mental', 'need', 'counseling, psychiatry, addiction'],
  ['RD-6200', 'mental', 'weak', 'pastoral counseling is one of the things a church does'],
  ['RF', 'mental', 'weak', 'forms of counseling, whatever about'],
  ['RP-1400.8000-020', 'emergency', 'need', 'counseling for victims of abuse and violence'],
  ['RP-1400.8000-650', 'care', 'need', 'counseling for parents'],
  ['RP-1400.8000-800', 'emergency', 'need', 'counseling after sexual assault'],
  ['RP-1500', 'emergency', 'need', 'crisis intervention'],
  ['RX-8250', 'mental', 'besides', 'prevention of addiction is taught where people are anyway'],
  ['RR-5150.5000-700', 'emergency', 'need', 'prevention of suicide'],

  // Organizations, community, government
  ['T', 'other', 'need', 'organizations and offices, no need of a person'],
  ['TB-0700', 'other', 'weak', 'fundraising, and counters where bills are paid'],
  ['TB-0900', 'employment', 'need', 'people who start a business'],
  ['TC-5500.8000', 'care', 'besides', 'senior centers: what they offer says more'],
  ['TD', 'other', 'weak', 'associations: what they do says more'],
  ['TH', 'emergency', 'need', 'disasters'],
  ['TI', 'other', 'weak', 'who donates gives help, and does not look for it'],
  ['TJ-3000', 'other', 'weak', 'information and referral goes with most services'],
  [
    'TJ-3000.8500',
    'other',
    'first',
    'a 211 center is asked about every need; its crisis line is one of them',
  ],
  ['TJ-3200.5000', 'health', 'need', 'medical libraries and lines'],
  ['TJ-4500', 'education', 'first', 'libraries: their tax days and story hours are guests'],
  ['TJ-6500', 'other', 'weak', 'campaigns'],
  ['TM', 'other', 'weak', 'the military as such'],
  ['TP', 'other', 'weak', 'advice to organizations'],
  ['TQ', 'other', 'weak', 'civic life'],
  ['TR', 'other', 'weak', 'civic life'],

  // Target populations
  ['Y', undefined, 'weak', 'for whom, never what'],
];

const decisionByCode = new Map(decisions211.map((decision) => [decision[0], decision]));

/** The decision of the longest listed code that this one begins with. */
export function decisionOf211(code: string): Decision | undefined {
  for (let length = code.length; length > 0; length--) {
    const decision = decisionByCode.get(code.slice(0, length));
    if (decision) return decision;
  }
  return undefined;
}

/** The facet under which taxonomy files list terms that tell how a service is given. */
export const modalityFacet = /^modality|delivery format/i;

/** The facet of terms that tell by whom it is given. */
export const organizationFacet = /^organization\/facility type/i;

/** Facets of target populations, for files whose codes do not tell them. */
export const populationFacet = /target population/i;

export const is211Code = (code: string): boolean =>
  /^[BDFHJLNPRTY][A-Z]?(-\d{4}(\.\d{4}(-\d{3}(\.\d{2})*)?)?)?$/.test(code);

/** How deep in the taxonomy a code lies, 1 to 6. */
export const levelOf211 = (code: string): number => (code.length === 1 ? 1 : 1 + code.split(/[-.]/).length);

/** The second level, `BM`. A church that gives clothes, furniture and toys meets one need. */
export const branchOf211 = (code: string): string => code.split('-', 1)[0] ?? code;

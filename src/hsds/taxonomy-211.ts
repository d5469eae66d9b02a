import type { Category } from '../events/directory/category.ts';

/**
 * The 211 Human Services Indexing System (the AIRS/211 LA County taxonomy): a code begins with the letter of its section
 * and narrows from left to right, `BD-1800.2000-640`. The longest prefix listed here decides; `undefined` is a term that
 * must never decide. Only codes of the top levels are named, after the published outline of the taxonomy.
 *
 * Where a code could go two ways: homeless shelters are housing, but shelters from violence and for runaways,
 * crisis intervention, abuse reporting, police, fire and ambulance are emergency; help with rent is housing and help
 * with a utility bill is money; a benefit is filed under what it pays for (food stamps: food, Medicaid: health).
 */
export const needsByCode: Readonly<Record<string, Category | undefined>> = {
  // B: basic needs
  B: 'goods',
  BD: 'food',
  BH: 'housing',
  'BH-1800.1500': 'emergency',
  BM: 'goods',
  BT: 'transit',
  'BT-8750': 'other',
  BV: 'housing',
  'BV-8900.9300': 'money',

  // D: consumer services
  D: 'other',
  DD: 'legal',
  DF: 'legal',
  DM: 'money',
  'DM-1800.2000': 'housing',
  DT: 'money',

  // F: criminal justice and legal services
  F: 'legal',
  FL: 'emergency',
  'FN-1500.1900': 'care',
  'FN-1500.9100': 'care',
  'FN-1500.3600': 'care',
  'FN-1500.9700': 'care',
  'FN-1900.1500': 'money',
  'FN-5000': 'emergency',
  'FT-1000': 'money',

  // H: education
  H: 'education',
  'HL-8120.7800': 'goods',
  'HL-8120.8030': 'health',

  // J: environment, public health and public safety
  J: 'other',
  JP: 'health',
  'JR-1900': 'emergency',
  'JR-1950': 'emergency',
  'JR-8000': 'transit',
  'JR-8200': 'education',
  'JR-8400': 'goods',

  // L: health care
  L: 'health',
  LD: 'emergency',
  'LH-6300.3650': 'housing',
  'LH-6300.9500': 'care',
  'LJ-5000.8000': 'emergency',
  'LR-3100': 'care',
  'LR-3200': 'care',

  // N: income support and employment
  N: 'money',
  ND: 'employment',
  'NL-3000.1500': 'care',
  'NL-5000': 'health',
  'NL-6000': 'food',
  'NS-8000': 'health',

  // P: individual and family life
  P: 'care',
  'PB-0900': 'money',
  PD: 'other',
  'PH-0700': 'money',
  'PH-2950.3200': 'goods',
  'PH-2950.8500': 'food',
  'PH-3300.2750': 'housing',
  'PH-3500': 'other',
  'PH-6200': 'education',
  'PH-6300.8000': 'housing',
  'PH-6500': 'emergency',
  PL: 'other',
  'PL-6400.1500': 'care',
  'PL-7400': 'education',
  'PN-8100.0200': 'mental',
  'PN-8100.0500': 'mental',
  'PN-8100.1000': 'mental',
  'PN-8100.3000': 'health',
  'PN-8100.5000': 'mental',
  'PS-9800.9700': 'employment',

  // R: mental health and substance use
  R: 'mental',
  'RP-1500': 'emergency',
  'RR-5150.5000-700': 'emergency',

  // T: organizations, community, government
  T: 'other',
  'TB-0900': 'employment',
  'TC-5500.8000': 'care',
  TH: 'emergency',
  'TJ-3200.5000': 'health',
  'TJ-4500': 'education',

  // Y: target populations say for whom, never what
  Y: undefined,
};

/**
 * Terms that tell how or by whom a service is given, not which need it meets. They decide only where no other term
 * does. Volunteering and donating are not needs of the person who looks for help.
 */
export const weakCodes: readonly string[] = [
  'FN-1500',
  'FP',
  'JR-8200',
  'PH-1000',
  'PH-6200',
  'PX',
  'RD-6200',
  'RF',
  'TB-0700',
  'TD',
  'TI',
  'TJ-3000',
  'TJ-6500',
  'TM',
  'TP',
  'TQ',
  'TR',
];

/** The facet under which taxonomy files list such terms. */
export const weakFacet = /^modality|delivery format/i;

/** Facets of target populations, for files whose codes do not tell them. */
export const populationFacet = /target population/i;

export const is211Code = (code: string): boolean =>
  /^[BDFHJLNPRTY][A-Z]?(-\d{4}(\.\d{4}(-\d{3}(\.\d{2})*)?)?)?$/.test(code);

/** How deep in the taxonomy a code lies, 1 to 6. */
export const levelOf211 = (code: string): number => (code.length === 1 ? 1 : 1 + code.split(/[-.]/).length);

/** The third level, `BV-8900`, at which terms name a need. */
export const branchOf211 = (code: string): string => code.split('.', 1)[0] ?? code;

import { describe, expect, it } from 'vitest';
import { categories } from '../../src/events/directory/category.ts';
import { categoriesOf, voteOf, type Term, type Vote } from '../../src/hsds/fields/categories.ts';
import { decisions211, is211Code } from '../../src/hsds/fields/taxonomy-211.ts';
import { records, type Files } from './support.ts';

const term = (code: string, name = '', more: Partial<Term> = {}): Term => ({
  code,
  name,
  facet: '',
  parent: '',
  parentName: '',
  taxonomy: '',
  ...more,
});
const votes = (...codes: string[]): Vote[] =>
  codes.map((code) => voteOf(term(code))).filter((vote) => vote !== undefined);
const categoryOf = (...[of, name, description]: Parameters<typeof categoriesOf>) =>
  categoriesOf(of, name, description).category;
const byCodes = (...codes: string[]) => categoryOf(votes(...codes), 'Nameless');

describe('211 codes', () => {
  it.each([
    ['BD-1800.2000-640', 'food'],
    ['BH-7000.4600', 'housing'],
    ['BH-1800.8500', 'housing'],
    ['BH-1800.1500-100', 'emergency'],
    ['BM-6500.1500', 'goods'],
    ['BT-4500.4700-500', 'transit'],
    ['BV-8900.9300-180', 'money'],
    ['DM-6500', 'money'],
    ['DT-8800.9300-930', 'money'],
    ['FT-3200', 'legal'],
    ['FL-6500', 'emergency'],
    ['FJ-6700.6500', 'legal'],
    ['HH-0500.8000-150', 'education'],
    ['HL-8120.8030', 'health'],
    ['JR-1900.2000', 'emergency'],
    ['JP-6500', 'health'],
    ['LV-1600', 'health'],
    ['LJ-5000.8000', 'emergency'],
    ['ND-3500.3600', 'employment'],
    ['NL-1000.8500', 'money'],
    ['NL-6000.2000', 'food'],
    ['NL-5000.5000', 'health'],
    ['NS-1800.8000', 'money'],
    ['PH-1250.1400', 'care'],
    ['PH-6500.0500', 'emergency'],
    ['PL-7000', 'other'],
    ['RP-1400.8000-070', 'mental'],
    ['RP-1500.1400-800', 'emergency'],
    ['RX-8450.1150', 'mental'],
    ['TH-2600', 'emergency'],
    ['TA-5500', 'other'],
  ])('%s is %s', (code, expected) => {
    expect(byCodes(code)).toBe(expected);
  });

  // That every row is a code of its own with a reason, the table's reader asks for.
  it('every category has a code', () => {
    const named = decisions211.map(({ category }) => category).filter((category) => category !== undefined);
    expect(new Set(named)).toEqual(new Set(categories));
  });

  it('what is no code is not taken for one', () => {
    for (const code of ['', 'code', 'BD1800', 'bd-1800', 'ABC-1000', '1101', 'BD-18'])
      expect(is211Code(code)).toBe(false);
  });
});

describe('target populations never decide', () => {
  it('a code of a population gives no vote', () => {
    expect(votes('YB-8000', 'YV-3000', 'Y')).toEqual([]);
    expect(byCodes('YV-3000', 'YB-8000', 'YF-3000', 'LV-1600')).toBe('health');
  });

  it('a term under their facet or section gives no vote', () => {
    expect(voteOf(term('x', 'Food Insecure Families', { facet: 'Target Populations' }))).toBeUndefined();
    expect(voteOf(term('x', 'Veterans Health', { parentName: 'Target Populations' }))).toBeUndefined();
  });

  it('a term of the human situations of Open Eligibility gives no vote', () => {
    const terms = new Map([
      ['root', term('', 'Human Situations')],
      ['housing', term('', 'Housing', { parent: 'root' })],
    ]);
    expect(voteOf(term('', 'Housing', { parent: 'root' }), terms)).toBeUndefined();
    expect(voteOf(term('', 'Near Homeless', { parent: 'housing' }), terms)).toBeUndefined();
  });
});

describe('Open Eligibility', () => {
  it.each([
    ['Emergency', 'emergency'],
    ['Food Pantry', 'food'],
    ['Addiction & Recovery', 'mental'],
    ['Advocacy and Legal Aid', 'legal'],
    ['Work', 'employment'],
    ['Help Pay for Utilities', 'money'],
  ])('%s is %s', (name, expected) => {
    expect(voteOf(term('', name))?.category).toBe(expected);
  });

  it.each([
    ['1101', 'emergency'],
    ['1102', 'food'],
    ['1111', 'legal'],
    ['1130', 'food'],
    ['1390', 'legal'],
  ])('the code %s is %s', (code, expected) => {
    expect(voteOf(term(code, 'Untold'))?.category).toBe(expected);
  });

  it('its names go before its codes, and a code of another taxonomy is none of its codes', () => {
    expect(voteOf(term('1102', 'Dental Care'))?.category).toBe('health');
    expect(voteOf(term('1102', 'Untold', { taxonomy: 'Open Eligibility' }))?.category).toBe('food');
    expect(voteOf(term('1102', 'Untold', { taxonomy: 'County list' }))).toBeUndefined();
  });

  it('a number beyond its codes says nothing', () => {
    expect(voteOf(term('1391'))).toBeUndefined();
    expect(voteOf(term('1100'))).toBeUndefined();
  });

  it('a term that is not known is what the term above it is', () => {
    const terms = new Map([['goods', term('', 'Goods')]]);
    expect(voteOf(term('', 'Wobbly Things', { parent: 'goods' }), terms)).toEqual({
      category: 'goods',
      weight: 'need',
      level: 2,
      branch: 'Goods',
    });
  });
});

it('parents in a circle come to an end', () => {
  const terms = new Map([
    ['a', term('', 'Thing A', { parent: 'b' })],
    ['b', term('', 'Thing B', { parent: 'a' })],
  ]);
  expect(voteOf(term('', 'Thing', { parent: 'a' }), terms)).toBeUndefined();
});

describe('of several terms', () => {
  it('the need that most name wins', () => {
    expect(byCodes('BM-6500.1500-100', 'LV-1600', 'LN-1500')).toBe('health');
  });

  it('terms of one branch are one need', () => {
    expect(byCodes('BV-8900.9300-180', 'BV-8900.9300-250', 'BV-8900.9300-950', 'LV-1600', 'LN-1500')).toBe(
      'health',
    );
  });

  it('any need goes before other', () => {
    expect(byCodes('PL-7000', 'PL-7000.1800', 'TA-5500', 'LR-6600')).toBe('health');
  });

  it('terms that say how or by whom count only alone', () => {
    expect(byCodes('RF-2000', 'RF-2500', 'RF-3300', 'RF-1500', 'PH-6100')).toBe('care');
    expect(byCodes('RF-2000', 'PX')).toBe('mental');
    expect(categoryOf(votes('RF-2000', 'RF-3300', 'PH-1000'), 'Foster Care')).toBe('care');
    const facet = { facet: 'Modality/Delivery Format' };
    const modality = voteOf(term('LV-1600', '', facet));
    expect(categoryOf([...(modality ? [modality, modality] : []), ...votes('BD-5000')], 'Nameless')).toBe(
      'food',
    );
  });

  it('of equals the name decides, then weak terms, then depth, then the description, then urgency', () => {
    const tie = votes('BD-5000', 'ND-2000');
    expect(categoryOf(tie, 'Job Corner')).toBe('employment');
    expect(categoryOf([...votes('FT-3200', 'HH-0500'), ...votes('FP-4500')], 'Nameless')).toBe('legal');
    expect(byCodes('BD-5000', 'ND-2000.1500')).toBe('employment');
    expect(categoryOf(tie, 'Nameless', 'We train you for a job.')).toBe('employment');
    expect(categoryOf(tie, 'Nameless')).toBe('food');
    expect(categoryOf(tie.toReversed(), 'Nameless')).toBe('food');
  });

  it('a term that says other stands against passing words of the description', () => {
    expect(categoryOf(votes('TA-5500'), 'Nameless', 'Food, meals and groceries.')).toBe('other');
  });
});

describe('what people come for goes before what is met besides', () => {
  it.each([
    ['WIC with its nutrition counseling is food', ['NL-6000.9500', 'LF-4900.6200', 'LH-2700.6000'], 'food'],
    ['a pantry of a social service is food', ['BD-1800.2000-640', 'BH-3800.7000', 'BM-6500.1500'], 'food'],
    ['a meal site in a senior center is food', ['BD-5000.1500', 'TC-5500.8000', 'PL-7000'], 'food'],
    ['a library with tax days is education', ['TJ-4500.8000', 'DT-8800.9300-930'], 'education'],
    ['an animal shelter is other', ['PD-7600.0600', 'PD-9000.7000'], 'other'],
    ['poison control is an emergency', ['LH-2700.6500', 'LH-2700.1700'], 'emergency'],
    ['a 211 center is other', ['TJ-3000.8500-850', 'RP-1500.1400'], 'other'],
    ['victim assistance is legal', ['FN-1900.2500', 'TJ-3000.8000'], 'legal'],
    ['counseling for victims of violence is an emergency', ['RP-1400.8000-020.80', 'PH-1000'], 'emergency'],
    ['an office for all benefits is money', ['NL-1000.8500', 'NL-6000.2000', 'NL-5000.5000'], 'money'],
    ['after-school care with tutoring is care', ['PH-1250.1800', 'HL-8700', 'PL-7400.1700'], 'care'],
    ['job training that gives clothes is employment', ['ND-2000', 'BM-6500.1500-950'], 'employment'],
  ])('%s', (_, codes, expected) => {
    expect(byCodes(...codes)).toBe(expected);
  });

  it.each([
    ['Food Pantry', ['Clothing', 'Housing Advice'], 'food'],
    ['Emergency Shelter', ['Help Find Work', 'Medical Care'], 'housing'],
    ['Afterschool Care', ['Tutoring'], 'care'],
    ['Animal Welfare', ['Case Management'], 'other'],
  ])('in Open Eligibility %s goes before %s', (first, others, expected) => {
    const all = [...others, first].map((name) => voteOf(term('', name))).filter((vote) => vote !== undefined);
    expect(categoryOf(all, 'Nameless')).toBe(expected);
  });
});

describe('further categories', () => {
  const further = (...codes: string[]) => categoriesOf(votes(...codes), 'Nameless').categories;

  it('are the other needs that terms name, most important first, without the main one', () => {
    expect(categoriesOf(votes('BH-1800.8500', 'BD-5000'), 'Nameless')).toEqual({
      category: 'housing',
      categories: ['food'],
    });
    expect(further('BD-1800.2000-640', 'BM-6500.1500', 'ND-2000', 'ND-3500.3600')).toEqual([
      'employment',
      'goods',
    ]);
  });

  it('are not what only tells how or by whom, and never other', () => {
    expect(further('LV-1600', 'RF-2000', 'PH-1000', 'PX', 'TA-5500')).toEqual([]);
  });

  it('stay when the main one is other', () => {
    expect(further('TJ-3000.8500-850', 'RP-1500.1400')).toEqual(['emergency']);
  });

  it('are none without a term, whatever the texts say', () => {
    expect(categoriesOf([], 'Food and Housing', 'Jobs, meals and a clinic.')).toEqual({
      category: 'food',
      categories: [],
    });
  });
});

describe('without a telling term', () => {
  it.each([
    ['HOPE FOOD PANTRY', '', 'food'],
    ['Clínica San Juan', '', 'health'],
    ['Mental Health Associates', '', 'mental'],
    ['Domestic Violence Program', '', 'emergency'],
    ['Pre-K for All', '', 'education'],
    ['Harbor', 'Warm meals and a food pantry, open to all.', 'food'],
    ['Harbor', 'Serving veterans, seniors and homeless families.', 'other'],
    ['Parents', 'Different currents.', 'other'],
    ['Harbor', '', 'other'],
    ['County Animal Shelter', '', 'other'],
    ['Branch Library', '', 'education'],
    ['WIC Office', '', 'food'],
    ['Victim Assistance', '', 'legal'],
    ['Credit and Housing Counsel', '', 'money'],
  ])('the words of "%s" and "%s" make it %s', (name, description, expected) => {
    expect(categoryOf([], name, description)).toBe(expected);
  });

  it('the name goes before the description', () => {
    expect(categoryOf([], 'Legal Desk', 'food food pantry meals shelter')).toBe('legal');
  });

  it('one passing word in a long description is no sign', () => {
    expect(categoryOf([], 'Harbor', `${'Something about people. '.repeat(20)}Take the bus.`)).toBe('other');
  });
});

describe('terms reach their service', () => {
  const services = { 'services.csv': 'id,name\n144,Nameless\n' };
  const terms = { 'taxonomy_terms.csv': 'id,code,name\nt1,LV-1600,Dental\nt2,BD-5000,Meals\n' };
  const category = async (files: Files) => (await records({ ...services, ...files }))[0]?.fields.category;

  it('through attributes of services, not of other entities with the same id', async () => {
    const attributes =
      'id,link_id,taxonomy_term_id,link_entity\n1,144,t1,location\n2,144,t1,organization\n3,144,t2,service\n';
    expect(await category({ ...terms, 'attributes.csv': attributes })).toBe('food');
  });

  it('through service_taxonomy, also when the term itself is not listed', async () => {
    expect(await category({ 'service_taxonomy.csv': 'id,service_id,taxonomy_id\n1,144,LV-1600\n' })).toBe(
      'health',
    );
  });

  it('a term that is named twice counts once', async () => {
    const rows = '1,144,BD-5000\n2,144,BD-5000\n3,144,ND-2000.1500\n';
    expect(await category({ 'service_taxonomy.csv': `id,service_id,taxonomy_id\n${rows}` })).toBe(
      'employment',
    );
  });

  it('the further needs are stored beside the main one', async () => {
    const rows = '1,144,BH-1800.8500\n2,144,BD-5000\n3,144,PX\n';
    const [record] = await records({
      ...services,
      'service_taxonomy.csv': `id,service_id,taxonomy_id\n${rows}`,
    });
    expect(record?.fields).toMatchObject({ category: 'housing', categories: ['food'] });
  });
});

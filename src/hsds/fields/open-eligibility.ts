import type { Category } from '../../events/directory/category.ts';
import type { Weight } from './taxonomy-211.ts';

/**
 * Open Eligibility has eleven kinds of human services. It also has human situations, which tell for whom a service is
 * and must never decide. Its codes 1101–1111 are the kinds, in this order.
 */
export const kinds: Readonly<Record<string, Category>> = {
  emergency: 'emergency',
  food: 'food',
  housing: 'housing',
  goods: 'goods',
  transit: 'transit',
  health: 'health',
  money: 'money',
  care: 'care',
  education: 'education',
  work: 'employment',
  legal: 'legal',
};

/**
 * Terms with a code from this one up to the next in the list belong to this kind. Below the kinds, codes are numbered
 * in one sequence.
 */
export const kindsByCode: readonly (readonly [from: number, Category | undefined])[] = [
  ...Object.values(kinds).map((category, at) => [1101 + at, category] as const),
  [1112, 'emergency'],
  [1127, 'food'],
  [1135, 'housing'],
  [1155, 'goods'],
  [1172, 'transit'],
  [1178, 'health'],
  [1232, 'money'],
  [1271, 'care'],
  [1317, 'education'],
  [1357, 'employment'],
  [1375, 'legal'],
  [1391, undefined],
];

export type NamedTerms = readonly [
  category: Category,
  weight: Weight,
  /** Why these terms go there, also where Open Eligibility has them under another kind. */
  why: string,
  /** Names of terms, separated by commas. */
  names: string,
];

/** Terms below the kinds, by name. A term that occurs under several kinds is listed under the need that it meets first. */
export const decisionsOfOpenEligibility: readonly NamedTerms[] = [
  [
    'emergency',
    'first',
    'somebody is in danger now',
    'help escape violence, immediate safety, safe housing, psychiatric emergency services',
  ],
  [
    'emergency',
    'need',
    'disasters, the missing, lines to call',
    'disaster response, emergency payments, help find missing persons, physical safety, help hotlines',
  ],
  [
    'food',
    'first',
    'who is hungry looks for these, whatever else is offered',
    'emergency food, food pantry, free meals, meals, food delivery',
  ],
  [
    'food',
    'need',
    'help to buy or grow food; WIC and food stamps are food, not money',
    'community gardens, food benefits, government food benefits, help pay for food, nutrition',
  ],
  ['housing', 'first', 'a bed for tonight', 'emergency shelter, temporary shelter'],
  [
    'housing',
    'need',
    'finding, paying and keeping a home, and homes with care',
    `assisted living, foreclosure counseling, help find housing, help pay for housing, home & renters insurance,
    homebuyer education, housing advice, housing vouchers, independent living, long-term housing,
    maintenance & repairs, nursing home, public housing, residential housing, short-term housing, sober living,
    weather relief`,
  ],
  [
    'goods',
    'besides',
    'things are given beside other help',
    `assistive technology, baby clothes, baby supplies, blankets & fans, books, clothes for school,
    clothes for work, clothing, clothing vouchers, diapers & formula, furniture, home fuels, home goods,
    medical supplies, personal care items, personal safety, prosthesis, supplies for school,
    supplies for work, toys & gifts`,
  ],
  [
    'transit',
    'need',
    'getting somewhere, and paying for it',
    `bus passes, help pay for car, help pay for gas, help pay for transit, transportation,
    transportation for healthcare, transportation for school`,
  ],
  [
    'health',
    'need',
    'treatment, and learning about health',
    `alternative medicine, birth control, checkup & test, dental care, discounted healthcare, disease management,
    disease screening, exercise & fitness, family planning, health education, health insurance,
    help find healthcare, help pay for healthcare, hiv treatment, hospice, maternity care, medical care,
    nutrition education, pain management, personal hygiene, physical therapy, prescription assistance,
    prevent & treat, primary care, sex education, skilled nursing, specialized therapy,
    support & service animals, vaccinations, vision care`,
  ],
  [
    'mental',
    'need',
    'under health in Open Eligibility: the mind, grief and addiction',
    `12-step, addiction & recovery, bereavement, counseling, detox, drug testing, medications for addiction,
    mental health care, mental health evaluation, outpatient treatment, peer recovery coaching,
    residential treatment, substance abuse counseling, understand mental health`,
  ],
  [
    'money',
    'need',
    'cash, benefits, bills, taxes and loans',
    `credit counseling, disability benefits, financial aid & loans, financial assistance, financial education,
    government benefits, help pay for internet or phone, help pay for utilities, insurance, loans,
    retirement benefits, savings program, tax preparation, understand government programs,
    unemployment benefits`,
  ],
  [
    'care',
    'need',
    'people who look after people',
    `adoption & foster care, adult daycare, afterschool care, childcare, day camp, daytime care,
    end-of-life care, help find childcare, help pay for childcare, home visiting, in-home support,
    mentoring, one-on-one support, parenting education, peer support, recreation, relief for caregivers,
    residential care, spiritual support, support groups`,
  ],
  [
    'care',
    'weak',
    'how many services are given, whatever they are for',
    'case management, community support services, navigating the system, support network',
  ],
  [
    'education',
    'need',
    'schools and classes',
    `alternative education, basic literacy, computer class, english as a second language (esl),
    foreign languages, ged/high-school equivalency, help find school, help pay for school, more education,
    preschool, special education`,
  ],
  ['education', 'besides', 'part of most after-school programs', 'tutoring'],
  [
    'employment',
    'need',
    'finding, learning and keeping work',
    `help find work, help pay for work expenses, interview training, job placement, resume development,
    skills & training, skills assessment, specialized training, supported employment, workplace rights`,
  ],
  [
    'legal',
    'need',
    'rights, papers and somebody who speaks for you',
    `advocacy & legal aid, citizenship & immigration, discrimination & civil rights, guardianship,
    identification recovery, mediation, notary, representation, translation & interpretation`,
  ],
  ['other', 'need', 'under care in Open Eligibility: animals are no need of a person', 'animal welfare'],
];

/** The root of the human situations, which must never decide. */
export const situations = 'human situations';

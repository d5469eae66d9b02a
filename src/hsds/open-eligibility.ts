import type { Category } from '../events/directory/category.ts';

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

/**
 * Terms below the kinds, by name. A term that occurs under several kinds is listed under the need that it meets
 * first.
 */
export const needsByName: Readonly<Partial<Record<Category, string>>> = {
  emergency: `
    disaster response, emergency payments, help escape violence, help find missing persons,
    immediate safety, physical safety, psychiatric emergency services, safe housing, help hotlines`,
  food: `
    community gardens, emergency food, food benefits, food delivery, food pantry, free meals,
    government food benefits, help pay for food, meals, nutrition`,
  housing: `
    assisted living, emergency shelter, foreclosure counseling, help find housing, help pay for
    housing, home & renters insurance, homebuyer education, housing advice, housing vouchers,
    independent living, long-term housing, maintenance & repairs, nursing home, public housing,
    residential housing, short-term housing, sober living, temporary shelter, weather relief`,
  goods: `
    assistive technology, baby clothes, baby supplies, blankets & fans, books, clothes for school,
    clothes for work, clothing, clothing vouchers, diapers & formula, furniture, home fuels, home
    goods, medical supplies, personal care items, personal safety, prosthesis, supplies for school,
    supplies for work, toys & gifts`,
  transit: `
    bus passes, help pay for car, help pay for gas, help pay for transit, transportation,
    transportation for healthcare, transportation for school`,
  health: `
    alternative medicine, birth control, checkup & test, dental care, discounted healthcare, disease
    management, disease screening, exercise & fitness, family planning, health education, health
    insurance, help find healthcare, help pay for healthcare, hiv treatment, hospice, maternity
    care, medical care, nutrition education, pain management, personal hygiene, physical therapy,
    prescription assistance, prevent & treat, primary care, sex education, skilled nursing,
    specialized therapy, support & service animals, vaccinations, vision care`,
  mental: `
    12-step, addiction & recovery, bereavement, counseling, detox, drug testing, medications for
    addiction, mental health care, mental health evaluation, outpatient treatment, peer recovery
    coaching, residential treatment, substance abuse counseling, understand mental health`,
  money: `
    credit counseling, disability benefits, financial aid & loans, financial assistance, financial
    education, government benefits, help pay for internet or phone, help pay for utilities,
    insurance, loans, retirement benefits, savings program, tax preparation, understand government
    programs, unemployment benefits`,
  care: `
    adoption & foster care, adult daycare, afterschool care, animal welfare, case management,
    childcare, community support services, day camp, daytime care, end-of-life care, help find
    childcare, help pay for childcare, home visiting, in-home support, mentoring, navigating the
    system, one-on-one support, parenting education, peer support, recreation, relief for
    caregivers, residential care, spiritual support, support groups, support network`,
  education: `
    alternative education, basic literacy, computer class, english as a second language (esl),
    foreign languages, ged/high-school equivalency, help find school, help pay for school, more
    education, preschool, special education, tutoring`,
  employment: `
    help find work, help pay for work expenses, interview training, job placement, resume
    development, skills & training, skills assessment, specialized training, supported employment,
    workplace rights`,
  legal: `
    advocacy & legal aid, citizenship & immigration, discrimination & civil rights, guardianship,
    identification recovery, mediation, notary, representation, translation & interpretation`,
};

/** The root of the human situations, which must never decide. */
export const situations = 'human situations';

import { categories, type Category } from '../../events/directory/category.ts';

/**
 * Words and phrases of a name or description that tell a need when no taxonomy term does. Whole words only; a plural
 * in -s counts too. Words that tell for whom a service is (homeless, veterans, seniors, children, disabled) are left
 * out.
 */
const words: Readonly<Partial<Record<Category, string>>> = {
  emergency: `
    emergency, disaster, crisis, hotline, fire department, fire rescue, fire station, police,
    domestic violence, safe haven, evacuation, rape, abuse reporting, suicide prevention,
    emergencia, missing children, sheriff`,
  food: `
    food, emergency food, meal, pantry, pantries, nutrition, groceries, grocery, soup, soup kitchen, hunger, snap, wic,
    lunch, breakfast, comida, alimentos, despensa, comedor`,
  housing: `
    housing, shelter, rent, rental, tenant, homeownership, homebuyer, eviction, foreclosure,
    apartment, transitional living, assisted living, mortgage, landlord, vivienda, refugio, albergue`,
  goods: `
    clothing, clothes, furniture, diaper, thrift, toy, school supplies, blanket, clothes closet,
    ropa, appliance, car seat`,
  transit: `
    transportation, transit, bus, paratransit, ride, van service, transporte, traffic`,
  health: `
    health, medical, clinic, hospital, dental, dentist, doctor, physician, nurse, nursing, pharmacy,
    vaccine, immunization, prenatal, pregnancy, pregnant, ultrasound, hiv, aids, cancer, diabetes, hospice, vision care,
    eye care, hearing, physical therapy, speech therapy, occupational therapy, rehabilitation, medicaid, medicare, epilepsy, salud,
    clínica, clinica, pediatric, pediatrics, nutritional counseling, nutrition counseling, nutrition
    education, heart association, cancer society`,
  mental: `
    mental health, mentally ill, counseling, counselling, psychiatric, psychiatry, psychological, psychotherapy,
    addiction, substance abuse, substance use, alcoholics, narcotics, alcohol, drug, recovery,
    grief, bereavement, depression, anxiety, behavioral health, detox, salud mental, consejería,
    psychosocial rehabilitation, psychosocial, psycho social, mental illness, behavioral, therapy, therapist,
    therapeutic, psychiatrist, grieving`,
  money: `
    financial, utility assistance, tax preparation, income tax, cash assistance, benefits, social
    security, credit, loan, debt, energy assistance, compensation, public assistance, bill payment,
    impuestos, dinero`,
  care: `
    boys and girls club, big brothers big sisters, child care, childcare, day care, daycare, after school, adult day, respite, caregiver,
    parenting, foster care, adoption, mentoring, mentor, homemaker, home care, senior center, case
    management, summer camp, camp, family support, support group, companionship, infant, guardería,
    cuidado, home health, long term care, field trip, recreational activities, special needs, wrap around,
    wraparound`,
  education: `
    education, school, literacy, tutoring, ged, esol, esl, english class, library, learning,
    college, university, preschool, pre-k, pre-kindergarten, vpk, head start, kindergarten, academy, scholarship, escuela,
    educación, biblioteca, training, music, early childhood, computer class, book`,
  employment: `
    vocational rehabilitation, employment, job, career, workforce, vocational, unemployment, resume, apprenticeship, job
    training, small business, empleo, trabajo`,
  legal: `
    legal, attorney, lawyer, court, immigration, citizenship, civil rights, law, guardianship,
    mediation, notary, probation, advocacy, human rights, fair housing, naturalization, public
    defender, abogado, inmigración, ciudadanía, guardian ad litem, ombudsman, bar association,
    corrections, correctional, prison, jail, work permit, small claim,
    victim assistance, victim services, victim advocate, crime victim`,
  other: `
    animal shelter, animal services, animal control, humane society, veterinary, veterinarian, pet adoption`,
};

/** `Pre-K` and `pre k` are the same phrase. */
const tokensOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const categoryOfWords = new Map<string, Category>(
  categories.flatMap((category) =>
    (words[category]?.split(',') ?? []).map((phrase) => [tokensOf(phrase).join(' '), category] as const),
  ),
);
const longestPhrase = Math.max(...[...categoryOfWords.keys()].map((phrase) => phrase.split(' ').length));
const phraseHeads = new Set([...categoryOfWords.keys()].map((phrase) => phrase.split(' ')[0]));

/** What a text says about the need, and how clearly. */
export interface Hint {
  readonly category: Category;
  /** The number of different words that suggest the category. */
  readonly words: number;
}

/**
 * The category that the most different words of the text suggest. A phrase counts as many words as it has. Between
 * equals the one that the text mentions first. Undefined when no word is known.
 */
export function hintIn(text: string): Hint | undefined {
  const found = new Map<string, number>();
  const tokens = tokensOf(text);
  for (let at = 0; at < tokens.length; at++) {
    const length = phraseLength(tokens, at);
    if (length === 0) continue;
    found.set(known(tokens.slice(at, at + length).join(' ')) ?? '', length);
    at += length - 1;
  }

  const scores = new Map<Category, number>();
  for (const [phrase, length] of found) {
    const category = categoryOfWords.get(phrase);
    if (category) scores.set(category, (scores.get(category) ?? 0) + length);
  }
  const best = Math.max(...scores.values());
  for (const [category, words] of scores) if (words === best) return { category, words };
  return undefined;
}

/** How many words from here on are the longest known phrase. */
function phraseLength(tokens: readonly string[], at: number): number {
  const head = tokens[at] ?? '';
  const longest = phraseHeads.has(head) ? Math.min(longestPhrase, tokens.length - at) : 1;
  for (let length = longest; length > 1; length--) {
    if (known(tokens.slice(at, at + length).join(' ')) !== undefined) return length;
  }
  return known(head) === undefined ? 0 : 1;
}

/** The phrase as in the table, also for a plural. */
function known(phrase: string): string | undefined {
  if (categoryOfWords.has(phrase)) return phrase;
  const singular = phrase.endsWith('s') ? phrase.slice(0, -1) : phrase;
  return categoryOfWords.has(singular) ? singular : undefined;
}

import {
  all,
  any,
  called,
  hasNumber,
  inPostalCode,
  inTown,
  opensOn,
  says,
  speaks,
  term,
  type Rule,
} from './rules.ts';

/**
 * What people type, with a rule that says which records a person would take. Written before the search was tuned for
 * any of it, from what the records of two directories say, and without asking the search.
 *
 * `half` decides by the text which queries one may tune on. The others are only counted: do not look at what they find.
 */
export type TypedKind =
  'need' | 'sentence' | 'Spanish' | 'Creole' | 'place' | 'time' | 'typo' | 'phone' | 'name' | 'crisis';

export type TypedQuery = readonly [text: string, rule: Rule];

// Needs that several queries share.
const pantry = any(
  term(/emergency food|food pantr|food bank|thanksgiving baskets|commodity|occasional.*food/i),
  says(/food (pantry|pantries|bank|boxes|distribution)|groceries|non-perishable/i),
);
const meals = any(
  term(/congregate meals|soup kitchen|meal|food service/i),
  says(/soup kitchen|hot meals?|free meals?|feeds? the (homeless|hungry)/i),
);
const food = any(pantry, meals, term(/food stamps|\bwic\b|food voucher/i));
const rent = any(
  term(/rent payment|rental deposit|eviction prevention|housing expense/i),
  says(/rent(al)? (payment|assistance)|eviction prevention/i),
);
const eviction = any(rent, term(/landlord|tenant|eviction/i), says(/evict|landlord|tenant/i));
const electricity = any(
  term(/electric|utility (service )?(payment|assistance)|gas service payment/i),
  says(/utilit(y|ies)|electric(ity)? bill|light bill/i),
);
const water = any(
  term(/water service payment|utility (service )?(payment|assistance)|bill payment/i),
  says(/water (bill|service|and sewer)/i),
);
const shelter = any(
  term(/homeless (shelter|motel)|runaway\/youth shelter|emergency shelter|homeless (men|women|families)/i),
  says(/emergency shelter|homeless (shelter|assistance)|shelter for (the )?homeless/i),
);
const dentist = any(term(/dental|dentist/i), says(/dental|dentist/i));
const clinic = any(
  term(
    /community clinics|general medical care|urgent care|primary care|family and community medicine|health centers/i,
  ),
  says(/community health center|primary (health )?care|free clinic|medical clinic/i),
);
const eyes = any(
  term(/eye |optometry|vision|glasses/i),
  says(/eye exam|eyeglasses|vision (care|screening)|optometr/i),
);
const medicine = any(term(/prescription|pharmac/i), says(/prescription|medication assistance|medicine/i));
const insurance = any(
  term(/health insurance|medicaid|in person assister/i),
  says(/medicaid|health insurance|kidcare|marketplace/i),
);
const vaccines = any(term(/immunization|vaccin/i), says(/immunization|vaccin/i));
const pregnancy = any(term(/prenatal|pregnan|obstetric|expectant/i), says(/pregnan|prenatal|expectant/i));
const pregnancyTest = any(term(/pregnancy testing/i), says(/pregnancy test/i));
const hivTest = any(term(/hiv test|aids\/hiv|hiv infections|sexually transmitted/i), says(/hiv/i));
const therapy = any(
  term(
    /(individual|group|family|conjoint|marriage|crisis|anger|abuse|assault|abuse) counseling|counseling services|psychiatr|psychotherap|^mental health|mental health (evaluation|facilities|agencies|related|support)|warmlines|talklines/i,
  ),
  says(/counseling|mental health|psychother/i),
);
const alcohol = any(
  term(/alcohol|substance use|drug use/i),
  says(/alcohol|substance (ab)?use|sober|addict/i),
  called(/alcoholics|narcotics/i),
);
const drugs = any(term(/drug use|substance use|alcohol/i), says(/drug|substance (ab)?use|addict|detox/i));
const violence = any(
  term(/domestic|spouse|intimate partner|abused (women|men)|family violence/i),
  says(/domestic violence|battered|abused women/i),
);
const rape = any(term(/sexual(ly)? (assault|abuse)|rape/i), says(/sexual (assault|violence|abuse)|rape/i));
const suicide = any(
  term(/suicide prevention|crisis intervention/i),
  says(/suicid/i),
  called(/suicid|lifeline/i),
);
const immigration = any(
  term(/immigra|citizenship|refugee/i),
  says(/immigra|asyl|refugee|naturaliz/i),
  called(/immigra|citizenship/i),
);
const lawyer = any(
  term(/legal aid|lawyer|legal (services|representation)|legal counseling|public defender/i),
  says(/legal (aid|services|assistance|representation)|attorney|lawyer/i),
  called(/legal|\bbar association|public defender/i),
);
const jobs = any(
  term(/job (search|readiness|training|interview)|employment|vocational|career/i),
  says(/job (search|placement|training)|employment (services|assistance)|find(ing)? (a )?(job|employment)/i),
);
const english = any(
  term(/english as a second|\besl\b|english language/i),
  says(/\besol\b|english classes|learn the english|english as a second/i),
  called(/english/i),
);
const ged = any(
  term(/ged\/|high school equivalency|adult basic education/i),
  says(/\bged\b|high school diploma|high school equivalency/i),
);
const childCare = any(
  term(
    /child care (centers?|provider|expense)|day care|preschools?$|community based preschools|head start|extended child care|early childhood education/i,
  ),
  says(/child ?care|day ?care|preschool|head start/i),
);
const afterSchool = any(
  term(/extended child care|youth enrichment|homework help|after school/i),
  says(/after.?school/i),
);
const camp = any(
  term(/(summer|day|therapeutic) camps?\b|camperships/i),
  says(/summer camp|spring break camp/i),
);
const diapers = any(term(/diaper|formula\/baby|baby clothing/i), says(/diaper/i));
const clothes = any(term(/clothing|thrift/i), says(/clothing|clothes/i));
const furniture = any(term(/furniture|thrift/i), says(/furniture/i));
const foodStamps = any(term(/food stamps|snap\b/i), says(/food stamps|\bsnap\b/i));
const wic = any(term(/\bwic\b/i), says(/\bwic\b|women, infants/i));
const taxes = any(
  term(/vita program|tax (aide|prep)/i),
  says(/tax (preparation|return|help|assistance)|income tax/i),
);
const unemployment = any(term(/unemploy/i), says(/unemploy|reemployment/i));
const disability = any(
  term(/ssi\b|social security disability|state disability/i),
  says(/\bssi\b|social security|disability benefits/i),
);
const rides = any(
  term(/transportation|paratransit|transit|bus (fare|service)|escort/i),
  says(/transportation|paratransit|bus pass|rides? to/i),
);
const seniors = any(
  term(
    /senior centers?|congregate meals|home delivered|adult day|older adult.*(center|program|support)|aging/i,
  ),
  says(/senior (center|citizen|program)|elderly|older adults/i),
);
const careAtHome = any(
  term(/home health|homemaker|personal care|respite|in home/i),
  says(/home health|home care|in.home/i),
);
const alzheimers = any(term(/alzheimer|dementia|caregiver/i), says(/alzheimer|dementia|caregiver/i));
const autism = any(term(/autis|applied behavior/i), says(/autis/i));
const parents = any(
  term(/parenting|parent support|parent (counseling|\/family)|family life education/i),
  says(/parenting|parents? (support|education|skills)/i),
);
const birthCertificate = any(
  term(/birth certificate|death certificate/i),
  says(/birth certificate|vital (records|statistics)/i),
);
const funeral = any(term(/burial|funeral|cremation/i), says(/burial|funeral|cremation/i));
const homeRepair = any(
  term(/home repair|home rehabilitation|weatherization|storm window|home maintenance/i),
  says(/home repair|weatheriz|rehabilitat\w* .*home|roof/i),
);
const toys = any(term(/toys|christmas|holiday gifts/i), says(/toys/i));
const veterans = any(term(/veteran|military/i), says(/veteran|military/i), called(/veteran/i));
const poison = any(term(/poison/i), says(/poison/i), called(/poison/i));
const childAbuse = any(
  term(/child abuse|abused children|child advocacy|child protective/i),
  says(/child abuse|abused (or neglected )?child/i),
);
const elderAbuse = any(
  term(/elder\/dependent|adult protective|elder abuse/i),
  says(/elder abuse|adult protective/i),
);
const trafficking = any(term(/human trafficking/i), says(/human trafficking|trafficked/i));
const runaway = any(term(/runaway|homeless youth/i), says(/runaway|homeless youth/i));
const police = any(term(/police|sheriff|law enforcement/i), called(/police|sheriff/i));

const saturday = opensOn('sat', /\bsat|24 ?hours|7 days/i);
const creole = speaks(/creole|kreyol|haitian/i);

const hialeah = inTown('Hialeah', 'Hialeah Gardens');
const keys = inTown(
  'Key West',
  'Marathon',
  'Key Largo',
  'Tavernier',
  'Plantation Key',
  'Islamorada',
  'Sugarloaf Key',
  'Big Pine Key',
);
const homestead = inTown('Homestead', 'Florida City', 'Naranja', 'Leisure City');
const northMiami = inTown('North Miami', 'North Miami Beach', 'Miami Gardens');

export const typedQueries: Readonly<Record<TypedKind, readonly TypedQuery[]>> = {
  need: [
    ['groceries for my family', pantry],
    ['free lunch', any(meals, pantry)],
    ['behind on rent', rent],
    ['landlord wont fix mold', any(eviction, homeRepair, lawyer)],
    ['electric shut off notice', electricity],
    ['water bill help', water],
    ['low cost dental', dentist],
    ['eye doctor no insurance', eyes],
    ['std test', hivTest],
    ['flu shot', vaccines],
    ['somebody to talk to depression', therapy],
    ['sober living', alcohol],
    ['legal aid', lawyer],
    ['work permit', any(immigration, jobs)],
    ['free tax filing', taxes],
    ['wic office', wic],
    ['ssi disability application', disability],
    ['nursing aide for my mother', careAtHome],
    ['dementia caregiver', alzheimers],
    ['house paint roof repair', homeRepair],
  ],
  sentence: [
    ['i lost my job and need help with my bills', any(electricity, unemployment, jobs, rent)],
    ['where can i get free food for my kids today', food],
    ['my husband hits me and i need a safe place to go', any(violence, shelter)],
    ['i am pregnant and do not have insurance', any(pregnancy, insurance, clinic)],
    ['can someone help me pay my electric bill this month', electricity],
    ['i need a place to sleep tonight with my two kids', shelter],
    ['how do i apply for food stamps', foodStamps],
    ['my son has autism and needs therapy', autism],
    ['i need someone to take care of my mother while i work', any(careAtHome, seniors, alzheimers)],
    ['we are getting evicted next week what can we do', eviction],
    ['looking for a doctor that takes people without insurance', clinic],
    ['i want to stop drinking', alcohol],
    ['i need a ride to my doctor appointment', rides],
    ['is there a program for my daughter after school', afterSchool],
    ['i want to get my high school diploma', ged],
    ['my dad died and we cannot pay for the funeral', funeral],
    ['i need new clothes for a job interview', any(clothes, jobs)],
    ['who can help me fill out immigration papers', immigration],
    ['how can i get a copy of my birth certificate', birthCertificate],
    ['i am a veteran and need somebody to talk to', any(veterans, therapy)],
    ['necesito ayuda para pagar la luz de este mes', electricity],
    ['no tengo seguro médico y necesito un doctor', any(clinic, insurance)],
    ['mi esposo me pega y tengo miedo', violence],
    ['dónde puedo encontrar comida gratis para mis hijos', food],
    ['perdí mi trabajo y no puedo pagar la renta', any(rent, jobs, unemployment)],
    ['quiero aprender inglés por la noche', english],
    ['quién me puede ayudar con mis papeles de inmigración', immigration],
    ['busco a alguien que cuide a mi mamá', any(careAtHome, seniors)],
    ['necesito pañales y leche para mi bebé', any(diapers, wic)],
    ['mi hijo consume drogas y no sé qué hacer', drugs],
  ],
  Spanish: [
    ['medico gratis', clinic],
    ['cupones de comida', foodStamps],
    ['me van a desalojar', eviction],
    ['abogado gratis', lawyer],
    ['prueba de embarazo', pregnancyTest],
    ['cuidado de niños', childCare],
    ['clases para padres', parents],
    ['seguro medico para niños', insurance],
    ['alcohólicos anónimos', alcohol],
    ['psicólogo', therapy],
    ['lentes', eyes],
    ['comida para viejitos', any(meals, seniors)],
    ['campamento de verano', camp],
    ['declaracion de impuestos', taxes],
    ['albergue', shelter],
    ['juguetes de navidad', toys],
    ['examen de la vista', eyes],
    ['ayuda para veteranos', veterans],
  ],
  Creole: [
    ['manje gratis', food],
    ['bank manje', pantry],
    ['mwen grangou', food],
    ['mwen bezwen manje pou pitit mwen', food],
    ['èd pou peye lwaye', rent],
    ['mwen pa gen kote pou m dòmi aswè a', shelter],
    ['peye limyè', electricity],
    ['avoka imigrasyon', immigration],
    ['papye imigrasyon', immigration],
    ['doktè', clinic],
    ['dantis', dentist],
    ['mwen ansent', pregnancy],
    ['gadri timoun', childCare],
    ['aprann anglè', english],
    ['mwen ap chèche travay', jobs],
    ['mari m ap bat mwen', violence],
    ['vaksen pou timoun', vaccines],
    ['tès sida', hivTest],
    ['koupon manje', foodStamps],
    ['kouchèt pou tibebe', diapers],
    ['sant granmoun', seniors],
    ['avoka gratis', lawyer],
    ['kote m ka jwenn rad', clothes],
    ['asirans sante', insurance],
    ['transpò pou ale kay doktè', rides],
    ['moun ki pale kreyòl', creole],
  ],
  place: [
    ['food pantry hialeah', all(food, hialeah)],
    ['dental clinic denver', all(dentist, inTown('Denver', 'Aurora', 'Lakewood'))],
    ['immigration lawyer in naples', all(immigration, inTown('Naples'))],
    ['homestead day care', all(childCare, homestead)],
    ['doctor 33136', all(any(clinic, term(/pediatric|hospital|medic/i)), inPostalCode('33136'))],
    ['summer camp near miami beach', all(camp, inTown('Miami Beach'))],
    ['aa meetings key west', all(alcohol, inTown('Key West'))],
    ['hiv test key west', all(hivTest, inTown('Key West'))],
    ['senior lunch south miami', all(any(meals, seniors), inTown('South Miami'))],
    ['birth certificates in the keys', all(birthCertificate, keys)],
    ['food near me', food],
    ['clinic close to me', clinic],
    ['tax help north miami', all(taxes, northMiami)],
    ['dentista cerca de mi', dentist],
    ['guardería en homestead', all(childCare, homestead)],
    ['vacunas en immokalee', all(vaccines, inTown('Immokalee'))],
    ['counseling near opa locka', all(any(therapy, alcohol), inTown('Opa Locka', 'Miami Gardens'))],
    ['manje nan homestead', all(food, homestead)],
    ['police station in aventura', all(police, inTown('Aventura'))],
    ['food pantry in tampa', all(pantry, inTown('Tampa', 'Brandon', 'Temple Terrace'))],
    ['homeless shelter chicago', all(shelter, inTown('Chicago', 'Cicero', 'Evanston'))],
    ['albergue en washington', all(shelter, inTown('Washington', 'Washington DC'))],
    ['food bank 20001', all(pantry, inPostalCode('20001'))],
    ['after school 33169', all(afterSchool, inPostalCode('33169'))],
  ],
  time: [
    ['thrift store open saturday', all(any(clothes, furniture), saturday)],
    ['clinic open on saturdays', all(any(clinic, pregnancy, vaccines), saturday)],
    ['pregnancy test saturday', all(pregnancyTest, saturday)],
    ['food open now', food],
    ['abierto hoy comida', food],
    ['dentista abierto el sábado', all(dentist, saturday)],
    ['doctor open today', clinic],
    ['24 hour crisis line', suicide],
    ['klinik ki louvri samdi', all(any(clinic, pregnancy, vaccines), saturday)],
  ],
  typo: [
    ['medicad', insurance],
    ['food pantrie', pantry],
    ['imunizations', vaccines],
    ['alchoholics anonymous', alcohol],
    ['counsling for teens', therapy],
    ['domestc violence', violence],
    ['unemploymnet', unemployment],
    ['prescripton help', medicine],
    ['elctric bill', electricity],
    ['homless', shelter],
    ['embarasada', pregnancy],
    ['inmigrasion', immigration],
  ],
  phone: [
    ['305-242-2597', hasNumber('3052422597')],
    ['(786) 466-2826', hasNumber('7864662826')],
    ['800 226 6667', hasNumber('8002266667')],
    ['3056376400', hasNumber('3056376400')],
    ['+1-305-371-4706', hasNumber('3053714706')],
  ],
  name: [
    ['big brothers big sisters', called(/big brothers/i)],
    ['catholic charities', called(/catholic charities/i)],
    ['boys and girls club', called(/boys (and|&) girls club/i)],
    ['ymca', called(/ymca/i)],
    ['jackson hospital', called(/jackson/i)],
    ['st albans child enrichment', called(/saint alban/i)],
    ['dept of children and families', called(/department of children and families/i)],
    ['social security office', called(/social security/i)],
    ['citrus health', called(/citrus health/i)],
    ['little havana nutrition', called(/little havana activities/i)],
  ],
  crisis: [
    ['suicide hotline', all(suicide, any(called(/lifeline|suicid|crisis|first call|2-1-1/i)))],
    ['i dont want to live anymore', suicide],
    ['kill myself', suicide],
    ['mwen vle touye tèt mwen', suicide],
    ['quiero morir', suicide],
    ['me quiero suicidar', suicide],
    ['i was raped', rape],
    ['my child swallowed bleach', poison],
    ['report child abuse', childAbuse],
    ['abuse of an elderly person', elderAbuse],
    ['being trafficked', trafficking],
    ['my daughter ran away from home', runaway],
  ],
};

export const typedKinds = Object.keys(typedQueries) as TypedKind[];

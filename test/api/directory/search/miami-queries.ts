import type { QueryList } from './query-list.ts';

// Needs that several queries share. The numbers are the ids of services in the Miami sample of Open211.
const pantries = '6965 2646 8216 8184 5693 7226';
const seniorMeals = '6768 6778 1026 6752 8716 1603 721 3553 187';
const benefits = '3366 3371 3360 8345 8826';
const food = `${pantries} ${seniorMeals} 1157 5877 8419 3366 3371 3360 7586`;
const rent = '2646 5136 5630 7741';
const electricity = '6591 6608 2646 5136';
const shelter = '1831 2854 925';
const lowRent = '8305 76 1210 1214 8335 7741 1334';
const dentists = '105 1312 6862 8166 8826 8008';
const violenceAtHome = '3519 3297 8692 6877 310 7037 1276 1280 4217 8510';
const sexualViolence = '3092 7094 8433 467 8984 3309';
const immigration = '5318 7088 1308 8828 6976';
const citizenship = '38 7088 8828 6026 8826';
const recovery =
  '1087 3393 7822 2029 8864 7996 2691 4254 1276 1280 3343 4217 8539 1472 6785 211 4424 4385 8510';
const counseling =
  '3343 4424 1276 1280 211 863 1161 4217 8172 8510 8710 2691 8864 3309 8367 872 1087 3087 6526 793 8762';
const pregnancy = '752 4169 8237 6853 6855 6718 8408 6999 7064 8008 7437 7968 1312';
const pregnancyTests = '752 4169 8237 6999 7437 7968';
const mammograms = '6489 7437 1312 6268 8408 7511';
const vaccines =
  '5147 5178 7595 6268 863 1022 1312 1317 6999 105 3671 6862 7064 7682 8008 8728 8729 8166 8781 7968';
const diabetes = '5954 5961 7059 7116 7117';
const grief = '1362 7003 3343 4424 7557 8367';
const taxes = '7488 7894 7906 8039 8057 3501 6042';
const jobs = '762 1099 6651 8059 3150 744 2209 6026 5390 655 656 8345 8431';
const childCare = '171 1037 437 605 2130 2646 3256 6734 7111 7365 7914 8558 8842 8469 8474 8480 8228';
const summerCamps =
  '1860 2022 2260 2264 2436 7370 7455 606 935 944 2127 2909 3336 5038 2558 2566 2575 2582 2589 2860 6439 8228 8262 8570 8858 8860 8974 7816 7930 7956 7973 8144 8620 8638 8640 8648 8780';
const afterSchool =
  '1860 2264 2440 7267 935 2724 2752 2895 2909 2910 2912 3336 2507 2558 2566 2575 2582 2589 2601 2604 2812 2860 4051 4325 4420 5570 5574 6473 6929 7308 7713 7721 7864 8228 8288 8293 8570 8858 7930 7938 7940 7973 7989 8138 8739 2022 2428 2857';
const careAtHome = '6517 886 187 889 3360 3655';
const rides = '8532 8008 986 1312 8166 1317 889';
const transit = '2461 986 7007 8532 4948 2209';
const clothes = '5136 4720 1157 2646 752';
const furniture = '4720 5136';
const keyWest =
  '2461 6785 6853 6986 6989 7037 5633 3501 3519 3522 6440 6718 6883 6928 6929 7072 7111 8539 8540';

export const miamiQueries: QueryList = {
  need: [
    ['food', food, 3],
    ['hungry', food],
    ['soup kitchen', '6965 1157'],
    ['meals for seniors', seniorMeals],
    ['suicide', '1824'],
    ['i want to die', '1824 7017 8442'],
    ['help paying rent', rent],
    ['eviction', '5317 7741'],
    ['light bill', electricity],
    ['homeless shelter', shelter],
    ['nowhere to sleep tonight', shelter],
    ['section 8', '1214 8335 7741 1334', 2],
    ['affordable housing', lowRent],
    ['foreclosure', '5317 4427'],
    ['dentist', dentists],
    ['domestic violence', violenceAtHome],
    ['my husband hits me', violenceAtHome],
    ['restraining order', '7037 6877 310 3519'],
    ['rape', sexualViolence],
    ['human trafficking', '8855 8828 5318 3297'],
    ['immigration lawyer', immigration],
    ['birth certificate', '1656 6986'],
    ['driver license suspended', '6876'],
    ['diapers', '752'],
    ['thrift store', '4720'],
    ['christmas toys', '7227 361'],
    ['drug rehab', recovery],
    ['quit smoking', '6989 3671 7968'],
    ['grief counseling', grief],
    ['anger management', '1276 1280 3343 4217 4424 8510'],
    ['GED', '4276 6026 8431 8367'],
    ['learn english', '1308 6026 7076'],
    ['computer classes', '6554 2753 966'],
    ['birth control', '7437 5218 6999 7064 1312 8166 8408'],
    ['mammogram', mammograms],
    ['cannot afford my medicine', '1405 6700 5630 8911'],
    ['health insurance for my kids', '4416 4350 4351'],
    ['wheelchair', '8100'],
    ['ride to the doctor', rides],
    ['public transportation', transit],
    ['tax help', taxes],
    ['food stamps', benefits],
    ['unemployment benefits', '762 3150'],
    ['small business loan', '3167'],
    ['job training', `${jobs} 664`],
    ['summer camp', summerCamps, 3],
    ['autism', '2260 8172 2153 7459'],
    ['hearing aids', '450 3964'],
    ['poison control', '1571', 1],
    ['missing child', '1326'],
    ['funeral help', '8440 5630'],
    ['spay my dog', '2390'],
    ['trash pickup', '2081 6488'],
  ],
  name: [
    ['NAMI', '533 8762', 2],
    ['Ronald McDonald House', '750', 1],
    ['Roxcy Bolton', '3092', 1],
    ['st vincent de paul', '5136'],
    ['salvation army', '2646 7227', 2],
    ['Sant La', '4159 3150 7488 7989', 3],
    ['jessie trice', '105 8008 4350 4351', 3],
    ['womens center', '7064', 1],
    ['LIHEAP', '6591', 1],
    ['FEMA', '4130', 1],
    ['chapman partnership', '1831', 1],
    ['AA meetings', '1472 6785'],
    ['casa valentina', '8111', 1],
    ['miami dade police', '403'],
    ['211', '8442 2227 5750'],
  ],
  phone: [
    ['305-573-4871', '4159 3150 7488 7989', 4],
    ['(800) 273-8255', '1824', 1],
    ['8002221222', '1571', 1],
    ['+1 305 324 5683', '750', 1],
    ['305.271.7343', '450', 1],
    ['263-8383', '5098 5107', 2],
    ['1-888-373-7888', '8855', 1],
  ],
  'postal code': [
    ['33157', '1317 7455 2130 2566 4385 6679 8558 7930 8928', 5],
    ['34142', '7365 7595 3671', 3],
    ['FL 33139', '501 1037 2489 6414 7251 3988 7741 7821 7985 8780', 5],
    ['33012-5835', '790 791 1276 6026 6268 8828 8762', 5],
  ],
  place: [
    ['Key West', keyWest, 5],
    ['immokalee', '7365 7595 3671', 3],
    ['Opa-locka', '211 1087 2264 5877 7267 2934 3371 3393 8474', 5],
    ['islamorada', '6964 6965', 2],
    ['little haiti', '5038 8640', 2],
  ],
  'need + place': [
    ['food hialeah', '8216'],
    ['food pantry islamorada', '6965', 1],
    ['dentist in marathon', '6862'],
    ['police aventura', '1518'],
    ['housing miami beach', '7741 3988'],
    ['aa key west', '6785'],
    ['shelter homestead', '1831 925'],
    ['jobs in Hialeah', '8059 6026'],
    ['vaccines naples', '5147 5178'],
    ['rent assistance naples', '5136 2646 5630'],
    ['day care homestead', '171 8480'],
    ['lawyer naples', '5317 5318 7088'],
    ['food boxes 33142', '7226'],
    ['summer camp 33157', '7455 7930 2566'],
  ],
  typo: [
    ['suiside', '1824'],
    ['diabetis', diabetes],
    ['alzhimers', '7473 217'],
    ['dentst', dentists],
    ['imigration', immigration + ' 38 3444'],
    ['homless shelter', shelter],
    ['citzenship', citizenship],
    ['pregancy test', pregnancyTests],
    ['furnature', furniture],
    ['salvaton army', '2646 7227'],
    ['hospise', '217 216'],
    ['pasport', '2207'],
    ['borinqen', '7064 7682'],
    ['vetrans', '467 8336 762 501 8367 7459'],
    ['counciling', counseling],
  ],
  compound: [
    ['foodbank', pantries],
    ['homebuyer', '3988 7997 4427 320 7613'],
    ['afterschool', `${afterSchool} 8419`, 3],
    ['headstart', '7365 3256', 2],
    ['breastfeeding', '7279 7586 6718'],
    ['day care', childCare],
  ],
  plural: [
    ['pantrys', pantries],
    ['shelters', shelter],
    ['consulates', '1762 1765 1770 1771 1781 1787 1802 1806', 3],
    ['libraries', '1256 6919'],
    ['notaries', '8345 4831'],
    ['museums', '3389 7181 5860'],
  ],
  Spanish: [
    ['comida', food, 3],
    ['despensa de alimentos', pantries],
    ['ayuda para pagar la renta', rent],
    ['pagar la luz', electricity],
    ['refugio para desamparados', shelter],
    ['no tengo donde dormir', shelter],
    ['suicidio', '1824'],
    ['violencia doméstica', violenceAtHome],
    ['abogado de inmigracion', immigration],
    ['ciudadanía', citizenship],
    ['pañales', '752'],
    ['clases de inglés', '1308 6026 7076'],
    ['busco trabajo', jobs],
    ['guarderia', childCare],
    ['dentista', dentists],
    ['estampillas de comida', benefits],
    ['estoy embarazada', pregnancy],
    ['vacunas', vaccines],
    ['acta de nacimiento', '1656 6986'],
    ['cuidado de ancianos en casa', careAtHome],
    ['ropa', clothes],
    ['impuestos', taxes],
    ['silla de ruedas', '8100'],
    ['comida en Hialeah', '8216'],
  ],
  language: [
    ['russian', '4100 6517 7894', 3],
    ['american sign language', '450 2209 3964 8440'],
    ['counseling in portuguese', '7996 8826'],
    ['arabic', '7996', 1],
  ],
  'a word that is nowhere': [
    ['homeless shelter brickell', shelter],
    ['plz help paying rent asap', rent],
    ['free diapers walgreens', '752'],
    ['tax preparation turbotax', taxes],
  ],
};

import type { Category } from '../src/events/directory/category.ts';

/**
 * What a directory of help consists of, for records that resemble one: services by how many places offer them, words of
 * descriptions by how often they are written (the most frequent first, as counted in a directory of 490 services in the
 * south of Florida), and cities by how many services they have.
 */

const table = (rows: string): string[] =>
  rows
    .trim()
    .split(/\s*[\n;]\s*/)
    .filter((row) => row !== '');

export interface OfferedService {
  readonly name: string;
  readonly category: Category;
}

export const services: readonly OfferedService[] = table(`
  food: Food Pantry; mental: Individual Counseling; housing: Rent Payment Assistance; health: Community Clinic
  education: Adult Basic Education; employment: Job Search Assistance; care: Child Care Centers; food: Congregate Meals
  mental: Substance Abuse Treatment; housing: Homeless Shelter; education: After School Program; legal: Legal Aid
  money: Utility Assistance; health: HIV Testing; education: English as a Second Language; mental: Support Group
  care: Adult Day Care; goods: Clothing Closet; money: VITA Tax Preparation; education: Summer Camp
  health: Dental Care; housing: Public Housing; transit: Medical Transportation; mental: Family Counseling
  emergency: Domestic Violence Shelter; emergency: Crisis Line; care: Senior Center; employment: Vocational Training
  health: Prenatal Care; legal: Immigration Legal Services; mental: Suicide Prevention Hotline; other: Public Library
  care: Home Health Care; goods: Thrift Shop; education: Head Start; care: Respite Care
  money: Food Stamps Application Assistance; health: Immunizations; housing: Transitional Housing; education: GED Instruction
  mental: Psychiatric Care; other: Recreation Center; care: Foster Care; health: Health Screening
  legal: Tenant Rights; emergency: Emergency Shelter; employment: Resume Preparation; goods: Diapers and Baby Supplies
  health: Diabetes Education; education: Parenting Classes; money: Financial Literacy; transit: Bus Passes
  care: Case Management; food: Home Delivered Meals; other: Volunteer Opportunities; health: Vision Care
  legal: Expungement; housing: Housing Counseling; mental: Alcoholics Anonymous; education: Tutoring
  care: Disability Services; health: Family Planning; goods: Furniture Bank; food: Soup Kitchen
  legal: Child Support; employment: Youth Employment; money: Burial Assistance; other: Consulate
  health: Breast Cancer Screening; mental: Grief Support; emergency: Sexual Assault Counseling; care: Early Intervention
  food: WIC Clinic; goods: School Supplies; transit: Paratransit; housing: Mortgage Assistance
  other: Animal Shelter; legal: Small Claims Court; education: Computer Classes; health: Speech Therapy
  money: Veterans Benefits; housing: Eviction Prevention; mental: Gambling Addiction Treatment; other: Police Department
  food: Despensa de Alimentos; care: Cuidado de Niños; legal: Ayuda Legal para Inmigrantes; education: Clases de Inglés
`).map((row) => {
  const [category, name] = row.split(': ') as [Category, string];
  return { name, category };
});

export const descriptionWords: readonly string[] = table(`
  and the to of a in for services is program with are provides care health children their as school or community
  education at that by assistance skills on activities through family who county families support counseling an
  social will provided programs also camp be management include all free offers from development after child
  treatment have help youth group life provide may center this sports information public medical available our summer home
  arts such individual needs parents day literacy providing other service mental based field abuse classes including them
  individuals training students trips can physical transportation one income emergency schools residents they more therapy
  parent people it low adults housing year educational substance work access well offered years week learn homework fitness
  enrichment testing adult department those prevention referral comprehensive court system not about participants we living
  employment food age disabilities must groups case persons women clients legal hours part special seniors special learning
  job resources environment need senior disability healthy domestic violence primary academic assist outreach weekly
  behavioral crisis intervention hiv application rent utility bills shelter meals clothing immigrants veterans homeless
  victims evaluation nutrition insurance screening dental pregnant infants toddlers teens elderly older caregivers eligible
  qualified certified licensed bilingual staff volunteers donations sliding scale fee walk appointment required proof
  identification residence referrals agencies partner network church ministry nonprofit foundation hospital clinic
  outpatient residential inpatient recovery addiction alcohol drug detox rehabilitation psychiatric psychological depression
  anxiety trauma grief loss suicide hotline confidential anonymous immediate response safety planning protection custody
  divorce foster adoption guardianship immigration asylum citizenship visa deportation representation tenants landlord
  eviction foreclosure mortgage loan credit budget savings tax preparation refund benefits enrollment medicaid medicare
  snap wic stamps pantry groceries produce fresh hot lunch breakfast dinner delivery homebound wheelchair accessible bus
  passes rides van pickup furniture appliances diapers formula cribs backpacks supplies uniforms books computers internet
  library tutoring mentoring leadership college scholarship ged diploma english language citizenship interpreter spanish
  creole sign deaf hearing vision blind glasses aids eye exams vaccines immunizations asthma diabetes cancer heart blood
  pressure cholesterol prenatal birth delivery breastfeeding postpartum maternal newborn pediatric adolescent geriatric
  dementia alzheimers memory respite hospice palliative nursing aide companion chores repair weatherization roof plumbing
  electricity water gas heating cooling fans hurricane disaster relief flood fire red cross evacuation resilience
  entrepreneurs business startup microloan coaching resume interview placement apprenticeship construction culinary
  hospitality warehouse driving license warrants expungement probation parole reentry juvenile diversion gang delinquency
  bullying dropout truancy attendance autism speech occupational developmental sensory therapist equine music dance theater
  painting pottery gardening swimming soccer basketball tennis yoga zumba walking bicycles museum zoo aquarium nature park
  beach boating fishing animals pets adoption spay neuter rabies microchip stray cruelty wildlife recycling
`)
  .flatMap((row) => row.split(' '))
  .filter((word, place, all) => all.indexOf(word) === place);

export const organizationWords: readonly string[] = table(`
  Catholic Charities; Community Action Agency; Health Department; Salvation Army; Legal Services; Housing Authority
  Baptist Church; Family Resource Center; Boys and Girls Club; Jewish Community Services; Goodwill Industries
  Behavioral Health; Neighborhood Association; Early Learning Coalition; United Way; Medical Center; Recovery House
  Haitian Neighborhood Center; Senior Services; Youth Foundation; Alliance for Aging; Women's Fund; Veterans Council
  School District; Parks and Recreation; Methodist Church; Centro Hispano; Food Bank; Rescue Mission; Hope Ministries
`);

/** Name, region, the first postal code, latitude and longitude; the one with the most services first. */
export const cities = table(`
  Miami FL 33101 25.7743 -80.1937; Houston TX 77002 29.7604 -95.3698; Chicago IL 60601 41.8781 -87.6298
  Los Angeles CA 90001 34.0522 -118.2437; Phoenix AZ 85003 33.4484 -112.074; Philadelphia PA 19102 39.9526 -75.1652
  San Antonio TX 78201 29.4241 -98.4936; Dallas TX 75201 32.7767 -96.797; Tampa FL 33602 27.9506 -82.4572
  Hialeah FL 33010 25.8576 -80.2781; Seattle WA 98101 47.6062 -122.3321; Denver CO 80202 39.7392 -104.9903
  Naples FL 34102 26.142 -81.7948; Orlando FL 32801 28.5383 -81.3792; Boston MA 02108 42.3601 -71.0589
  Homestead FL 33030 25.4687 -80.4776; Atlanta GA 30303 33.749 -84.388; Portland OR 97201 45.5152 -122.6784
  Key West FL 33040 24.5551 -81.78; Cleveland OH 44113 41.4993 -81.6944; Miami Beach FL 33139 25.7907 -80.13
  Sacramento CA 95814 38.5816 -121.4944; Nashville TN 37201 36.1627 -86.7816; Baltimore MD 21201 39.2904 -76.6122
  Fort Lauderdale FL 33301 26.1224 -80.1373; El Paso TX 79901 31.7619 -106.485; Fresno CA 93701 36.7378 -119.7871
  Hollywood FL 33019 26.0112 -80.1495; Tucson AZ 85701 32.2226 -110.9747; Omaha NE 68102 41.2565 -95.9345
  Oakland CA 94607 37.8044 -122.2712; Tulsa OK 74103 36.154 -95.9928; Wichita KS 67202 37.6872 -97.3301
  Newark NJ 07102 40.7357 -74.1724; Tallahassee FL 32301 30.4383 -84.2807; Fort Myers FL 33901 26.6406 -81.8723
  Coral Gables FL 33134 25.7215 -80.2684; Doral FL 33122 25.8195 -80.3553; Sarasota FL 34236 27.3364 -82.5307
  Immokalee FL 34142 26.4187 -81.4173; Opa-locka FL 33054 25.9023 -80.2503; Marathon FL 33050 24.7137 -81.0904
  Buffalo NY 14202 42.8864 -78.8784; Rochester NY 14604 43.1566 -77.6088; Spokane WA 99201 47.6588 -117.426
  Boise ID 83702 43.615 -116.2023; Albany NY 12207 42.6526 -73.7562; Key Largo FL 33037 25.0865 -80.4473
`).map((row) => {
  const [, city = '', region = '', postalCode = '', latitude, longitude] =
    /^(.+) ([A-Z]{2}) (\d{5}) (\S+) (\S+)$/.exec(row) ?? [];
  return {
    city,
    region,
    postalCode: Number(postalCode),
    latitude: Number(latitude),
    longitude: Number(longitude),
  };
});

/** Of which rare words are made: names of people, streets and places. There are some 100,000. */
export const syllables = table(
  'ba;ber;bran;cal;car;chel;cor;da;del;don;el;en;fal;fer;gal;gon;ham;har;il;jan;jo;ka;kel;la;len;lo;ma;mar;mel;mon;na;nor;o;pa;per;quin;ra;ren;ri;ro;sal;san;sor;ta;tel;tor;va;ver;vil;wil;win;za',
);

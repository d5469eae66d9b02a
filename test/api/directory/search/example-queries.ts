import type { QueryList } from './query-list.ts';

// Needs that several queries share, by the ids of services in examples/directory.
const food = 'svc-06 svc-07 svc-08 svc-09 svc-10 svc-11 svc-65';
const pantries = 'svc-06 svc-11 svc-65';
const violenceAtHome = 'svc-03 svc-64';
const dentists = 'svc-27 svc-66';
const english = 'svc-48 svc-67';
const legal = 'svc-56';
const work = 'svc-52 svc-53 svc-54 svc-55';
const millbrook =
  'svc-07 svc-09 svc-11 svc-20 svc-26 svc-28 svc-29 svc-33 svc-34 svc-42 svc-45 svc-47 svc-48 svc-49 svc-57 svc-67';
const eastridge = 'svc-02 svc-16 svc-17 svc-18 svc-31 svc-36 svc-58 svc-63 svc-68';

export const exampleQueries: QueryList = {
  need: [
    ['food', food, 3],
    ['groceries', `${pantries} svc-10`],
    ['suicide', 'svc-04', 1],
    ['kill myself', 'svc-04'],
    ['domestic violence', violenceAtHome],
    ['child abuse', 'svc-05'],
    ['hurricane', 'svc-02'],
    ['fire department', 'svc-01'],
    ['help paying rent', 'svc-13'],
    ['homeless', 'svc-12 svc-14'],
    ['roof repair', 'svc-16', 1],
    ['school supplies', 'svc-19'],
    ['baby formula', 'svc-20 svc-11'],
    ['wheelchair van', 'svc-22 svc-21'],
    ['gas money', 'svc-24'],
    ['doctor', 'svc-26 svc-31'],
    ['pregnant', 'svc-28'],
    ['medicaid', 'svc-30'],
    ['depression', 'svc-32'],
    ['rehab', 'svc-33 svc-34'],
    ['electric bill', 'svc-37'],
    ['debt', 'svc-39 svc-56'],
    ['babysitter', 'svc-41 svc-47 svc-42 svc-44'],
    ['respite', 'svc-44'],
    ['GED', 'svc-49'],
    ['veterans', 'svc-55', 1],
    ['resume', 'svc-54', 1],
    ['green card', 'svc-57'],
    ['food stamps', 'svc-10'],
    ['translator', 'svc-58'],
    ['lost my id', 'svc-59'],
  ],
  name: [
    ['cove legal aid', 'svc-56', 1],
    ['tidepool', 'svc-20 svc-41 svc-42 svc-47', 3],
    ['La Marea', 'svc-11 svc-45 svc-57 svc-67', 3],
    ['safe mooring', violenceAtHome, 2],
    ['casa del faro', 'svc-12', 1],
    ['2-1-1', 'svc-60', 1],
    ['211', 'svc-60', 1],
    ['maritime museum', 'svc-61', 1],
    ['عيادة الأمل', 'svc-31', 1],
  ],
  phone: [
    ['555-0124', 'svc-04', 1],
    ['5550125', 'svc-06', 1],
    ['555 0114', 'svc-45 svc-57', 2],
    ['555.0165', 'svc-26 svc-27 svc-66', 3],
  ],
  'postal code': [
    ['00004', 'svc-01 svc-50 svc-51', 3],
    ['00003', eastridge, 5],
  ],
  place: [
    ['gull island', 'svc-01 svc-51 svc-25 svc-50', 2],
    ['Millbrook', millbrook, 5],
  ],
  'need + place': [
    ['food millbrook', 'svc-07 svc-09 svc-11', 2],
    ['library gull island', 'svc-50 svc-51', 1],
    ['vaccines in millbrook', 'svc-29', 1],
    ['counseling eastridge', 'svc-36'],
    ['shelter port harbor', 'svc-12 svc-64'],
  ],
  typo: [
    ['grocceries', `${pantries} svc-10`],
    ['evicton', 'svc-13 svc-56'],
    ['dentel care', dentists, 1],
    ['librery', 'svc-38 svc-50 svc-51'],
    ['lighthose', 'svc-12 svc-13 svc-14'],
  ],
  compound: [
    ['foodpantry', pantries],
    ['pre school', 'svc-47'],
    ['childcare', 'svc-41'],
  ],
  plural: [
    ['pantrys', pantries],
    ['lawyers', legal],
    ['diaper', 'svc-20', 1],
  ],
  Spanish: [
    ['comida', food, 3],
    ['despensa', pantries, 2],
    ['suicidio', 'svc-04', 1],
    ['mi esposo me pega', violenceAtHome],
    ['renta', 'svc-13'],
    ['desalojo', 'svc-13 svc-56'],
    ['refugio', 'svc-12 svc-02 svc-03 svc-64'],
    ['abogado', legal],
    ['pañales', 'svc-20', 1],
    ['muebles', 'svc-18', 1],
    ['inmigracion', 'svc-57', 1],
    ['empleo', work],
    ['aprender ingles', english],
    ['clases de ingles', english, 2],
    ['clínica dental', dentists, 2],
    ['ayuda legal', legal, 1],
    ['linea de crisis', 'svc-04', 1],
    ['seguro de salud', 'svc-30'],
    ['autobús', 'svc-21 svc-22 svc-23'],
    ['duelo', 'svc-35'],
    ['ropa en eastridge', 'svc-17', 1],
  ],
  language: [
    ['french', 'svc-58 svc-68', 2],
    ['kreyol', 'svc-12 svc-26 svc-60 svc-68', 3],
    ['sign language', 'svc-26 svc-48', 2],
    ['vietnamese counseling', 'svc-36', 1],
    ['tiếng việt', 'svc-36 svc-63'],
  ],
  'a word that is nowhere': [
    ['dentist near walmart', dentists],
    ['urgent food pantry brooklyn', pantries],
  ],
};

import { describe, expect, it } from 'vitest';
import { spellingsIn, titleCased } from '../../../src/events/directory/title-case.ts';

describe('a name in capitals is shown in title case', () => {
  it.each([
    ['THE HOUSING AUTHORITY OF THE CITY', 'The Housing Authority of the City'],
    ['YMCA OF SOUTH FLORIDA, INC.', 'YMCA of South Florida, Inc.'],
    ["MCDONALD AND O'BRIEN'S PLACE", "McDonald and O'Brien's Place"],
    ["WORLD'S GREATEST DADS, INC.", "World's Greatest Dads, Inc."],
    ["YMCA'S CAMP", "YMCA's Camp"],
    ['OUT-OF-SCHOOL YOUTH PROGRAM', 'Out-of-School Youth Program'],
    ['CITY OF MIAMI - THE POLICE', 'City of Miami - The Police'],
    ['INFORMED FAMILIES/THE FAMILY', 'Informed Families/The Family'],
    ['SW 8TH STREET', 'SW 8th Street'],
    ['ATTORNEY - 16th CIRCUIT', 'Attorney - 16th Circuit'],
    ['CARTER ACADEMY II', 'Carter Academy II'],
    ['CIVIC MIX CENTER', 'Civic Mix Center'],
    ['U.S. OFFICE, AT&T, K-8', 'U.S. Office, AT&T, K-8'],
    ['HOMELESS ASSISTANCE CENTER (HAC2)', 'Homeless Assistance Center (HAC2)'],
    ['SCHOOL HEALTH (HCIOS)', 'School Health (HCIOS)'],
    ['PROGRAM (HOME BASED)', 'Program (Home Based)'],
    ['JTCHC DENTAL CENTER, FL', 'JTCHC Dental Center, FL'],
    ['ST. ANN, DR KING JR.', 'St. Ann, Dr King Jr.'],
    ['CASA DE LA FAMILIA Y LOS NIÑOS', 'Casa de la Familia y los Niños'],
    ['CONSULATE OF EL SALVADOR', 'Consulate of El Salvador'],
    ['A PLACE TO GO IN', 'A Place to Go In'],
    ['ALZHEIMER’S GROUP', 'Alzheimer’s Group'],
  ])('%s', (name, text) => {
    expect(titleCased(name)).toBe(text);
  });

  it.each(['WIC', 'LIHEAP', 'YMCA', '2-1-1', 'Food Pantry', 'iHeart PANTRY', 'YMCA of Miami', '', 'A'])(
    '%s stays',
    (name) => {
      expect(titleCased(name)).toBe(name);
    },
  );

  it('what is no name stays', () => {
    const text = 'VERY LONG '.repeat(1_000_000);
    expect(titleCased(text)).toBe(text);
  });
});

describe('words are written as their organization writes them elsewhere', () => {
  const spellings = spellingsIn([
    'FANM helps women. Florida KidCare is free, and CareerSource (CSSF) too.',
    'PLEASE CALL FIRST. Bring papers. Closed on holidays, NOT on Mondays.',
    'ALL CAPITALS TELL NOTHING ABOUT ARTAS',
  ]);

  it('acronyms and inner capitals stay as in running text', () => {
    const shown = (name: string): string => titleCased(name, spellings);
    expect(shown('FANM ACTION NETWORK, INC.')).toBe('FANM Action Network, Inc.');
    expect(shown('FLORIDA KIDCARE')).toBe('Florida KidCare');
    expect(shown('CAREERSOURCE CENTER')).toBe('CareerSource Center');
  });

  it('words of sentences in capitals are no spellings', () => {
    expect([...spellings.keys()].sort()).toEqual(['CAREERSOURCE', 'CSSF', 'FANM', 'KIDCARE']);
  });
});

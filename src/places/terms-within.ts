import type { Circle } from '../ground/earth.ts';
import { codeTerm, stateTerm, townTerm } from './address-terms.ts';
import { codesBeginning, codesWithin } from './postal-codes.ts';
import { stateCodes } from './states.ts';
import { townsWithin } from './towns.ts';

/** A search looks into so many lists of postal codes at most, and so many of towns. */
const mostTerms = 60;
/** In a larger circle nearly every region has something. */
const wholeCountryKm = 1_500;

/**
 * The terms of addresses that the gazetteer has in the ring, see `addressTerms`: of its postal codes and of its towns. Where
 * they would be many, some stand for whole regions, of which a part may lie outside: distances are compared anyway.
 */
export function addressTermsWithin(circle: Circle, beyondKm = 0): string[] {
  if (circle.radiusKm > wholeCountryKm) {
    return [...Array(10).keys()].map((digit) => codeTerm(String(digit))).concat(stateCodes.map(stateTerm));
  }
  return [...codeTermsWithin(circle, beyondKm), ...townTermsWithin(circle, beyondKm)];
}

function codeTermsWithin(circle: Circle, beyondKm: number): string[] {
  let beginnings = codesWithin(circle, beyondKm).map(({ code }) => code);
  for (const length of [3, 1]) {
    const groups = Map.groupBy(beginnings, (code) => code.slice(0, length));
    // A region that lies in the ring as a whole is one list instead of many.
    const isWhole = (group: string, has: number): boolean => length === 3 && has === codesBeginning(group);
    const isTooMany = beginnings.length > mostTerms;
    beginnings = [...groups].flatMap(([group, has]) => {
      if (has.length === 1) return has;
      return isTooMany || isWhole(group, has.length) ? [group] : has;
    });
    if (beginnings.length <= mostTerms) break;
  }
  return beginnings.map(codeTerm);
}

function townTermsWithin(circle: Circle, beyondKm: number): string[] {
  const towns = townsWithin(circle, beyondKm);
  if (towns.length <= mostTerms) return towns.map(({ state, key }) => townTerm(state, key));
  return [...new Set(towns.map(({ state }) => stateTerm(state)))];
}

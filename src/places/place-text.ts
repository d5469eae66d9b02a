import { stateCode } from './states.ts';

/** A place as people type it, taken apart. */
export interface PlaceText {
  /** Without postal code and state: a town, or what stands before it, first. */
  readonly parts: readonly string[];
  /** Five digits. */
  readonly postalCode: string | undefined;
  /** An abbreviation. */
  readonly state: string | undefined;
}

const country = /[\s,]+(usa|u\.s\.a\.|us|united states|ee\.? ?uu\.?|estados unidos)$/i;
const code = /(?:^|[\s,]+)(\d{5})(?:-\d{4})?$/;
/** States have at most three words. */
const mostStateWords = 3;

/**
 * "1234 Main St, Hialeah, FL 33010" has the parts "1234 Main St" and "Hialeah". A state is one only where something stands
 * before it: "New York" is a town.
 */
export function readPlaceText(text: string): PlaceText {
  let rest = text.trim().replace(country, '');
  const postalCode = code.exec(rest)?.[1];
  rest = rest.replace(code, '');
  const [before, state] = withoutState(rest);
  const parts = before
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
  return { parts, postalCode, state };
}

function withoutState(text: string): readonly [string, string | undefined] {
  for (let count = mostStateWords; count >= 1; count--) {
    const [, before = '', last = ''] =
      new RegExp(`^(.*\\S)[\\s,]+(\\S+(?:\\s+\\S+){${String(count - 1)}})$`).exec(text) ?? [];
    const state = stateCode(last);
    if (before.replaceAll(',', '').trim() !== '' && state !== undefined) return [before, state];
  }
  return [text, undefined];
}

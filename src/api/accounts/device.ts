import { personOf, type PersonalData } from '../../personal/personal-data.ts';

/** What somebody signed in with, in words. Kept sealed as their personal data, and nothing else of the user agent is. */
export interface Device {
  readonly browser?: string;
  readonly system?: string;
}

/** The first that is found names it: browsers also name those that they are like. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|OPT|OPX)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Browser and system that a user agent names. Empty: it names none that we know. */
export function deviceOf(userAgent: string | undefined): Device {
  const read = (userAgent ?? '').slice(0, 500);
  const named = (table: typeof browsers) => table.find(([pattern]) => pattern.test(read))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  return { ...(browser !== undefined && { browser }), ...(system !== undefined && { system }) };
}

/** In a sentence, such as "Firefox on Windows". Undefined for a session from before devices were kept. */
export async function deviceWords(
  personal: PersonalData,
  { user, device }: { readonly user: string; readonly device?: string },
): Promise<string | undefined> {
  const opened = device === undefined ? undefined : await personal.open<Device>(personOf(user), device);
  if (!opened) return undefined;
  const { browser = 'A browser', system } = opened;
  return system === undefined ? browser : `${browser} on ${system}`;
}

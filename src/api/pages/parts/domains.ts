import { pastedDomain } from '../../../events/keys.ts';
import type { Field } from '../controls.ts';

/** The most domains of one key. */
const domainsAtMost = 50;

/** The field for the domains of a key, one a line. */
export const domainsField = (
  value: string,
  { hint, optional }: { readonly hint: string; readonly optional: boolean },
): Field => ({ name: 'domains', label: 'Domains', type: 'lines', value, hint, optional });

/** The domains that were typed, or what is wrong with them. */
export function domainsIn(
  text: string | null,
): { readonly domains: readonly string[]; readonly problem?: undefined } | { readonly problem: string } {
  const lines = (text ?? '').split(/[\s,]+/).filter((line) => line !== '');
  if (lines.length > domainsAtMost) return { problem: `A key has at most ${domainsAtMost} domains.` };
  const domains: string[] = [];
  for (const line of lines) {
    const read = pastedDomain.safeParse(line);
    if (!read.success)
      return {
        problem: `${line.slice(0, 80)} is no domain. Write one such as www.example.org or *.example.org, or paste the address of a page of it.`,
      };
    domains.push(read.data);
  }
  return { domains: [...new Set(domains)] };
}

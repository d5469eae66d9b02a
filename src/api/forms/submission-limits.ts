import type { NetworkRules } from '../http/network-limits.ts';

const hour = 3_600;

/**
 * What one network sends to all forms. Everybody in a library, or in a meeting at which a form is filled in, shares one
 * network.
 */
export const submissionRules: NetworkRules = {
  narrow: { name: 'form-network', points: 60, windowSeconds: hour },
  wide: { name: 'form-wide-network', points: 300, windowSeconds: hour },
  purpose: 'form limits',
};

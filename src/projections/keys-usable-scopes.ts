import type { KeyKind } from '../events/keys.ts';
import { installationScopes, publicScopes, type KeyScope } from '../events/teams.ts';

/**
 * Of the scopes that a key holds, those that it may use. `enabled`: the scopes that its team has enabled, at the time
 * that is asked about.
 */
export function usableScopes(
  { kind, scopes }: { readonly kind: KeyKind; readonly scopes: readonly KeyScope[] },
  enabled: readonly string[],
): KeyScope[] {
  const usable = usableBy(kind, enabled);
  return scopes.filter((scope) => usable.includes(scope));
}

function usableBy(kind: KeyKind, enabled: readonly string[]): readonly string[] {
  switch (kind) {
    case 'developer':
      return publicScopes;
    case 'team':
      return [...publicScopes, ...enabled];
    case 'installation':
      return installationScopes;
  }
}

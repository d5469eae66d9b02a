import type { Config } from '../config.ts';
import { exposedIn } from '../data-folder.ts';

/** Warnings about settings that allow a start but are probably wrong, one line each. */
export function startupWarnings({ roles, baseUrl, trustProxy, dataDir }: Config): string[] {
  const notices: string[] = [];
  if (roles.includes('api') && baseUrl?.startsWith('https:') === true && trustProxy.length === 0) {
    notices.push(
      'TRUST_PROXY is unset, though BASE_URL is https: the legacy API answers 403 to everybody, and limits count the proxy as the client. Set it to the address of the proxy that speaks https.',
    );
  }
  const exposed = exposedIn(dataDir);
  if (exposed.length > 0) {
    notices.push(
      `Other users of this machine can open files in DATA_DIR, and their access could not be removed: ${exposed.join(', ')}. Give it to the user that runs Commonweal, with nothing else in it.`,
    );
  }
  return notices;
}

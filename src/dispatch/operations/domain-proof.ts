import { Resolver as DnsResolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { proofPath, proofRecord, type ProvedBy } from '../../events/oauth/domains.ts';
import {
  checkUrl,
  destinationRefused,
  nameNotResolved,
  type DestinationPolicy,
  type Resolver,
} from '../attempts/destination-guard.ts';
import { bodyUpTo, guardedGet } from './guarded-get.ts';

/** The TXT records of a name, each in its pieces. Rejects when there is none. */
export type TxtResolver = (name: string) => Promise<readonly (readonly string[])[]>;

export interface ProofOptions {
  readonly policy: DestinationPolicy;
  /** Replaces DNS, or in development the resolver of the system. */
  readonly resolver?: Resolver;
  readonly resolveTxt?: TxtResolver;
  /** For the file, from the lookup to the last byte; and for the record. Default: 5,000. */
  readonly timeoutMs?: number;
}

/** Where the proof was found, or a sentence for each place that says what was found there instead. */
export type Proof =
  { readonly by: ProvedBy } | { readonly by: undefined; readonly file: string; readonly dns: string };

/** Looks for the proof of a host in both places. Never throws, and settles within the time limit. */
export async function findProof(
  host: string,
  token: string,
  { timeoutMs = 5_000, resolveTxt = txtResolver(timeoutMs), ...guard }: ProofOptions,
): Promise<Proof> {
  const [file, dns] = await Promise.all([
    problemOfFile(host, token, { ...guard, timeoutMs }),
    problemOfRecord(host, token, resolveTxt, timeoutMs),
  ]);
  if (file === undefined) return { by: 'file' };
  if (dns === undefined) return { by: 'dns' };
  return { by: undefined, file, dns };
}

/** A proof has 54 characters. */
const longestFile = 1_024;
const headers = { accept: 'text/plain', 'user-agent': 'Commonweal site verification' };

interface FileOptions extends Pick<ProofOptions, 'policy' | 'resolver'> {
  readonly timeoutMs: number;
}

/** Why the file does not prove the host; undefined when it does. */
async function problemOfFile(host: string, token: string, options: FileOptions): Promise<string | undefined> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  // A site on the machine of its developer seldom has a certificate.
  const schemes = options.policy.allowPrivate ? (['https', 'http'] as const) : (['https'] as const);
  let problem: string | undefined;
  for (const scheme of schemes) {
    problem = await problemAt(`${scheme}://${host}${proofPath}`, token, options, signal);
    if (problem === undefined) return undefined;
  }
  return problem;
}

async function problemAt(
  address: string,
  token: string,
  { policy, resolver, timeoutMs }: FileOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  const checked = checkUrl(address, policy);
  if (!checked.ok) return checked.message;
  const { url } = checked;
  try {
    const response = await guardedGet(url, { policy, resolver, headers, signal });
    if (response.statusCode !== 200) {
      response.destroy();
      return `${url.host} answered ${response.statusCode ?? 'nothing'} instead of 200 with the file.`;
    }
    const text = (await bodyUpTo(longestFile, response))?.toString('utf8');
    if (text === undefined) return `The file on ${url.host} is longer than ${longestFile} bytes.`;
    return text.trim() === token ? undefined : `The file on ${url.host} says something else.`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === destinationRefused || code === nameNotResolved) return message;
    if (signal.aborted) return `${url.host} did not answer within ${timeoutMs / 1_000} s.`;
    return `The file could not be read from ${url.host} (${code ?? 'unexpected'}).`;
  }
}

/** Why the TXT record does not prove the host; undefined when it does. */
async function problemOfRecord(
  host: string,
  token: string,
  resolveTxt: TxtResolver,
  timeoutMs: number,
): Promise<string | undefined> {
  const name = proofRecord(host);
  if (isIP(name.slice('_commonweal.'.length).replace(/^\[(.*)\]$/, '$1')) !== 0)
    return 'An IP address has no TXT record.';
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('late')), timeoutMs);
  try {
    const records = await Promise.race([resolveTxt(name), late.promise]);
    return records.some((pieces) => pieces.join('').trim() === token)
      ? undefined
      : `The TXT record ${name} says something else.`;
  } catch {
    return `There is no TXT record ${name}, or it could not be read.`;
  } finally {
    clearTimeout(timer);
  }
}

/** Asks DNS directly. */
const txtResolver =
  (timeoutMs: number): TxtResolver =>
  (name) =>
    new DnsResolver({ timeout: timeoutMs / 2, tries: 2 }).resolveTxt(name);

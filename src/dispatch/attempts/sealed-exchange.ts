import { NoDataKey, type Holder, type PersonalData, type SealedValue } from '../../personal/personal-data.ts';
import type { AttemptOutcome } from './attempt-journal.ts';

/** What an attempt said and heard: it may repeat the body, or tell something by which the body can be tested. */
interface Exchange {
  readonly request_headers: AttemptOutcome['request_headers'];
  readonly response?: Pick<NonNullable<AttemptOutcome['response']>, 'headers' | 'text'>;
}

/**
 * The outcome as it is stored. What an attempt with personal data said and heard is sealed under the data key of the
 * person, so that it is erased with them, wherever it stands. When there is no data key any more, it is left out.
 */
export async function sealExchange(
  personal: PersonalData,
  holder: Holder | undefined,
  outcome: AttemptOutcome,
): Promise<AttemptOutcome> {
  if (holder === undefined) return outcome;
  const { request_headers, response } = outcome;
  const exchange: Exchange = {
    request_headers,
    ...(response && { response: { headers: response.headers, text: response.text } }),
  };
  const bare = withoutExchange(outcome);
  try {
    return { ...bare, sealed: { holder, sealed: await personal.seal(holder, exchange) } };
  } catch (error) {
    if (error instanceof NoDataKey) return bare;
    throw error;
  }
}

/** When the receiver wants the next attempt is needed again if the outcome could not be appended at once. */
const keptHeaders = ['retry-after'];

/** What the log says of it too. */
export function withoutExchange({ response, ...outcome }: AttemptOutcome): AttemptOutcome {
  const { sealed: _, ...bare } = { ...outcome, request_headers: {} };
  if (!response) return bare;
  const { status, headers, truncated } = response;
  const kept = Object.entries(headers).filter(([name]) => keptHeaders.includes(name.toLowerCase()));
  return { ...bare, response: { status, headers: Object.fromEntries(kept), text: '', truncated } };
}

/** Outcomes with what was said and heard in clear, with one read of the vault. Undefined where it is erased. */
export async function openExchanges(
  personal: PersonalData,
  outcomes: readonly (AttemptOutcome | undefined)[],
): Promise<(AttemptOutcome | undefined)[]> {
  const sealed = outcomes.flatMap((outcome): SealedValue[] => (outcome?.sealed ? [outcome.sealed] : []));
  const opened = await personal.openMany(sealed);
  let next = 0;
  return outcomes.map((outcome) => {
    if (!outcome?.sealed) return outcome;
    const exchange = opened[next++] as Exchange | undefined;
    if (!exchange) return undefined;
    const { sealed: _, ...bare } = outcome;
    const response = bare.response && { ...bare.response, ...exchange.response };
    return { ...bare, request_headers: exchange.request_headers, ...(response && { response }) };
  });
}

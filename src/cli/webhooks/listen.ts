import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Command } from 'commander';
import {
  openRequest,
  receivedRequests,
  type OpenedRequest,
  type ReceivedContent,
} from '../../dispatch/operations/test-receiver.ts';
import { attemptTimeoutMs } from '../../dispatch/delivery-policy.ts';
import { hasAborted } from '../../ground/retry.ts';
import { pause } from '../../ground/back-off.ts';
import { subscriptionsOfTeam } from '../../projections/webhooks/delivery-list.ts';
import { stopSignal, withStores, type CommandLine } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { UsageError } from '../options.ts';

/** How often it is looked whether something has arrived. A person who has just sent something does not notice it. */
const lookedEveryMs = 250;

interface ListenOptions {
  readonly team: string;
  readonly forward?: string;
  readonly json?: boolean;
}

export function listenCommand(line: CommandLine): Command {
  return new Command('listen')
    .description(
      'Print what arrives at the test receiver of a team, until Ctrl-C, beside a running server. With --forward, pass it on unchanged, such as to a program on this machine.',
    )
    .requiredOption('--team <slug>', 'the team whose test receiver it is')
    .option('--forward <url>', 'where to pass it on, such as http://localhost:8080/hook')
    .action(({ team: slug, forward, json }: ListenOptions) => {
      const to = forward === undefined ? undefined : forwardTo(forward);
      return withStores(line, async ({ store, documents, side, personal }) => {
        const team = await namedTeam({ store }, slug);
        const signal = stopSignal();
        const all = await subscriptionsOfTeam(documents, team);
        if (!all.some(({ test_receiver, status }) => test_receiver && status !== 'deleted'))
          console.error(
            `No webhook of ${team} uses the test receiver yet. Add one on the page of the webhooks, or with "commonweal subscriptions create --team ${team} --test-receiver --events member.joined".`,
          );
        const earlier = await receivedRequests(side, team);
        console.error(
          `Listening at the test receiver of ${team}${to ? `, passing on to ${to.href}` : ''}. Ctrl-C ends it.`,
        );
        let shown = new Set(earlier.map(({ id }) => id));
        while (!signal.aborted) {
          const there = await receivedRequests(side, team);
          for (const { id } of there.filter((each) => !shown.has(each.id)).reverse()) {
            const arrived = await openRequest({ side, personal }, team, id);
            if (arrived) await show(arrived, { to, json, signal });
            if (hasAborted(signal)) break;
          }
          shown = new Set(there.map(({ id }) => id));
          await pause(lookedEveryMs, signal);
        }
      });
    });
}

/** @throws UsageError */
function forwardTo(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError('--forward: must be an address such as http://localhost:8080/hook');
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--forward: must not contain a user name or password');
  return url;
}

async function show(
  { content, ...request }: OpenedRequest,
  {
    to,
    json,
    signal,
  }: { readonly to: URL | undefined; readonly json: boolean | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const cut = content !== undefined && Buffer.byteLength(content.body) < request.bytes;
  if (!json) for (const line of linesOf(request, content, cut)) console.log(visible(line));
  const forwarded =
    to && content
      ? cut
        ? { error: 'longer than 64 KiB, so it is not passed on' }
        : await forwardRequest(to, content, signal)
      : undefined;
  if (json) console.log(JSON.stringify({ ...request, ...content, cut, ...(forwarded && { forwarded }) }));
  else if (to && forwarded)
    console.log(
      'status' in forwarded
        ? `  -> ${to.href} answered ${forwarded.status} in ${forwarded.ms} ms\n`
        : `  -> ${to.href}: ${forwarded.error}\n`,
    );
}

function linesOf(
  { received_at, event, test, delivery, attempt, signed }: Omit<OpenedRequest, 'content'>,
  content: ReceivedContent | undefined,
  cut: boolean,
): string[] {
  const heading = `${received_at} ${event}${test ? ' (test)' : ''}, delivery ${delivery}, attempt ${attempt}, signature ${signed ? 'valid' : 'not valid'}`;
  if (content === undefined) return [heading, '  The person whom it was about is erased.'];
  return [
    heading,
    ...Object.entries(content.headers).map(([name, value]) => `  ${name}: ${value}`),
    content.body,
    ...(cut ? ['  … The test receiver keeps the first 64 KiB.'] : []),
  ];
}

/** Characters that a terminal obeys, or that turn the direction of a text, as their numbers. */
const visible = (text: string): string =>
  text.replace(
    /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu,
    (each) => `\\u${(each.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

type Forwarded = { readonly status: number; readonly ms: number } | { readonly error: string };

/** One POST with exactly these headers, and what HTTP itself needs. Redirects are not followed. */
function forwardRequest(
  to: URL,
  { headers, body }: ReceivedContent,
  signal: AbortSignal,
): Promise<Forwarded> {
  const begun = performance.now();
  const bytes = Buffer.from(body);
  return new Promise((resolve) => {
    const requested = (to.protocol === 'https:' ? httpsRequest : httpRequest)(
      to,
      { method: 'POST', headers: { ...headers, 'Content-Length': bytes.length }, signal, agent: false },
      (response) => {
        resolve({ status: response.statusCode ?? 0, ms: Math.round(performance.now() - begun) });
        response.resume();
      },
    );
    requested.setTimeout(attemptTimeoutMs, () => requested.destroy(new Error('no answer within 10 s')));
    requested.on('error', (error: NodeJS.ErrnoException) =>
      resolve({
        error: error.code === 'ECONNREFUSED' ? 'nothing listens there' : error.code || error.message,
      }),
    );
    requested.end(bytes);
  });
}

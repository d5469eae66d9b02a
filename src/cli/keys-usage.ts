import { Command } from 'commander';
import { z } from 'zod';
import { counted } from '../ground/counted.ts';
import { outcomes, requestKinds } from '../audit/request-kinds.ts';
import { keptDays } from '../audit/stored-key-usage.ts';
import { flushSeconds } from '../audit/key-usage-counts.ts';
import { legacyCallers, usageOf, type KeyUsage } from '../audit/key-usage.ts';
import { recordKeyUseRead } from '../actions/audit-readings.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { withLabel } from '../commands/keys-label.ts';
import { apiKeys, type ApiKeyDocument } from '../projections/keys.ts';
import { withSystem, type CommandLine, type CommandSystem } from './command-line.ts';
import { option } from './options.ts';
import { answer, table } from '../ground/print.ts';

const defaultDays = '30';
const legacyDays = 30;

export function usageCommand(line: CommandLine): Command {
  return new Command('usage')
    .description('Show what a key was used for, and what it was refused. The reading is recorded.')
    .argument('<id>', 'the id of the key')
    .option('--days <number>', `how many days back, at most ${keptDays}`, defaultDays)
    .action((keyId: string, options: { days: string; json?: boolean }) => {
      const wrong = `must be a whole number from 1 to ${keptDays}`;
      const days = option(
        '--days',
        z.coerce.number(wrong).int(wrong).min(1, wrong).max(keptDays, wrong),
        options.days,
      );
      return withSystem(line, async (at) => {
        await at.waitUntilCurrent(apiKeys);
        const key = await at.documents.collection(apiKeys.collection).get(keyId);
        if (!key) throw new CommandRefused('not_found', `There is no key ${keyId}.`);
        const usage = await usageOf(at.side, keyId, { days, now: new Date() });
        await recordKeyUseRead(at, { key: keyId, days }, at.context());
        answer(options.json, usage, linesOf(usage, await withLabel(at.personal, key)));
      });
    });
}

function linesOf(usage: KeyUsage, { label, revoked_at }: ApiKeyDocument): string[] {
  const { key_id, last_used, totals, days, from, until, of_unnamed_keys } = usage;
  const used = last_used === null ? 'was not used' : `was last used at ${last_used}`;
  const revoked = revoked_at === undefined ? '' : ` It was revoked at ${revoked_at}.`;
  const rows = totals.map(({ kind, outcome, requests, first_at, last_at }) => [
    requestKinds[kind],
    outcomes[outcome],
    requests,
    first_at,
    last_at,
  ]);
  const perDay = days.map(({ day, requests }) => [
    day,
    ...[true, false].map((accepted) =>
      requests.reduce(
        (sum, each) => sum + ((each.outcome === 'accepted') === accepted ? each.requests : 0),
        0,
      ),
    ),
  ]);
  return [
    `Key ${key_id}${label === undefined ? '' : `, ${label},`} ${used}.${revoked}`,
    '',
    ...(rows.length > 0
      ? [
          table(['REQUEST', 'OUTCOME', 'REQUESTS', 'FIRST', 'LAST'], rows),
          '',
          table(['DAY (UTC)', 'ACCEPTED', 'REFUSED'], perDay),
        ]
      : [`No requests from ${from} until ${until}.`]),
    ...(usage.last_requests.length === 0
      ? []
      : [
          '',
          'The last requests:',
          table(
            ['TIME', 'METHOD', 'ROUTE', 'STATUS', 'REASON'],
            usage.last_requests.map(({ at, method, route, status, reason }) => [
              ...[at, method, route, status, reason ?? '-'],
            ]),
          ),
        ]),
    '',
    ...notes(usage),
    ...(of_unnamed_keys > 0
      ? [
          `${counted(of_unnamed_keys, 'request of a key that could not be told apart is', 'requests of keys that could not be told apart are')} not included.`,
        ]
      : []),
  ];
}

const notes = ({ counted_since }: Pick<KeyUsage, 'counted_since'>): string[] => [
  counted_since === null ? 'Nothing has been counted yet.' : `Counted since ${counted_since}.`,
  `A running server writes its counts every ${flushSeconds} seconds; one that is killed loses those of its last seconds.`,
];

/** The keys that called the legacy endpoint in the last 30 days. */
export async function printLegacyCallers(
  at: CommandSystem,
  keys: readonly ApiKeyDocument[],
  json: boolean | undefined,
): Promise<void> {
  const byId = new Map(keys.map((key) => [key.key_id, key]));
  const callers = await legacyCallers(at.side, [...byId.keys()], { days: legacyDays, now: new Date() });
  const rows = callers.map(({ key_id, by_programs, by_web_pages, last_at }) => {
    const { kind, team, status, label } = byId.get(key_id) ?? {};
    return [key_id, kind ?? '-', team ?? '-', status ?? '-', by_programs, by_web_pages, last_at, label ?? ''];
  });
  answer(json, callers, [
    table(['KEY', 'KIND', 'TEAM', 'STATUS', 'BY PROGRAMS', 'BY WEB PAGES', 'LAST', 'LABEL'], rows),
    '',
    `Requests to the old address in the last ${legacyDays} days. Web pages: the widget, which goes on using it, or another script of a page.`,
  ]);
}

import { Command } from 'commander';
import { z } from 'zod';
import { counted } from '../../ground/counted.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { cosignaturesIn, cosignedNote, cosignersOf } from '../../audit/proof-log/format/cosignature.ts';
import { ProofError } from '../../audit/proof-log/errors.ts';
import { listedKeys, logKey, publishedKey, type LogKey } from '../../audit/proof-log/format/log-key.ts';
import { formerLog, inWords } from '../../audit/proof-log/former-log.ts';
import { findEvent } from '../../audit/proof-log/find-event.ts';
import { replaceProofLog } from '../../audit/proof-log/replace-log.ts';
import { eventAt, proveConsistency, proveEntry } from '../../audit/proof-log/prove.ts';
import { entriesFrom, nearestPlace } from '../../audit/proof-log/signed-entries.ts';
import { tileWidth } from '../../audit/proof-log/format/tiles.ts';
import { eventOf } from '../../audit/search.ts';
import type { System } from '../../container.ts';
import type { SignedTree } from '../../stores/side/proof-log-port.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { count, option, UsageError } from '../options.ts';
import { answer, table } from '../../ground/print.ts';
import { progressBar } from '../progress.ts';
import { peerCommand } from './peer.ts';
import { rotateKeyCommand } from './rotate-key.ts';

interface Json {
  readonly json?: boolean;
}

interface ReplaceOptions extends Json {
  readonly acceptLoss?: boolean;
  readonly behind?: boolean;
}

/** A signer that fails gives its lease back before it tries again. */
const leaseWithinMs = 15_000;

const eventOrEntry = z.union([z.uuid(), z.string().regex(/^\d{1,15}$/)], {
  message: 'must be the id of an event, or the number of its entry',
});
const treeSize = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, { message: 'must be the size of a checkpoint: a number of entries' })
  .transform(Number);

/** The commands of the proof log. */
export function logCommand(line: CommandLine): Command {
  const command = new Command('log').description(
    'The proof log: a signed tree over all events, which shows that none was altered, left out or added later.',
  );
  command
    .command('status')
    .description(
      'Show the name and key of the log, its newest checkpoint, and how many events are not in it yet.',
    )
    .action(({ json }: Json) =>
      withStores(line, async (system) => {
        const status = await statusOf(system);
        answer(json, status, [
          `Name:        ${status.name ?? 'none yet'}`,
          `Key (vkey):  ${status.vkey ?? 'none yet'}`,
          ...status.keys
            .filter(({ vkey }) => vkey !== status.vkey)
            .map(({ vkey, from, until }) =>
              until === null
                ? `New key:     ${vkey}`
                : `Until ${until}: ${vkey}${from === null ? '' : `, from ${from}`}`,
            ),
          status.checkpoint === null
            ? 'Checkpoint:  none yet; the server signs the first one'
            : `Checkpoint:  ${counted(status.checkpoint.size, 'entry', 'entries')}, signed ${status.checkpoint.signed_at}`,
          ...(status.witnesses
            ? [
                `Witnesses:   ${status.witnesses.cosigned} of ${status.witnesses.of} have cosigned it, ${status.witnesses.quorum} must`,
              ]
            : []),
          `Not in it:   ${counted(status.waiting, 'event')}`,
          ...status.former.map((each) => `Former log:  ${inWords(each)}`),
        ]);
      }),
    );
  command
    .command('replace')
    .description(
      'Begin a new proof log after the old one is lost for good, or does not fit the log of events. Look for its backup first.',
    )
    .option('--accept-loss', 'confirm that the old one signs nothing any more')
    .option('--behind', 'the files were put back to behind checkpoints that were given out')
    .action(({ acceptLoss = false, behind = false, json }: ReplaceOptions) =>
      withStores(line, async (system, actor) => {
        if (!acceptLoss) {
          throw new UsageError(
            'A new proof log signs the events as they are now: what was changed before cannot be shown any more. If you accept that, add --accept-loss.',
          );
        }
        const ended = await whileNobodySigns(system, (epoch) =>
          replaceProofLog(system, {
            ...{ actor, epoch, isBehind: behind, baseUrl: system.config.baseUrl },
            now: () => new Date(),
          }),
        );
        const vkey = (await logKey(system.vault))?.vkey;
        answer(json, { replaced: true, name: ended.successor, vkey, former: ended.origin }, [
          `${ended.origin} ended, and signs nothing any more. A new proof log began over all events: ${ended.successor}. It is recorded.`,
          `Give its key to your witnesses, and to those who keep checkpoints: ${vkey ?? ''}`,
        ]);
      }),
    );
  command
    .command('checkpoints')
    .description('List the checkpoints, smallest first.')
    .option('--after <size>', 'those of more entries than this', '0')
    .option('--limit <count>', 'the most checkpoints', '50')
    .action(({ after, limit, json }: Json & { readonly after: string; readonly limit: string }) =>
      withStores(line, async ({ proofLog }) => {
        const from = after === '0' ? 0 : option('--after', treeSize, after);
        const listed = await proofLog.checkpoints({ after: from, limit: count('--limit', limit) });
        answer(
          json,
          { checkpoints: listed.map(({ size, signedAt, note }) => ({ size, signed_at: signedAt, note })) },
          table(
            ['ENTRIES', 'SIGNED'],
            listed.map(({ size, signedAt }) => [size, signedAt]),
          ),
        );
      }),
    );
  command
    .command('proof <event>')
    .description(
      'Print the proof that an event is in the log, in the form of C2SP tlog-proof. <event>: its id, or the number of its entry.',
    )
    .action((event: string, { json }: Json) =>
      withStores(line, async (system) => {
        const wanted = option('event', eventOrEntry, event);
        const verifier = await keyOf(system);
        const place = /^\d+$/.test(wanted)
          ? { index: Number(wanted), event: await eventAt(system, Number(wanted)) }
          : await find(system, wanted, json !== true);
        const { index, entry, proof } = await proveEntry({ ...parts(system), verifier }, place);
        answer(json, { event: place.event.id, index, entry: entry.toString(), proof }, proof.trimEnd());
      }),
    );
  command
    .command('consistency <from> <to>')
    .description('Print the proof that the checkpoint of one size continues that of a smaller one.')
    .action((from: string, to: string, { json }: Json) =>
      withStores(line, async (system) => {
        const [older, newer] = [option('from', treeSize, from), option('to', treeSize, to)];
        const verifier = await keyOf(system);
        const proof = await proveConsistency({ proofLog: system.proofLog, verifier }, older, newer);
        answer(json, { from: older, to: newer, proof }, proof.trimEnd());
      }),
    );
  command.addCommand(peerCommand(line));
  command.addCommand(rotateKeyCommand(line));
  return command;
}

/** Takes the lease of the signer. @throws CommandRefused conflict, when one signs */
async function whileNobodySigns<Result>(
  { leases }: System,
  work: (epoch: number) => Promise<Result>,
): Promise<Result> {
  const lease = await leases.acquire('proof-log', AbortSignal.timeout(leaseWithinMs));
  if (!lease)
    throw new CommandRefused('conflict', 'A server signs the proof log. Stop it, and run this again.');
  try {
    return await work(lease.epoch);
  } finally {
    await lease.release();
  }
}

const parts = ({ store, proofLog }: System) => ({ store, proofLog });

async function keyOf({ vault }: System): Promise<LogKey> {
  const key = await logKey(vault);
  if (key) return key;
  throw new ProofError('beyond', 'The log has no key yet. The server makes it at its first start.');
}

async function find(system: System, id: string, show: boolean) {
  const newest = await system.proofLog.newest();
  const bar = show ? progressBar('events', newest?.size ?? 0) : undefined;
  try {
    const position = (await eventOf(system, id, undefined))?.recorded.position;
    const found = await findEvent(system, id, {
      ...(position === undefined ? {} : { position }),
      onProgress: (events) => bar?.update(events),
    });
    if (found) return found;
    throw new ProofError('beyond', `The log has no event ${id}.`);
  } finally {
    bar?.stop();
  }
}

async function statusOf(system: System) {
  const { vault, proofLog, config } = system;
  const [key, newest] = await Promise.all([logKey(vault), proofLog.newest()]);
  return {
    name: key?.name ?? null,
    vkey: key ? publishedKey(key, newest).vkey : null,
    keys: listedKeys(key?.keys ?? []),
    checkpoint: newest ? { size: newest.size, signed_at: newest.signedAt, note: newest.note } : null,
    ...(newest && config.witnesses.quorum > 0 ? { witnesses: await witnessesOf(system, newest) } : {}),
    waiting: await eventsAfter(system, newest?.size ?? 0),
    former: (await proofLog.ended()).map(formerLog),
  };
}

/** How many of the witnesses that the settings name have cosigned a checkpoint. */
async function witnessesOf({ proofLog, config: { witnesses } }: System, tree: SignedTree) {
  const cosigners = cosignersOf(witnesses);
  const cosigned = cosignaturesIn(await cosignedNote(proofLog, tree, cosigners), cosigners).length;
  return { cosigned, of: cosigners.length, quorum: witnesses.quorum };
}

/** How many events follow the first `size`. */
async function eventsAfter({ store, proofLog }: System, size: number): Promise<number> {
  const place = await nearestPlace(proofLog, Math.floor(size / tileWidth));
  let events = place.index * tileWidth;
  for await (const { index } of entriesFrom(store, place)) events = index + 1;
  return Math.max(0, events - size);
}

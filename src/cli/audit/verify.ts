import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { counted } from '../../ground/counted.ts';
import { ExportError } from '../../audit/exports/export-error.ts';
import { formerLog } from '../../audit/proof-log/former-log.ts';
import { logKey, type LogKey } from '../../audit/proof-log/format/log-key.ts';
import { missingCheckpoints } from '../../audit/proof-log/sealed-count.ts';
import { contradictionOf } from '../../audit/proof-log/sealed-tree.ts';
import type { KeysOfLog } from '../../audit/proof-log/format/checkpoint.ts';
import { vkeyOf } from '../../audit/proof-log/format/note.ts';
import { verifyExport, type VerifiedExport } from '../../audit/verify/verify-export.ts';
import { verifyKept } from '../../audit/verify/kept-checkpoints.ts';
import { verifyWitnesses, type WitnessPolicy } from '../../audit/verify/witnesses.ts';
import { verifyFull } from '../../audit/verify/verify-full.ts';
import { neverSigned, verifyStore, type VerifiedStore } from '../../audit/verify/verify-store.ts';
import type { System } from '../../container.ts';
import { inExport, inStore, type VerifyFinding } from '../../doctor/of-verify.ts';
import { recorded } from '../../doctor/record-verified.ts';
import { startHashing } from '../../runtime/threads/hashing-threads.ts';
import { beginning } from '../../stores/event-store/port.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { UsageError } from '../options.ts';
import { answer } from '../../ground/print.ts';
import { progressBar } from '../progress.ts';
import { keysOfVkeys } from './log-keys.ts';
import { begunAnew, keptIn, refuseFormerKey } from './kept-by-others.ts';
import { witnessPolicy, type WitnessOptions } from './witness-policy.ts';

interface VerifyOptions extends WitnessOptions {
  readonly export?: string;
  readonly checkpoint?: string;
  readonly vkey?: readonly string[];
  readonly full?: boolean;
  readonly json?: boolean;
}

/** Findings that are printed. --json has all that were named. */
const mostPrinted = 20;
/** Below this number of events, starting threads takes longer than they save. */
const worthThreads = 50_000;

export function verifyCommand(line: CommandLine): Command {
  return new Command('verify')
    .description(
      'Check the event log against what the proof log signed, or check an export. Names every event that was changed, removed, added or moved.',
    )
    .option('--export <folder>', 'check this export, without the service')
    .option(
      '--vkey <key...>',
      'the key of the log, as "audit log status" and the page /audit/log/ show it; several when it was rotated',
    )
    .option('--witness <vkey...>', 'the keys of witnesses that must have cosigned, in place of WITNESSES')
    .option('--quorum <count>', 'how many of the witnesses must have cosigned; default: more than half')
    .option('--checkpoint <file>', 'compare the log with checkpoints that a witness or a reader has kept')
    .option(
      '--full',
      'with --export, at the service: check also that the export has every event that its filter selects',
    )
    .action(async (options: VerifyOptions) => {
      const verifier = options.vkey === undefined ? undefined : keysOfVkeys(options.vkey);
      const policy = witnessPolicy(line, options);
      const { findings, more, lines, value } =
        options.export === undefined
          ? await ofStore(line, verifier, policy, options)
          : await ofExport(line, options.export, verifier, policy, options);
      if (findings.length > 0) line.exitCode = 1;
      answer(options.json, { verified: findings.length === 0, ...value, findings, more }, [
        ...lines,
        ...printed(findings, more),
      ]);
    });
}

interface Verified {
  readonly findings: readonly VerifyFinding[];
  readonly more: boolean;
  readonly lines: readonly string[];
  readonly value: object;
}

async function ofStore(
  line: CommandLine,
  chosen: KeysOfLog | undefined,
  policy: WitnessPolicy,
  { full, json, checkpoint, vkey }: VerifyOptions,
): Promise<Verified> {
  const kept = checkpoint === undefined ? undefined : await keptIn(checkpoint);
  if (full) throw new UsageError('--full: belongs to --export; the running store is always checked in full');
  const verify = async (system: System): Promise<Verified> => {
    const key = await logKey(system.vault);
    const verifier = chosen ?? key;
    await refuseFormerKey(system, vkey);
    if (!verifier) {
      const events = await system.store.count({ after: beginning });
      const findings = [
        ...(await sealedFindings(system)),
        ...(await withoutKey(system, events)),
        ...(kept ? [inStore(begunAnew(kept))] : []),
      ];
      return { findings, more: false, lines: findings.length === 0 ? [empty] : [], value: { events } };
    }
    const { findings, more, ...value } = await running(system, verifier, key, !json);
    const { proofLog } = system;
    const all = [...findings];
    const witnessed = await verifyWitnesses(proofLog, policy, (finding) => all.push(inStore(finding)));
    const compared = kept && (await verifyKept(kept, { verifier, ...policy }, proofLog));
    all.push(...(compared?.findings ?? []).map((each) => inStore(each)));
    const ofWitnesses = valueOf(policy, witnessed.cosigned, { size: witnessed.size });
    const lines = [
      sentenceOf(value),
      ...(policy.quorum === 0
        ? []
        : [
            `${sentenceOfWitnesses(policy, witnessed.cosigned)} its checkpoint of ${counted(witnessed.size, 'entry', 'entries')}.`,
          ]),
      ...(kept && compared?.notices.length === 0 ? [`The checkpoints in ${kept.name} are of this log.`] : []),
    ];
    const notices = compared?.notices ?? [];
    const former = (await proofLog.ended()).map(formerLog);
    return {
      findings: all,
      more,
      lines: [...(all.length === 0 ? lines : []), ...notices],
      value: {
        ...value,
        ...ofWitnesses,
        ...(kept ? { notices } : {}),
        ...(former.length > 0 ? { former } : {}),
      },
    };
  };
  const isWhole = chosen === undefined && kept === undefined;
  return withStores(line, (system) => recorded(system.side, isWhole, () => verify(system)));
}

const sentenceOfWitnesses = ({ cosigners, quorum }: WitnessPolicy, cosigned: number): string =>
  `${cosigned} of ${counted(cosigners.length, 'witness', 'witnesses')} (${quorum} needed) ${cosigned === 1 ? 'has' : 'have'} cosigned`;

const valueOf = ({ cosigners, quorum }: WitnessPolicy, cosigned: number, more: object = {}): object =>
  quorum === 0 ? {} : { witnesses: { cosigned, of: cosigners.length, quorum, ...more } };

const empty = 'The log is empty: there is nothing to verify.';

function sentenceOf({
  events,
  newest,
  checkpoints,
  unsigned,
  foreign,
}: Omit<VerifiedStore, 'findings' | 'more'>) {
  if (!newest) return empty;
  const rest =
    unsigned === 0 ? '' : ` ${counted(unsigned, 'newer event is', 'newer events are')} not signed yet.`;
  const others =
    foreign === 0
      ? ''
      : ` ${counted(foreign, 'event of others in the same store is', 'events of others in the same store are')} no part of it.`;
  return `Verified: all ${newest.size} events of ${events} that the newest checkpoint covers are as they were signed, and all ${checkpoints} checkpoints continue each other.${rest}${others}`;
}

async function running(
  system: System,
  verifier: KeysOfLog,
  key: LogKey | undefined,
  show: boolean,
): Promise<Omit<VerifiedStore, 'findings'> & Pick<Verified, 'findings'>> {
  // To count the events takes as long as to verify them: what is signed is most of them.
  const total = (await system.proofLog.newest())?.size ?? 0;
  const cores = availableParallelism();
  const threads = total < worthThreads || cores < 2 ? undefined : startHashing(system.config, cores);
  const bar = show ? progressBar('verify', total) : undefined;
  try {
    const sealed = await sealedFindings(system);
    const verified = await verifyStore({
      store: system.store,
      proofLog: system.proofLog,
      verifier,
      continues: key?.continues,
      ...(threads ? { hash: (range) => threads.hash(range), parallel: 2 * cores } : {}),
      onProgress: (events) => bar?.update(events),
    });
    return { ...verified, findings: [...sealed, ...verified.findings.map((each) => inStore(each))] };
  } finally {
    bar?.stop();
    await threads?.stop();
  }
}

/** The proof log must have what the vault holds of it: it can be cut back and signed anew, or lose a checkpoint, without a trace. */
async function sealedFindings(system: System): Promise<VerifyFinding[]> {
  const contradiction = await contradictionOf(system);
  const missing = await missingCheckpoints(system);
  return [
    ...(contradiction ? [inStore({ kind: 'checkpoint', sentence: contradiction.sentence })] : []),
    ...(missing === undefined
      ? []
      : [inStore({ kind: 'checkpoint', sentence: missing }, 'checkpoint-missing')]),
  ];
}

/** Without the key of the log nothing can be verified. An empty log needs none. */
async function withoutKey({ proofLog }: System, events: number): Promise<VerifyFinding[]> {
  if ((await proofLog.newest()) !== undefined) {
    const sentence =
      'The key of the proof log is missing in the vault, so nothing that it signed can be verified.';
    return [inStore({ kind: 'checkpoint', sentence }, 'log-key-missing')];
  }
  return events === 0 ? [] : [inStore(neverSigned(events), 'never-signed')];
}

async function ofExport(
  line: CommandLine,
  folder: string,
  chosen: KeysOfLog | undefined,
  policy: WitnessPolicy,
  { full, json, checkpoint }: VerifyOptions,
): Promise<Verified> {
  if (checkpoint !== undefined)
    throw new UsageError('--checkpoint: is compared with the running store, not with an export');
  const offline = async (verifier: KeysOfLog | undefined): Promise<VerifiedExport> => {
    if (!verifier)
      throw new UsageError('--vkey: name the key of the log; an export is not trusted to tell it');
    const bar = json ? undefined : progressBar('verify', 0);
    try {
      const onProgress = (events: number, of: number) => bar?.update(events, of);
      return await verifyExport({ folder, verifier, policy, onProgress });
    } finally {
      bar?.stop();
    }
  };
  if (!full) return verifiedExport(await offline(chosen), policy, []);
  return withStores(line, async (system) => {
    const key = await logKey(system.vault);
    const own = new Set(key?.keys.map(({ vkey }) => vkey));
    if (key && chosen?.keys.some(({ verifier }) => !own.has(vkeyOf(verifier))))
      throw new ExportError('--vkey is not the key of the log of this store.');
    const verified = await offline(chosen ?? key);
    if (verified.findings.length > 0) return verifiedExport(verified, policy, []);
    const bar = json ? undefined : progressBar('compare', verified.manifest.tree_size);
    try {
      const store = await running(system, key ?? (chosen as KeysOfLog), key, !json);
      const compared = await verifyFull(folder, verified.manifest, system, (events) => bar?.update(events));
      return verifiedExport(verified, policy, [...store.findings, ...compared.map(inExport)], { full: true });
    } finally {
      bar?.stop();
    }
  });
}

function verifiedExport(
  { manifest, whole, events, cosigned, findings, more }: VerifiedExport,
  policy: WitnessPolicy,
  further: readonly VerifyFinding[],
  { full = false }: { readonly full?: boolean } = {},
): Verified {
  const all = [...findings.map(inExport), ...further];
  const { log, tree_size, filter } = manifest;
  const each = events === 1 ? 'the event is' : `each of the ${events} events is`;
  const what = whole
    ? `all ${events} events up to the checkpoint are there and as ${log} signed them.`
    : full
      ? `${each} as ${log} signed it, and the filter selects no others in the store.`
      : `${each} as ${log} signed it. Whether the filter selects more, an export cannot prove: run "verify --full" at the service.`;
  return {
    findings: all,
    more,
    lines:
      all.length > 0
        ? []
        : [
            `Verified: ${what}`,
            ...(policy.quorum === 0 ? [] : [`${sentenceOfWitnesses(policy, cosigned)} its checkpoint.`]),
          ],
    value: { whole, full, events, log, tree_size, filter, ...valueOf(policy, cosigned) },
  };
}

function printed(findings: readonly VerifyFinding[], more: boolean): string[] {
  if (findings.length === 0) return [];
  const shown = findings.slice(0, mostPrinted).map(({ sentence }) => `- ${sentence}`);
  const left = findings.length - shown.length;
  const rest =
    left > 0 || more
      ? [`… and ${left > 0 ? `${left} more` : 'more'}; --json names ${more ? 'up to 200' : 'all'}.`]
      : [];
  return [
    `NOT VERIFIED. ${findings.length === 1 ? 'This is wrong:' : 'These are wrong:'}`,
    ...shown,
    ...rest,
    ...[...new Set(findings.map(({ remedy }) => remedy))].map((remedy) => `What to do: ${remedy}`),
  ];
}

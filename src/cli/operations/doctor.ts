import { Command } from 'commander';
import { ConfigError, readConfig, type Config } from '../../config.ts';
import { openSystem, type System } from '../../container.ts';
import { checkFiles, checkGrowth, type FileReport } from '../../doctor/files.ts';
import { Findings, inWords, type Finding } from '../../doctor/finding.ts';
import { checkLog, type Growth, type LogParts } from '../../doctor/log.ts';
import { examinations } from '../../doctor/record.ts';
import { checkSecrets, type OpenedSecrets } from '../../doctor/secrets.ts';
import { checkSettings } from '../../doctor/settings.ts';
import { checkStores } from '../../doctor/stores.ts';
import type { Vault } from '../../stores/vault/port.ts';
import type { CommandLine } from '../command-line.ts';
import { answer } from '../../ground/print.ts';
import { missingFiles } from '../../runtime/missing-files.ts';
import { progressBar } from '../progress.ts';

interface DoctorOptions {
  readonly full?: boolean;
  readonly json?: boolean;
}

export function doctorCommand(line: CommandLine): Command {
  return new Command('doctor')
    .description(
      'Check settings, files, keys, stores, clock and room, and say what to do. Exit code 1: a problem.',
    )
    .option(
      '--full',
      'also compare each index of the embedded files with its table and all documents of the read models with the log, and open every secret of the vault',
    )
    .action(async ({ full = false, json = false }: DoctorOptions) => {
      const { findings, files, secrets } = await examine(line.environment, { full, json });
      const problems = problemsIn(findings);
      if (problems > 0) line.exitCode = 1;
      answer(json, { problems, findings, files, ...(secrets ? { vault: secrets } : {}) }, [
        ...findings.map((each) => `${each.severity.toUpperCase()} ${each.check}: ${inWords(each)}`),
        ...(secrets
          ? [
              `${secrets.secrets - secrets.unopened} of ${secrets.secrets} secrets of the vault can be opened.`,
            ]
          : []),
        findings.length === 0
          ? 'Nothing is wrong.'
          : `${counted(problems, 'problem')}, ${counted(findings.length - problems, 'warning')}.`,
      ]);
    });
}

/** A file that has lost a trigger can be opened. */
const isDamage = ({ check, severity, name }: Finding): boolean =>
  check === 'integrity' && severity === 'problem' && name !== 'trigger-missing';

const problemsIn = (findings: readonly Finding[]): number =>
  findings.filter(({ severity }) => severity === 'problem').length;

const counted = (count: number, what: string): string => `${count} ${count === 1 ? what : `${what}s`}`;

interface Examination {
  readonly findings: readonly Finding[];
  readonly files: readonly FileReport[];
  /** Of a full examination. */
  readonly secrets?: OpenedSecrets | undefined;
}

async function examine(
  environment: NodeJS.ProcessEnv,
  { full, json }: { readonly full: boolean; readonly json: boolean },
): Promise<Examination> {
  const findings = new Findings();
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    findings.problem('settings', error.message);
    return { findings: findings.all, files: [] };
  }
  checkSettings(config, findings);
  const files = (await findings.attempt('files', () => checkFiles(config, { full }, findings))) ?? [];
  for (const sentence of missingFiles(config))
    findings.problem('integrity', `${sentence} If you have the file, put it back before the next start.`);
  // A store must not be made where there is none, and one that is damaged is not opened for writing.
  let secrets: OpenedSecrets | undefined;
  const isEmbedded = config.eventStoreUrl === undefined;
  if (isEmbedded && !files.some(({ name }) => name === 'events.db')) {
    findings.problem(
      'log',
      `There is no log in ${config.dataDir}. Check the spelling of DATA_DIR, or restore a backup.`,
    );
  } else if (!findings.all.some(isDamage)) {
    await findings.attempt('stores', async () => {
      const system = await openSystem(config);
      try {
        await system.ready();
        await checkStores(system, new Date(), findings);
        const growth = await findings.attempt('log', () => readLog(system, findings, { full, json }));
        if (growth) await findings.attempt('disk', () => checkGrowth(config, files, growth, findings));
        if (full) secrets = await findings.attempt('keys', () => openSecrets(system.vault, findings, json));
        // So that `status` and the alert end with the problem, and not with the next daily run.
        await findings.attempt('stores', () =>
          examinations(system.side).put({
            at: new Date().toISOString(),
            problems: problemsIn(findings.all),
            findings: findings.all,
          }),
        );
      } finally {
        await system.close();
      }
    });
  }
  return { findings: findings.all, files, secrets };
}

async function readLog(
  parts: LogParts & Pick<System, 'proofLog'>,
  findings: Findings,
  { full, json }: { readonly full: boolean; readonly json: boolean },
): Promise<Growth | undefined> {
  // To count the events takes half as long as to read them: what is signed is most of them. That the proof log cannot be
  // read is a finding of its own.
  const signed = json ? undefined : await parts.proofLog.newest().catch(() => undefined);
  const total = signed?.size ?? 0;
  const bar = json ? undefined : progressBar('log', total);
  try {
    return await checkLog(parts, { full, now: new Date(), onEvents: (done) => bar?.update(done) }, findings);
  } finally {
    bar?.stop();
  }
}

async function openSecrets(vault: Vault, findings: Findings, json: boolean): Promise<OpenedSecrets> {
  const bar = json ? undefined : progressBar('secrets', 0);
  try {
    return await checkSecrets(vault, findings, (done, total) => bar?.update(done, total));
  } finally {
    bar?.stop();
  }
}

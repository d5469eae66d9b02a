import { Command } from 'commander';
import { ConfigError, readConfig, type Config } from '../config.ts';
import { openSystem } from '../container.ts';
import { checkFiles, type FileReport } from '../doctor/files.ts';
import { Findings, type Finding } from '../doctor/finding.ts';
import { checkSettings } from '../doctor/settings.ts';
import { checkStores } from '../doctor/stores.ts';
import type { CommandLine } from './command-line.ts';
import { answer } from './print.ts';

interface DoctorOptions {
  readonly full?: boolean;
  readonly json?: boolean;
}

export function doctorCommand(line: CommandLine): Command {
  return new Command('doctor')
    .description(
      'Check settings, files, keys, stores, clock and room, and say what to do. Exit code 1: a problem.',
    )
    .option('--full', 'also compare each index of the embedded files with its table')
    .action(async ({ full = false, json = false }: DoctorOptions) => {
      const { findings, files } = await examine(line.environment, full);
      const problems = findings.filter(({ severity }) => severity === 'problem').length;
      if (problems > 0) line.exitCode = 1;
      answer(json, { problems, findings, files }, [
        ...findings.map(({ check, severity, sentence }) => `${severity.toUpperCase()} ${check}: ${sentence}`),
        findings.length === 0
          ? 'Nothing is wrong.'
          : `${counted(problems, 'problem')}, ${counted(findings.length - problems, 'warning')}.`,
      ]);
    });
}

const counted = (count: number, what: string): string => `${count} ${count === 1 ? what : `${what}s`}`;

async function examine(
  environment: NodeJS.ProcessEnv,
  full: boolean,
): Promise<{ readonly findings: readonly Finding[]; readonly files: readonly FileReport[] }> {
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
  // A store must not be made where there is none, and one that is damaged is not opened for writing.
  const isEmbedded = config.eventStoreUrl === undefined;
  if (isEmbedded && !files.some(({ name }) => name === 'events.db')) {
    findings.problem(
      'log',
      `There is no log in ${config.dataDir}. Check the spelling of DATA_DIR, or restore a backup.`,
    );
  } else if (!findings.all.some(({ check, severity }) => check === 'integrity' && severity === 'problem')) {
    await findings.attempt('stores', async () => {
      const system = await openSystem(config);
      try {
        await system.ready();
        await checkStores(system, new Date(), findings);
      } finally {
        await system.close();
      }
    });
  }
  return { findings: findings.all, files };
}

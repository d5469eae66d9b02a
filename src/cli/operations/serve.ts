import { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { openSystem } from '../../container.ts';
import { missingFiles, refuseMissingLog } from '../../runtime/missing-files.ts';
import { serve } from '../../runtime/serve.ts';
import type { CommandLine } from '../command-line.ts';

export function serveCommand(line: CommandLine): Command {
  return new Command('serve')
    .description('Serve the APIs, update the read models and send webhooks, until stopped.')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(line.environment);
      refuseMissingLog(config);
      for (const sentence of missingFiles(config)) console.error(sentence);
      const system = await openSystem(config);
      try {
        await serve(config, system, json === true);
      } finally {
        await system.close();
      }
    });
}

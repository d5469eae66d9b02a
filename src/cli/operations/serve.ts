import { randomUUID } from 'node:crypto';
import { Command } from 'commander';
import { readConfig } from '../../config.ts';
import { openSystem } from '../../container.ts';
import { missingFiles, refuseMissingLog } from '../../runtime/missing-files.ts';
import { reportFault, serve } from '../../runtime/serve.ts';
import { startTraces } from '../../runtime/operators/traces.ts';
// Read before anything is opened: nothing starts with a fault in a table of words.
import '../../tables/language-tables.ts';
import type { CommandLine } from '../command-line.ts';

export function serveCommand(line: CommandLine): Command {
  return new Command('serve')
    .description('Serve the APIs, update the read models and send webhooks, until stopped.')
    .action(async ({ json }: { json?: boolean }) => {
      const config = readConfig(line.environment);
      refuseMissingLog(config);
      for (const sentence of missingFiles(config)) console.error(sentence);
      const system = await openSystem(config);
      const tell = (sentence: string) => reportFault('traces', sentence);
      const traces = await startTraces(config, { thread: 'main', instance: randomUUID(), tell });
      try {
        await serve(config, system, json === true, traces);
      } finally {
        await system.close();
        traces.leave();
      }
    });
}

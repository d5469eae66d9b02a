import { Command } from 'commander';
import type { CommandLine } from '../command-line.ts';
import { asOfCommand } from './as-of.ts';
import { auditEventsCommand } from './events.ts';
import { exportCommand } from './export.ts';
import { logCommand } from './log.ts';
import { walkCommand } from './walk.ts';

/** The commands of the audit log. */
export function auditCommand(line: CommandLine): Command {
  return new Command('audit')
    .description('The audit log: who did what, when and by whose decision, and the proof that it is whole.')
    .addCommand(asOfCommand(line))
    .addCommand(auditEventsCommand(line))
    .addCommand(walkCommand(line))
    .addCommand(logCommand(line))
    .addCommand(exportCommand(line));
}

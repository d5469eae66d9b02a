import { spawnSync } from 'node:child_process';
import { temporaryFolder } from './folder.ts';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Whether Prometheus's own checker is on this machine: Debian has it in the package `prometheus`. */
export const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

/** What promtool says against it; empty when it finds nothing. */
export function promtool(words: readonly string[], input = ''): string {
  const { status, stdout, stderr } = spawnSync('promtool', words, { input, encoding: 'utf8' });
  return status === 0 && stderr === '' ? '' : `${stdout}${stderr}`;
}

/** What promtool says against rules that are not in a file. */
export function promtoolOnRules(rules: object): string {
  const folder = temporaryFolder();
  try {
    const file = join(folder.path, 'rules.json');
    // Prometheus reads YAML, which JSON is.
    writeFileSync(file, JSON.stringify(rules));
    return promtool(['check', 'rules', file]);
  } finally {
    folder.remove();
  }
}

import type { ReadFile } from './export-lines.ts';
import type { ExportManifest } from '../exports/manifest.ts';
import type { Checkpoint } from '../proof-log/format/checkpoint.ts';
import type { ExportedEvents } from './exported-events.ts';
import type { Finding } from './finding.ts';

/** What the parts of an export are verified with. */
export interface Verification {
  readonly folder: string;
  readonly manifest: ExportManifest;
  readonly checkpoint: Checkpoint;
  readonly events: ExportedEvents;
  readonly onPage: (events: number) => void;
  readonly report: (finding: Finding) => void;
}

export const wrongManifest = (what: string): Finding => ({
  kind: 'manifest',
  sentence: `The manifest does not fit: ${what}.`,
});

/** Compares a file with what the manifest says of it. */
export function checkFile(
  expected: { readonly file: string; readonly bytes: number; readonly sha256: string } | undefined,
  file: string,
  found: ReadFile | undefined,
  report: (finding: Finding) => void,
): void {
  if (expected?.file !== file) report(wrongManifest(`it does not name ${file}`));
  else if (found && found.bytes < expected.bytes)
    report({
      kind: 'file',
      sentence: `${file} was cut off: it has ${found.bytes} bytes of ${expected.bytes}.`,
    });
  else if (found && (found.bytes !== expected.bytes || found.sha256 !== expected.sha256))
    report({
      kind: 'file',
      sentence: `${file} has the SHA-256 ${found.sha256}, ${found.bytes} bytes; the manifest says ${expected.sha256}, ${expected.bytes} bytes. The file or the manifest was changed.`,
    });
}

import type { Finding } from '../audit/verify/finding.ts';
import { catalogue, type FindingName, type Weight } from './catalogue.ts';

/** What `verify` found, with its name, its weight and its remedy in the catalogue. */
export interface VerifyFinding extends Finding {
  readonly name: FindingName;
  readonly weight: Weight;
  readonly remedy: string;
}

const names = {
  changed: 'event-changed',
  missing: 'event-changed',
  added: 'event-changed',
  moved: 'event-changed',
  duplicated: 'event-changed',
  revision: 'event-changed',
  unreadable: 'log-unreadable',
  tile: 'proof-log-contradicted',
  checkpoint: 'proof-log-contradicted',
  former: 'former-log-differs',
  witness: 'proof-log-contradicted',
  proof: 'proof-log-contradicted',
  quorum: 'not-cosigned',
  manifest: 'export-changed',
  file: 'export-changed',
} as const satisfies Readonly<Record<Finding['kind'], FindingName>>;

/** A finding about the log or the proof log of this installation. */
export const inStore = (finding: Finding, name: FindingName = names[finding.kind]): VerifyFinding => ({
  ...finding,
  name,
  weight: catalogue[name].weight,
  remedy: catalogue[name].remedy,
});

/** A finding about an export, whatever is wrong in it. One that too few witnesses have seen may still be right. */
export const inExport = (finding: Finding): VerifyFinding =>
  inStore(finding, finding.kind === 'quorum' ? 'not-cosigned' : 'export-changed');

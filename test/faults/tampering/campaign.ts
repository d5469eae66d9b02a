import { ExportError } from '../../../src/audit/exports/export-error.ts';
import type { Finding } from '../../../src/audit/verify/finding.ts';
import { verifyExport } from '../../../src/audit/verify/verify-export.ts';
import { verifyStore } from '../../../src/audit/verify/verify-store.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { chanceOf } from '../seeded-random.ts';
import { exportTamperings, tamperExport } from './export.ts';
import { copyData, dataOf, exportOf, tamperScene, type TamperScene } from './scene.ts';
import { tamperKinds, tamperStore } from './store.ts';

export interface TamperOptions {
  readonly rounds: number;
  readonly seed: number;
  readonly events: number;
  readonly tell: (line: string) => void;
}

export interface TamperReport {
  /** How often what was done. */
  readonly done: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

/**
 * Changes a copy of a signed log, or of an export of it, in one place; `verify` must name it, and nothing else. The
 * untouched ones must verify, before and after.
 */
export async function tamperCampaign({ rounds, seed, events, tell }: TamperOptions): Promise<TamperReport> {
  const scene = await tamperScene(events);
  const done: Record<string, number> = {};
  const violations = await untouched(scene);
  for (const each of violations.slice(0, 3)) tell(each);
  for (let n = 0; n < rounds; n += 1) {
    const violation = await round(scene, seed + n, n, done);
    if (violation !== undefined) {
      violations.push(`seed ${seed + n}, round ${n}: ${violation}`);
      tell(violations.at(-1) as string);
    }
    if ((n + 1) % 100 === 0) tell(`${n + 1} rounds, ${violations.length} violations`);
  }
  violations.push(...(await untouched(scene)));
  scene.remove();
  return { done, violations };
}

/** Stores and exports in turn, each kind of change in turn. */
async function round(
  scene: TamperScene,
  seed: number,
  n: number,
  done: Record<string, number>,
): Promise<string | undefined> {
  const chance = chanceOf(seed);
  const turn = Math.floor(n / 2);
  if (n % 2 === 0) {
    const kind = tamperKinds[turn % tamperKinds.length] as (typeof tamperKinds)[number];
    done[`store: ${kind}`] = (done[`store: ${kind}`] ?? 0) + 1;
    const copy = copyData(scene);
    try {
      const { what, isNamed, leaves } = tamperStore(kind, copy.path, scene.rows, chance);
      const findings = await ofStore(scene, copy.path);
      const innocent = findings.find(
        ({ kind, leaf }) => kind !== 'revision' && leaf !== undefined && !leaves.has(leaf),
      );
      if (!isNamed(findings)) return told(what, findings);
      return innocent ? `${what}: an innocent event was named: ${innocent.sentence}` : undefined;
    } finally {
      copy.remove();
    }
  }
  const kind = exportTamperings[turn % exportTamperings.length] as (typeof exportTamperings)[number];
  const name = scene.exports[Math.floor(turn / exportTamperings.length) % scene.exports.length] as string;
  done[`export: ${kind}`] = (done[`export: ${kind}`] ?? 0) + 1;
  const { what, isNamed, folder, ...copy } = tamperExport(kind, scene, name, chance);
  try {
    const findings = await ofExport(scene, folder);
    return isNamed(findings) ? undefined : told(what, findings);
  } finally {
    copy.remove();
  }
}

const told = (what: string, findings: readonly Finding[]): string =>
  `${what}: not named; ${findings.length === 0 ? 'nothing was found' : findings.map(({ sentence }) => sentence).join(' | ')}`;

async function untouched(scene: TamperScene): Promise<string[]> {
  const store = await ofStore(scene, dataOf(scene));
  const violations = store.map(({ sentence }) => `the untouched store: ${sentence}`);
  for (const name of scene.exports)
    for (const { sentence } of await ofExport(scene, exportOf(scene, name)))
      violations.push(`the untouched export ${name}: ${sentence}`);
  return violations;
}

async function ofStore({ verifier }: TamperScene, path: string): Promise<readonly Finding[]> {
  const system = await openSystem(readConfig({ DATA_DIR: path }));
  try {
    const { store, proofLog } = system;
    return (await verifyStore({ store, proofLog, verifier })).findings;
  } finally {
    await system.close();
  }
}

/** What is no export any more is told in a sentence of its own. */
async function ofExport({ verifier }: TamperScene, folder: string): Promise<readonly Finding[]> {
  try {
    return (await verifyExport({ folder, verifier })).findings;
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    return [{ kind: 'manifest', sentence: error.message }];
  }
}

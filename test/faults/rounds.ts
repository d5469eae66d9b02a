import { chanceOf } from './seeded-random.ts';
import { dispatchRounds } from './dispatch.ts';
import { importRounds } from './import.ts';
import { projectionRounds } from './projection.ts';
import { kinds, type Kind, type Round, type RoundReport } from './round.ts';

export interface FaultOptions {
  readonly rounds: number;
  /** The first round's; each one after has the next number. */
  readonly seed: number;
  readonly only?: Kind;
  /** Services of the generated datapackages. */
  readonly services: number;
  /** Approvals of a dispatch round, each for several subscribers. */
  readonly approvals: number;
  readonly tell: (line: string) => void;
}

export interface KilledRound extends RoundReport {
  readonly kind: Kind;
  readonly seed: number;
  readonly seconds: number;
}

/** Rounds of every kind in turn. */
export async function killingRounds(options: FaultOptions): Promise<KilledRound[]> {
  const wanted = options.only ? [options.only] : kinds;
  const preparing = new Map<Kind, Promise<{ round: Round; dispose?: () => void }>>();
  const done: KilledRound[] = [];
  try {
    for (let n = 0; n < options.rounds; n++) {
      const kind = wanted[n % wanted.length] as Kind;
      const scene = preparing.get(kind) ?? prepare(kind, options);
      preparing.set(kind, scene);
      const { round } = await scene;
      const seed = options.seed + n;
      const began = performance.now();
      const report = await round(chanceOf(seed)).catch((error: unknown) => ({
        kills: 0,
        events: 0,
        facts: {},
        violations: [
          `the round broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        ],
      }));
      const killed = { ...report, kind, seed, seconds: (performance.now() - began) / 1_000 };
      done.push(killed);
      options.tell(lineOf(n + 1, killed));
    }
  } finally {
    for (const scene of preparing.values()) (await scene).dispose?.();
  }
  return done;
}

function prepare(
  kind: Kind,
  { services, approvals }: FaultOptions,
): Promise<{ round: Round; dispose?: () => void }> {
  switch (kind) {
    case 'import':
      return importRounds(services);
    case 'projection':
      return projectionRounds(services);
    case 'dispatch':
      return Promise.resolve({ round: dispatchRounds(approvals) });
  }
}

function lineOf(n: number, { kind, seed, seconds, kills, events, facts, violations }: KilledRound): string {
  const counts = Object.entries({ kills, events, ...facts }).map(([what, count]) => `${count} ${what}`);
  const verdict = violations.length === 0 ? 'ok' : 'VIOLATED';
  const line = `${String(n).padStart(4)}  ${kind.padEnd(10)}  seed ${seed}  ${seconds.toFixed(1).padStart(5)} s  ${verdict}  ${counts.join(', ')}`;
  if (violations.length === 0) return line;
  const shown = violations.slice(0, 10).map((each) => `        ${each}`);
  const repeat = `        to repeat: npm run test:faults -- --only ${kind} --rounds 1 --seed ${seed}`;
  return [
    line,
    ...shown,
    ...(violations.length > 10 ? [`        and ${violations.length - 10} more`] : []),
    repeat,
  ].join('\n');
}

/** What all the rounds of a kind came to, as a Markdown table. */
export function summaryOf(rounds: readonly KilledRound[]): string {
  const rows = kinds.flatMap((kind) => {
    const own = rounds.filter((each) => each.kind === kind);
    if (own.length === 0) return [];
    const sum = (of: (each: KilledRound) => number) => own.reduce((total, each) => total + of(each), 0);
    const facts = [...new Set(own.flatMap((each) => Object.keys(each.facts)))];
    const told = facts.map((fact) => `${sum((each) => each.facts[fact] ?? 0)} ${fact}`);
    const violated = own.filter((each) => each.violations.length > 0).length;
    const cells = [
      kind,
      own.length,
      sum((each) => each.kills),
      sum((each) => each.events),
      told.join(', '),
      violated,
    ];
    return [`| ${cells.join(' | ')} |`];
  });
  return [
    '| while | rounds | kills at work | events | besides | rounds violated |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

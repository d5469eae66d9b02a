import { defined } from '../ground/defined.ts';
import { messageOf } from '../ground/store-error.ts';
import { catalogue, type FindingName, type Weight } from './catalogue.ts';

/** Something that an operator should know, with what to do about it. */
export interface Finding {
  /** What was checked. */
  readonly check: string;
  /** `problem`: something is wrong now. `warning`: it works, and is risky or will not work for long. */
  readonly severity: 'problem' | 'warning';
  /** What is wrong, for operators: it may name paths and streams, never a secret or a person. */
  readonly sentence: string;
  /** Of what is looked at all the time as well: the same there. */
  readonly id?: string;
  /** Absent in a record of an older release: see `weightOf`. */
  readonly weight?: Weight;
  /** Of what the catalogue has. The sentences of others say what to do themselves. */
  readonly name?: FindingName;
  readonly remedy?: string;
}

/** What is lost, or may be, when one of these is wrong. */
const inDanger: readonly string[] = [
  'integrity',
  'keys',
  'vault',
  'log',
  'erasure',
  'backup',
  'proof log',
  'limits of streams',
];

/** A finding has its weight from the catalogue, or by what was checked. One that stops changes cannot be served. */
export const weightOf = ({
  check,
  weight,
  stopsChanges = false,
}: Pick<Finding, 'check' | 'weight'> & { readonly stopsChanges?: boolean }): Weight => {
  if (stopsChanges) return 'cannot serve';
  return weight ?? (inDanger.includes(check) ? 'in danger' : 'needs attention');
};

/** What is wrong and what to do. */
export const inWords = ({ sentence, remedy }: Pick<Finding, 'sentence' | 'remedy'>): string =>
  remedy === undefined ? sentence : `${sentence} ${remedy}`;

interface FindingOptions {
  readonly severity?: Finding['severity'];
  readonly id?: string;
  /** In place of the one in the catalogue, where more is clear. */
  readonly remedy?: string;
}

/** A finding of the catalogue. */
export function findingOf(
  name: FindingName,
  sentence: string,
  { severity = 'problem', id, remedy }: FindingOptions = {},
) {
  const { check, weight, remedy: usual } = catalogue[name];
  return { check, severity, name, weight, sentence, remedy: remedy ?? usual, ...defined({ id }) };
}

/** Collects findings. A check that fails is a finding too. */
export class Findings {
  readonly all: Finding[] = [];

  /** Something of the catalogue is wrong. `sentence`: what and where. */
  found(...of: Parameters<typeof findingOf>): void {
    this.all.push(findingOf(...of));
  }

  problem(check: string, sentence: string, id?: string): void {
    this.all.push({ check, severity: 'problem', weight: weightOf({ check }), sentence, ...defined({ id }) });
  }

  warning(check: string, sentence: string, id?: string): void {
    this.all.push({ check, severity: 'warning', weight: weightOf({ check }), sentence, ...defined({ id }) });
  }

  /** Runs a check. Returns undefined when it could not be made. */
  async attempt<Result>(check: string, work: () => Promise<Result> | Result): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.problem(check, messageOf(error));
      return undefined;
    }
  }
}

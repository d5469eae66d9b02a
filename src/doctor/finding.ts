import { defined } from '../ground/defined.ts';
import { messageOf } from '../ground/store-error.ts';
import { catalogue, type FindingName, type Weight } from './catalogue.ts';
import { generalFindings, type Check, type GeneralName } from './general-findings.ts';

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
  /** Of the catalogue, or of what was checked. Absent, as the remedy, in a record of an older release. */
  readonly name?: FindingName | GeneralName;
  readonly remedy?: string;
}

/** A finding has its weight from the catalogue, or by what was checked. One that stops changes cannot be served. */
export const weightOf = ({
  check,
  weight,
  stopsChanges = false,
}: Pick<Finding, 'check' | 'weight'> & { readonly stopsChanges?: boolean }): Weight => {
  if (stopsChanges) return 'cannot serve';
  return weight ?? (isCheck(check) ? generalFindings[check].weight : 'needs attention');
};

const isCheck = (check: string): check is Check => Object.hasOwn(generalFindings, check);

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

  problem(check: Check, sentence: string, id?: string): void {
    this.#add('problem', check, sentence, id);
  }

  warning(check: Check, sentence: string, id?: string): void {
    this.#add('warning', check, sentence, id);
  }

  /** Runs a check. Returns undefined when it could not be made. */
  async attempt<Result>(check: Check, work: () => Promise<Result> | Result): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.problem(check, messageOf(error));
      return undefined;
    }
  }

  #add(severity: Finding['severity'], check: Check, sentence: string, id: string | undefined): void {
    const { name, weight, remedy } = generalFindings[check];
    this.all.push({ check, severity, name, weight, sentence, remedy, ...defined({ id }) });
  }
}

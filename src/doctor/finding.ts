import { defined } from '../ground/defined.ts';
import { messageOf } from '../ground/store-error.ts';

/** Something that an operator should know, with what to do about it. */
export interface Finding {
  /** What was checked. */
  readonly check: string;
  /** `problem`: something is wrong now. `warning`: it works, and is risky or will not work for long. */
  readonly severity: 'problem' | 'warning';
  /** What is wrong and what to do, for operators: it may name paths and streams, never a secret or a person. */
  readonly sentence: string;
  /** Of what is looked at all the time as well: the same there. */
  readonly id?: string;
}

/** Collects findings. A check that fails is a finding too. */
export class Findings {
  readonly all: Finding[] = [];

  problem(check: string, sentence: string, id?: string): void {
    this.all.push({ check, severity: 'problem', sentence, ...defined({ id }) });
  }

  warning(check: string, sentence: string, id?: string): void {
    this.all.push({ check, severity: 'warning', sentence, ...defined({ id }) });
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

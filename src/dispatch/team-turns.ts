/** A step of work. Returns whether there is more to do. */
export type Step = () => Promise<boolean>;

interface Work {
  readonly step: Step;
  readonly done: (of: undefined) => void;
  readonly failed: (error: unknown) => void;
}

interface Team {
  readonly waiting: Work[];
  running: number;
}

/**
 * Runs the work of many teams step by step, in turns: after one step of a team, every other team that has work gets
 * one before it. So the wait of a team depends on how many teams have work, not on how much another team has. Within a
 * team, work that began first ends first.
 */
export class TeamTurns {
  readonly #stepsAtOnce: number;
  readonly #stepsPerTeam: number;
  /** In the order of their turns. */
  readonly #teams = new Map<string, Team>();
  #running = 0;

  constructor(limits: { readonly stepsAtOnce: number; readonly stepsPerTeam: number }) {
    this.#stepsAtOnce = limits.stepsAtOnce;
    this.#stepsPerTeam = limits.stepsPerTeam;
  }

  /** Resolves when the step has nothing more to do. Rejects when it has thrown. */
  run(team: string, step: Step): Promise<undefined> {
    const { promise, resolve: done, reject: failed } = Promise.withResolvers<undefined>();
    const of = this.#teams.get(team) ?? { waiting: [], running: 0 };
    this.#teams.set(team, of);
    of.waiting.push({ step, done, failed });
    this.#next();
    return promise;
  }

  #next(): void {
    for (const [name, team] of this.#teams) {
      if (this.#running >= this.#stepsAtOnce) return;
      if (team.running >= this.#stepsPerTeam) continue;
      const work = team.waiting.shift();
      if (!work) continue;
      void this.#step(name, team, work);
    }
  }

  async #step(name: string, team: Team, work: Work): Promise<void> {
    this.#running += 1;
    team.running += 1;
    this.#toTheEnd(name, team);
    try {
      if (await work.step()) team.waiting.unshift(work);
      else work.done(undefined);
    } catch (error) {
      work.failed(error);
    } finally {
      this.#running -= 1;
      team.running -= 1;
      // A team that came during this step has its turn first.
      this.#toTheEnd(name, team);
      this.#next();
    }
  }

  #toTheEnd(name: string, team: Team): void {
    this.#teams.delete(name);
    if (team.running > 0 || team.waiting.length > 0) this.#teams.set(name, team);
  }
}

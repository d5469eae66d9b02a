/** What takes a slot for one attempt. */
export interface SlotTaker {
  readonly team: string;
  /** Starts one attempt. Returns whether it has started one, and whether it could start another now. */
  startOne(): { readonly started: boolean; readonly more: boolean };
}

interface Team {
  underWay: number;
  /** Lanes that could start an attempt, in the order of their turns. */
  readonly waiting: Set<SlotTaker>;
}

/**
 * The attempts under way in the whole dispatcher, given out in turns: first among teams, then among the lanes of a team.
 *
 * A team may have as many under way as there are free slots. So one team alone takes half of them, two take a third
 * each, and there is always room for one that comes next: slow receivers of one team never fill the dispatcher.
 */
export class AttemptSlots {
  readonly #most: number;
  readonly #teams = new Map<string, Team>();
  /** The teams with waiting lanes, in the order of their turns. */
  readonly #turns = new Set<string>();
  #underWay = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Asks for slots, as long as the lane can start attempts. */
  ask(taker: SlotTaker): void {
    const team = this.#teamOf(taker.team);
    team.waiting.add(taker);
    this.#turns.add(taker.team);
    this.#give();
  }

  /** A lane that wants no more. */
  withdraw(taker: SlotTaker): void {
    const team = this.#teams.get(taker.team);
    if (!team) return;
    team.waiting.delete(taker);
    this.#forgetIdle(taker.team, team);
  }

  /** An attempt has ended. `team`: the one that the lane had when it started. */
  ended(name: string): void {
    const team = this.#teamOf(name);
    this.#underWay -= 1;
    team.underWay -= 1;
    this.#forgetIdle(name, team);
    this.#give();
  }

  #give(): void {
    let passed = 0;
    while (this.#underWay < this.#most && passed < this.#turns.size) {
      const [name] = this.#turns;
      const team = name === undefined ? undefined : this.#teams.get(name);
      if (name === undefined || !team) return;
      this.#turns.delete(name);
      const [taker] = team.waiting;
      if (!taker) continue;
      if (team.underWay >= this.#most - this.#underWay) {
        this.#turns.add(name);
        passed += 1;
        continue;
      }
      team.waiting.delete(taker);
      const { started, more } = taker.startOne();
      if (started) {
        this.#underWay += 1;
        team.underWay += 1;
        passed = 0;
      }
      if (more) team.waiting.add(taker);
      if (team.waiting.size > 0) this.#turns.add(name);
      else this.#forgetIdle(name, team);
    }
  }

  #teamOf(name: string): Team {
    const team = this.#teams.get(name) ?? { underWay: 0, waiting: new Set<SlotTaker>() };
    this.#teams.set(name, team);
    return team;
  }

  #forgetIdle(name: string, team: Team): void {
    if (team.waiting.size > 0) return;
    this.#turns.delete(name);
    if (team.underWay === 0) this.#teams.delete(name);
  }
}

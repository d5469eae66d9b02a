/** What takes a slot for one attempt. */
export interface SlotTaker {
  readonly team: string;
  /** Starts one attempt. Returns whether it has started one, and whether it could start another now. */
  startOne(): { readonly started: boolean; readonly more: boolean };
}

interface Team {
  underWay: number;
  /** Of those: the ones that do not wait for their receivers. */
  atWork: number;
  /** Lanes that could start an attempt, in the order of their turns. */
  readonly waiting: Set<SlotTaker>;
}

/**
 * The attempts under way in the whole dispatcher, given out in turns: first among teams, then among the lanes of a team.
 *
 * A team may have as many under way as there are free slots. So one team alone takes half of them, two take a third
 * each, and there is always room for one that comes next: slow receivers of one team never fill the dispatcher.
 *
 * The same holds for the attempts that do not wait for their receivers, of which there may be fewer: they wait for each
 * other, for the core, the journal and the log. With a hundred of them from one team an attempt of another took as long as
 * all of these.
 */
export class AttemptSlots {
  readonly #most: number;
  readonly #mostAtWork: number;
  readonly #teams = new Map<string, Team>();
  /** The teams with waiting lanes, in the order of their turns. */
  readonly #turns = new Set<string>();
  #underWay = 0;
  #atWork = 0;

  constructor(most: number, mostAtWork: number = most) {
    this.#most = most;
    this.#mostAtWork = mostAtWork;
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

  /** An attempt waits for its receiver from now on, or no longer. `name`: the team that its lane had when it started. */
  waits(name: string, isWaiting: boolean): void {
    this.#work(this.#teamOf(name), isWaiting ? -1 : 1);
    if (isWaiting) this.#give();
  }

  /** An attempt has ended, and does not wait for its receiver. */
  ended(name: string): void {
    const team = this.#teamOf(name);
    this.#underWay -= 1;
    team.underWay -= 1;
    this.#work(team, -1);
    this.#forgetIdle(name, team);
    this.#give();
  }

  #give(): void {
    let passed = 0;
    while (this.#hasRoom && passed < this.#turns.size) {
      const [name] = this.#turns;
      const team = name === undefined ? undefined : this.#teams.get(name);
      if (name === undefined || !team) return;
      this.#turns.delete(name);
      const [taker] = team.waiting;
      if (!taker) continue;
      if (this.#hasItsPart(team)) {
        this.#turns.add(name);
        passed += 1;
        continue;
      }
      team.waiting.delete(taker);
      const { started, more } = taker.startOne();
      if (started) {
        this.#underWay += 1;
        team.underWay += 1;
        this.#work(team, 1);
        passed = 0;
      }
      if (more) team.waiting.add(taker);
      if (team.waiting.size > 0) this.#turns.add(name);
      else this.#forgetIdle(name, team);
    }
  }

  get #hasRoom(): boolean {
    return this.#underWay < this.#most && this.#atWork < this.#mostAtWork;
  }

  /** Whether a team has as many as are free. */
  #hasItsPart({ underWay, atWork }: Team): boolean {
    return underWay >= this.#most - this.#underWay || atWork >= this.#mostAtWork - this.#atWork;
  }

  #work(team: Team, by: 1 | -1): void {
    this.#atWork += by;
    team.atWork += by;
  }

  #teamOf(name: string): Team {
    const team = this.#teams.get(name) ?? { underWay: 0, atWork: 0, waiting: new Set<SlotTaker>() };
    this.#teams.set(name, team);
    return team;
  }

  #forgetIdle(name: string, team: Team): void {
    if (team.waiting.size > 0) return;
    this.#turns.delete(name);
    if (team.underWay === 0) this.#teams.delete(name);
  }
}

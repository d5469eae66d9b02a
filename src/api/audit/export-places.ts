import { ExportError } from '../../audit/exports/export-error.ts';

/** Each export reads the whole log: more at once would take the time of other requests. */
const placesOfInstallation = 2;
const placesOfTeams = 4;
const placesOfOneTeam = 1;

/**
 * How many exports run at once: of the installation, of all teams, and of one team. The installation has places of its
 * own and a team has few, so that nobody keeps out the others.
 */
export class ExportPlaces {
  readonly #ofTeams = new Map<string, number>();
  #ofInstallation = 0;

  /**
   * Takes a place, for a team or for the installation. Returns what gives it back.
   * @throws ExportError when there is none
   */
  take(team: string | undefined): () => void {
    if (team === undefined) {
      if (this.#ofInstallation >= placesOfInstallation)
        throw new ExportError('Two exports are running. Try again when one has ended.');
      this.#ofInstallation += 1;
      return once(() => (this.#ofInstallation -= 1));
    }
    const running = this.#ofTeams.get(team) ?? 0;
    if (running >= placesOfOneTeam)
      throw new ExportError('An export of this team is running. Try again when it has ended.');
    if (sum(this.#ofTeams.values()) >= placesOfTeams)
      throw new ExportError('Exports of several teams are running. Try again in a moment.');
    this.#ofTeams.set(team, running + 1);
    return once(() => {
      const left = (this.#ofTeams.get(team) ?? 0) - 1;
      if (left > 0) this.#ofTeams.set(team, left);
      else this.#ofTeams.delete(team);
    });
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}

const sum = (values: Iterable<number>): number => [...values].reduce((total, each) => total + each, 0);

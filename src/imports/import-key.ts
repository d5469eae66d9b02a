/** An import of a team. */
export interface ImportOfTeam {
  readonly team: string;
  /** Also the correlation id of all its events. */
  readonly id: string;
}

/** By what the side store has what is kept of an import. */
export const importKey = ({ team, id }: ImportOfTeam): string => `${team}/${id}`;

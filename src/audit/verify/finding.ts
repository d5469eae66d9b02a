/** What names an event. */
export interface EventName {
  readonly id: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
}

/** Something that is wrong, in a sentence that names it. */
export interface Finding {
  readonly kind:
    | 'changed'
    | 'missing'
    | 'added'
    | 'moved'
    | 'duplicated'
    | 'revision'
    | 'unreadable'
    | 'tile'
    | 'checkpoint'
    | 'former'
    | 'witness'
    | 'quorum'
    | 'manifest'
    | 'file'
    | 'proof';
  /** Its leaf in the proof log, from 0. */
  readonly leaf?: number;
  readonly event?: EventName;
  readonly sentence: string;
}

/** How an event is named in a sentence. */
export const named = ({ type, id, stream, revision }: EventName): string =>
  `${type} ${id} (${stream}@${revision})`;

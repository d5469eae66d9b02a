import { eachPerson, sealedPeople, withoutPerson, type SealedPeople } from '../../events/directory/people.ts';
import type { PersonalFieldName } from '../../events/directory/resource-fields.ts';
import type { ResourceSource } from '../../events/directory/resource.ts';
import type { CommandRefused } from '../../ground/refusals.ts';

/** How far something that a reviewer decides about has come. */
export type ReviewStatus = 'submitted' | 'approved' | 'rejected' | 'inactive';

/** What the states of a record and of an organization have in common. */
export interface ReviewedState<Fields> {
  readonly status: ReviewStatus;
  readonly team: string;
  readonly source?: ResourceSource | undefined;
  /** Taken out because its source did so, or its import was undone: not by a reviewer. */
  readonly inactiveAtSource?: boolean;
  /** It waits for review when it comes back: nobody had approved it, or the import was undone that had. */
  readonly withdrawn?: boolean;
  /** Subscribers were told once that it was approved. */
  readonly announced?: true;
  /** Subscribers were told that it was rejected, and whoever submitted it has not sent it again since. */
  readonly rejectionAnnounced?: boolean;
  readonly fields: Fields;
  /** What its source said of it last. Absent for one that came from no source. */
  readonly base?: Fields;
  /** Everybody it has ever named. */
  readonly people: readonly NamedPerson[];
}

/** `asTeam`: the command may touch what is this team's only. What is other teams' counts as not found. */
export interface ByTeam {
  readonly asTeam?: string;
}

/** What is told apart between a record and an organization. */
export interface ReviewedKind<Fields, Change> {
  /** What refusals call it, such as `organization`. */
  readonly noun: string;
  readonly changed: (fields: Fields, change: Change) => Fields;
  readonly differ: (stored: Fields, others: Fields) => boolean;
  /** Fields that are merged as one. */
  readonly together?: readonly (readonly (keyof Fields & string)[])[];
}

/** What happens to a record or an organization: their events after the first, without what each adds to them. */
export type Step<Fields> =
  | StepOf<'Approved', { readonly note?: string | undefined }>
  | StepOf<'Rejected', { readonly reason: string }>
  | StepOf<'Revised', { readonly fields: Fields; readonly from_source?: true | undefined }>
  | StepOf<'ReadFromSource', { readonly fields: Fields }>
  | StepOf<'PersonErased', { readonly person: string }>
  | StepOf<'Deactivated', { readonly reason?: string | undefined; readonly at_source?: true | undefined }>
  | StepOf<'Reactivated', { readonly note?: string | undefined }>
  | StepOf<'Resubmitted', Readonly<Record<string, unknown>> & { readonly sent_again?: true | undefined }>
  | StepOf<'Withdrawn', { readonly reason?: string | undefined }>;

interface StepOf<Type, Data> {
  readonly type: Type;
  readonly data: Data;
}

/** The state after the first event. What a source brings first is what the next import compares with. */
export const begun = <
  Fields extends SealedPeople,
  Begin extends { readonly team: string; readonly source?: ResourceSource | undefined },
>(
  begin: Begin & { readonly fields: Fields },
): Begin & ReviewedState<Fields> => ({
  status: 'submitted',
  ...begin,
  ...(begin.source ? { base: begin.fields } : {}),
  people: namedIn(begin.fields),
});

/** The state after a step. */
export function evolved<Fields extends SealedPeople, State extends ReviewedState<Fields>>(
  state: State,
  step: Step<Fields>,
): State {
  switch (step.type) {
    case 'Approved':
      return { ...state, status: 'approved', announced: true };
    case 'Reactivated':
      return { ...state, status: 'approved' };
    case 'Rejected':
      return { ...state, status: 'rejected', rejectionAnnounced: true };
    case 'Deactivated':
      return { ...state, status: 'inactive', inactiveAtSource: step.data.at_source === true };
    case 'Withdrawn':
      return { ...state, status: 'inactive', inactiveAtSource: true, withdrawn: true };
    case 'Resubmitted':
      return {
        ...state,
        ...{ status: 'submitted', withdrawn: false },
        ...(step.data.sent_again && { rejectionAnnounced: false }),
      };
    case 'Revised': {
      const { fields, from_source } = step.data;
      const people = namedIn(fields, state.people);
      return { ...state, fields, people, ...(from_source ? { base: fields } : {}) };
    }
    case 'ReadFromSource': {
      const { fields: base } = step.data;
      return { ...state, base, people: namedIn(state.fields, namedIn(base, state.people)) };
    }
    case 'PersonErased': {
      const { person } = step.data;
      return {
        ...state,
        fields: withoutPerson(state.fields, person),
        ...(state.base ? { base: withoutPerson(state.base, person) } : {}),
        people: withErased(state.people, person),
      };
    }
  }
}

/** The step of an event that is not the first. `kind`: how the types of its events begin, such as `Organization`. */
export const stepOf = <Kind extends string, Event extends { readonly type: string; readonly data: object }>(
  kind: Kind,
  { type, data }: Event,
) => ({ type: type.slice(kind.length), data }) as StepIn<Kind, Event>;

type StepIn<Kind extends string, Event> = Event extends {
  readonly type: `${Kind}${infer Type}`;
  readonly data: infer Data;
}
  ? StepOf<Type, Data>
  : never;

/** Steps as events. `eventOf`: the event of a step in the state before it. */
export function eventsOf<Fields extends SealedPeople, State extends ReviewedState<Fields>, Event>(
  state: State,
  steps: readonly Step<Fields>[],
  eventOf: (state: State, step: Step<Fields>) => Event,
): Event[] {
  let now = state;
  return steps.map((step) => {
    const event = eventOf(now, step);
    now = evolved(now, step);
    return event;
  });
}

/** @throws CommandRefused `none` */
export function requireState<State extends { readonly team: string }>(
  { asTeam }: ByTeam,
  state: State | undefined,
  none: () => CommandRefused,
): State {
  if (!state || (asTeam !== undefined && asTeam !== state.team)) throw none();
  return state;
}

/** A person whom a record names now, has named before, or named until they were erased. */
export interface NamedPerson {
  readonly person: string;
  readonly field: PersonalFieldName;
  readonly standing: 'current' | 'former' | 'erased';
  /** What the record said of them last. */
  readonly sealed: string;
}

/** Everybody a record has ever named, when it has these fields now. */
export function namedIn(fields: SealedPeople, before: readonly NamedPerson[] = []): readonly NamedPerson[] {
  const people = sealedPeople(fields);
  if (!people && before.length === 0) return before;
  const current = eachPerson(people ?? {}).map((each) => ({ ...each, standing: 'current' as const }));
  const now = new Set(current.map(({ person }) => person));
  const others = before.filter(({ person }) => !now.has(person));
  return [...others.map((each) => (each.standing === 'current' ? former(each) : each)), ...current];
}

const former = (person: NamedPerson): NamedPerson => ({ ...person, standing: 'former' });

export const withErased = (people: readonly NamedPerson[], erased: string): readonly NamedPerson[] =>
  people.map((each) => (each.person === erased ? { ...each, standing: 'erased' } : each));

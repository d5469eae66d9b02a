import type { Documents, Generation } from '../../../stores/documents/port.ts';
import { nameOf, type AnyProjection } from '../read-model.ts';
import { noted, type RebuildNote, type RebuildNotes } from './rebuild-notes.ts';
import type { RebuildRequest } from './rebuild-requests.ts';
import type { Member } from '../tail.ts';

interface GenerationParts {
  readonly documents: Documents;
  readonly notes: RebuildNotes;
  readonly epoch: number;
}

/** A generation that is open for writing. */
export interface OpenGeneration extends Member {
  readonly generation: number;
}

/** An unfinished generation of an earlier projector, with what that one noted. */
export interface ResumedGeneration extends OpenGeneration {
  readonly note: RebuildNote;
}

export interface OpenedGenerations {
  readonly serving: readonly OpenGeneration[];
  /** Projections that are served in another version, without a request. */
  readonly outdated: readonly AnyProjection[];
  readonly resumed: readonly ResumedGeneration[];
  /** Requests whose generation is served already, but the log does not say so yet. */
  readonly untold: readonly { readonly request: RebuildRequest; readonly generation: number }[];
}

/**
 * Opens every read model for writing. A read model without a generation gets one that is served at once: nodes are not
 * ready until it has caught up. An unfinished generation is opened again where it was, if it has this version and is
 * still asked for. Others are dropped, except one that is kept.
 */
export async function openGenerations(
  parts: GenerationParts,
  projections: readonly AnyProjection[],
  requests: ReadonlyMap<AnyProjection, RebuildRequest>,
): Promise<OpenedGenerations> {
  const { documents, notes, epoch } = parts;
  const serving: OpenGeneration[] = [];
  const outdated: AnyProjection[] = [];
  const resumed: ResumedGeneration[] = [];
  const untold: { request: RebuildRequest; generation: number }[] = [];
  for (const projection of projections) {
    const name = nameOf(projection);
    const there = await documents.generations(name);
    const isCurrent = there.serving?.version === projection.version;
    const note = await notes.building.get(name);
    const request = requests.get(projection);
    const isSame = note !== undefined && note.request === request?.id;
    const unfinished = isSame && !(isCurrent && !request) ? noted(note, there.building) : undefined;
    const goesOn = unfinished?.version === projection.version ? unfinished : undefined;
    await dropOthers(parts, projection, there.building, goesOn);
    if (goesOn && note) resumed.push({ ...(await openForWriting(parts, projection, goesOn)), note });
    if (request && isSame && there.serving?.generation === note.generation)
      untold.push({ request, generation: note.generation });
    if (!there.serving) {
      const { generation } = await documents.build(projection.collection, projection.version, epoch);
      await documents.serve(name, generation, epoch, goesOn ? [goesOn.generation] : []);
      serving.push(await openForWriting(parts, projection, { generation }));
    } else if (isCurrent) serving.push(await openForWriting(parts, projection, there.serving));
    else if (!goesOn && !request) outdated.push(projection);
  }
  return { serving, outdated, resumed, untold };
}

async function openForWriting(
  { documents, epoch }: GenerationParts,
  projection: AnyProjection,
  { generation }: Pick<Generation, 'generation'>,
): Promise<OpenGeneration> {
  const writer = await documents.writer(projection.collection, generation, epoch);
  return { projection, writer, generation };
}

/** Creates an empty generation. Drops unfinished generations of earlier attempts. */
export async function newGeneration(
  parts: GenerationParts,
  projection: AnyProjection,
): Promise<OpenGeneration> {
  const { documents, epoch } = parts;
  const { building } = await documents.generations(nameOf(projection));
  await dropOthers(parts, projection, building);
  const built = await documents.build(projection.collection, projection.version, epoch);
  return openForWriting(parts, projection, built);
}

/** Opens the generation that is kept. Undefined when there is none of this version. */
export async function keptGeneration(
  parts: GenerationParts,
  projection: AnyProjection,
): Promise<OpenGeneration | undefined> {
  const name = nameOf(projection);
  const { building } = await parts.documents.generations(name);
  const kept = noted(await parts.notes.kept.get(name), building);
  return kept?.version === projection.version ? openForWriting(parts, projection, kept) : undefined;
}

/** Drops generations that do not serve, except the kept one and one that goes on. */
async function dropOthers(
  { documents, notes, epoch }: GenerationParts,
  projection: AnyProjection,
  building: readonly Generation[],
  goesOn?: Generation,
): Promise<void> {
  const name = nameOf(projection);
  const kept = noted(await notes.kept.get(name), building);
  for (const each of building)
    if (each !== kept && each !== goesOn) await documents.drop(name, each.generation, epoch);
}

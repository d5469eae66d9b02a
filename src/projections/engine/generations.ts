import type { Documents } from '../../stores/documents/port.ts';
import { nameOf, type AnyProjection } from './define.ts';
import type { Member } from './tail.ts';

interface GenerationParts {
  readonly documents: Documents;
  readonly epoch: number;
}

/** A generation that is built beside the one that serves. */
export interface NewGeneration extends Member {
  readonly generation: number;
}

/**
 * Opens every read model for writing. One that has no generation gets one that serves at once: a node that finds it
 * behind is not ready. One whose projection has another version is built anew beside the generation that serves. A
 * retired one is opened where there is one, as it is.
 */
export async function openGenerations(
  parts: GenerationParts,
  projections: readonly AnyProjection[],
  retired: readonly AnyProjection[] = [],
): Promise<{ readonly serving: readonly Member[]; readonly building: readonly NewGeneration[] }> {
  const { documents, epoch } = parts;
  const serving: Member[] = await openRetired(parts, retired);
  const building: NewGeneration[] = [];
  for (const projection of projections) {
    const name = nameOf(projection);
    const there = await documents.generations(name);
    await dropBuilding(parts, name);
    if (there.serving?.version === projection.version) {
      const writer = await documents.writer(projection.collection, there.serving.generation, epoch);
      serving.push({ projection, writer });
      continue;
    }
    const built = await newGeneration(parts, projection);
    if (there.serving) {
      building.push(built);
    } else {
      await documents.serve(name, built.generation, epoch);
      serving.push(built);
    }
  }
  return { serving, building };
}

async function openRetired(
  { documents, epoch }: GenerationParts,
  retired: readonly AnyProjection[],
): Promise<Member[]> {
  const members: Member[] = [];
  for (const projection of retired) {
    const { serving } = await documents.generations(nameOf(projection));
    if (!serving) continue;
    const writer = await documents.writer(projection.collection, serving.generation, epoch);
    members.push({ projection, writer });
  }
  return members;
}

/** An empty generation; what an earlier attempt left unfinished is dropped. */
export async function newGeneration(
  parts: GenerationParts,
  projection: AnyProjection,
): Promise<NewGeneration> {
  const { documents, epoch } = parts;
  await dropBuilding(parts, nameOf(projection));
  const { generation } = await documents.build(projection.collection, projection.version, epoch);
  const writer = await documents.writer(projection.collection, generation, epoch);
  return { projection, writer, generation };
}

async function dropBuilding({ documents, epoch }: GenerationParts, name: string): Promise<void> {
  const { building } = await documents.generations(name);
  for (const { generation } of building) await documents.drop(name, generation, epoch);
}

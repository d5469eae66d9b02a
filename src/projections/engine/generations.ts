import type { Documents } from '../../stores/documents/port.ts';
import { nameOf, type AnyProjection } from './define.ts';
import type { Member } from './tail.ts';

interface GenerationParts {
  readonly documents: Documents;
  readonly epoch: number;
}

/** A generation that is built while another one is served. */
export interface NewGeneration extends Member {
  readonly generation: number;
}

/**
 * Opens every read model for writing. A read model without a generation gets one that is served at once: nodes are not
 * ready until it has caught up. When the projection has a different version, a new generation is built while the
 * current one is served. A retired read model is opened as it is, if it exists.
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

/** Creates an empty generation. Drops unfinished generations of earlier attempts. */
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

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { paginateAll } from '../../../src/projections/engine/paginate.ts';
import { EmbeddedDocuments } from '../../../src/stores/documents/embedded/documents.ts';
import { aPlace, placesSpec, servePlaces } from '../../contract/places.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('reading every document', () => {
  const spec = placesSpec('places');
  const places = Array.from({ length: 2_500 }, (_, number) =>
    aPlace(number, { city: number % 2 ? 'odd' : 'even' }),
  );
  let folder: ReturnType<typeof temporaryFolder>;
  let documents: EmbeddedDocuments;

  beforeEach(async () => {
    folder = temporaryFolder();
    documents = new EmbeddedDocuments(folder.path);
    await servePlaces(documents, spec, places);
  });
  afterEach(async () => {
    await documents.close();
    folder.remove();
  });

  it('leaves none out and gives none twice, however many pages they take', async () => {
    const found = await paginateAll(documents.collection(spec), { orderBy: ['number'] });
    expect(found.map((place) => place.number)).toEqual(places.map((place) => place.number));
  });

  it('goes on in an order of several fields, within what is asked for', async () => {
    const query = { where: { city: 'odd' }, orderBy: ['rank', 'number'] } as const;
    const found = await paginateAll(documents.collection(spec), query);
    expect(found).toHaveLength(1_250);
    expect(new Set(found.map((place) => place.number)).size).toBe(1_250);
    expect(found.every((place) => place.city === 'odd')).toBe(true);
  });
});

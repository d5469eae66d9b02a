import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { shownLines } from '../../src/audit/operation-lines.ts';
import { commandSource } from '../../src/commands/directory/source.ts';
import { readableEvent } from '../../src/audit/read-events.ts';
import type { FoundEvent } from '../../src/audit/search.ts';
import type { DomainEvent } from '../../src/events/catalogue.ts';
import { newEvent } from '../../src/events/new-event.ts';
import { appendImport } from '../support/append-import.ts';
import { aCommand } from '../support/context.ts';
import { caughtUp, startProjector } from '../support/projector.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

let folder: DataFolder;
let stores: Stores;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

const names = {
  people: new Map(),
  person: () => ({ name: 'Ana Diaz' }),
  thing: (kind: string) => (kind === 'team' ? 'Harbour House' : undefined),
  role: () => undefined,
};
const ana = { kind: 'user', id: 'ana' } as const;
const none = {
  ...{ new: 0, revised: 0, approved: 0, deactivated: 0, reactivated: 0 },
  ...{ unchanged: 5, conflicts: 0, missing: 0, left_out: 0 },
};

/** Appends an event of an import, with another event of it as its cause. Returns its id. */
async function append(id: string, event: DomainEvent, causationId?: string): Promise<string> {
  const context = aCommand({ actor: ana, correlationId: id, ...(causationId ? { causationId } : {}) });
  const appended = newEvent(`import-${id}`, event, 0, context);
  await stores.store.append(`import-${id}`, [appended], 'any');
  return appended.id;
}

/** The lines of an import: those of the events that begin it and its undoings. */
async function linesOf(id: string): Promise<string[]> {
  const recorded = await stores.store.readStream(`import-${id}`);
  const found = recorded.map((each): FoundEvent => ({
    recorded: each,
    event: readableEvent(each),
    team: 'harbour',
  }));
  const lines = await shownLines(stores, found, names);
  return lines.filter(({ type }) => type.endsWith('Begun')).map(({ sentence }) => sentence);
}

const imported = (options = {}) =>
  appendImport(stores.store, { team: 'harbour', source: '211 Miami', records: 2, actor: ana, ...options });

describe('an import in a list of what happened', () => {
  it('is one line that says who imported what, and what came of it', async () => {
    expect(await linesOf(await imported())).toEqual([
      'Ana Diaz imported from 211 Miami into the directory of Harbour House: 2 new.',
    ]);
  });

  it('names the source as it is called now, and not by its id', async () => {
    const id = await imported();
    const rename = { kind: 'rename', team: 'harbour', source: '211 Miami', name: 'Harbour County' } as const;
    await commandSource(stores.store, rename, aCommand());
    const projector = startProjector(stores);
    await caughtUp(stores);
    await projector.stop();
    expect(await linesOf(id)).toEqual([
      'Ana Diaz imported from Harbour County into the directory of Harbour House: 2 new.',
    ]);
  });

  it('names what there is much of in numbers that can be read, and leaves out what there is none of', async () => {
    const id = await imported({ ended: false });
    const [begun] = await stores.store.readStream(`import-${id}`);
    const counts = {
      ...none,
      new: 8_178,
      revised: 40,
      deactivated: 12,
      reactivated: 1,
      conflicts: 3,
      left_out: 7,
    };
    await append(id, { type: 'ImportEnded', data: counts }, begun?.id);
    expect((await linesOf(id))[0]).toMatch(
      /: 8,178 new, 40 changed, 12 taken out, 1 put back, 3 with conflicts, 7 left out\.$/,
    );
  });

  it('says that nothing changed, and that it has not ended', async () => {
    const id = await imported({ ended: false });
    expect(await linesOf(id)).toEqual([
      'Ana Diaz began to import from 211 Miami into the directory of Harbour House, which has not ended.',
    ]);
    const [begun] = await stores.store.readStream(`import-${id}`);
    await append(id, { type: 'ImportEnded', data: none }, begun?.id);
    expect(await linesOf(id)).toEqual([
      'Ana Diaz imported from 211 Miami into the directory of Harbour House, and nothing changed.',
    ]);
  });

  it('has a line for its undoing, also where a first one was killed', async () => {
    const id = await imported();
    await append(id, { type: 'ImportUndoBegun', data: {} });
    const second = await append(id, { type: 'ImportUndoBegun', data: {} });
    const data = { taken_out: 1, revised: 2, returned: 0, left: 1 };
    await append(id, { type: 'ImportUndone', data }, second);
    expect(await linesOf(id)).toEqual([
      'Ana Diaz imported from 211 Miami into the directory of Harbour House: 2 new; it was undone since.',
      'Ana Diaz began to undo the import from 211 Miami into the directory of Harbour House, which has not ended.',
      'Ana Diaz undid the import from 211 Miami into the directory of Harbour House: 1 taken out, 2 changed back, 1 left as changed since.',
    ]);
  });
});

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openForWriting } from '../src/stores/sqlite.ts';
import { EmbeddedEventStore } from '../src/stores/event-store/embedded/store.ts';
import { eventsSchema } from '../src/stores/event-store/embedded/schema.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { alternate, perSecond, type Row } from './measure.ts';

const data = { text: 'x'.repeat(300) };
const metadata = { commonweal_schema: 1, at: '2026-01-01T00:00:00.000Z' };

/** Durable appends a second: one after another on bare SQLite, against ours with so many under way. */
export async function appendRows(): Promise<Row[]> {
  const folder = temporaryFolder();
  const raw = openForWriting(join(folder.path, 'raw.db'), eventsSchema);
  const insert = raw.prepare(
    'INSERT INTO events (stream, revision, id, type, metadata, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const store = new EmbeddedEventStore({ directory: folder.path });
  const rows: Row[] = [];
  let stream = 0;
  const rawOneByOne = () =>
    perSecond(1_000, () => {
      const name = `raw-${++stream}`;
      for (let revision = 0; revision < 1_000; revision++) {
        insert.run(name, revision, randomUUID(), 'Measured', JSON.stringify(metadata), JSON.stringify(data));
      }
    });
  const ours = (underWay: number, count: number) => () => {
    let left = count;
    const worker = async (): Promise<void> => {
      const name = `ours-${++stream}`;
      for (let revision = -1; left-- > 0; revision++) {
        const event = { id: randomUUID(), type: 'Measured', data, metadata };
        await store.append(name, [event], revision === -1 ? 'no_stream' : revision);
      }
    };
    return perSecond(count, () => Promise.all(Array.from({ length: underWay }, worker)));
  };
  for (const [underWay, count] of [
    [1, 1_000],
    [10, 5_000],
    [50, 10_000],
  ] as const) {
    const of = await alternate(5, rawOneByOne, ours(underWay, count));
    rows.push({
      what: `durable appends/s, ${underWay} under way ÷ SQLite FULL one by one`,
      ...of,
      aim: '',
    });
  }
  raw.close();
  await store.close();
  folder.remove();
  return rows;
}

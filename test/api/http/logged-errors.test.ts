import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { answerProblems } from '../../../src/api/http/responses/error-answers.ts';
import { commonProblem } from '../../../src/api/http/responses/errors.ts';
import { NotYetVisible } from '../../../src/projections/engine/read-your-writes.ts';
import { StoreError } from '../../../src/stores/errors.ts';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly stack: string };
}

const lines: Line[] = [];
const stream = new Writable({
  write(chunk: Buffer, _encoding, done) {
    lines.push(JSON.parse(chunk.toString()) as Line);
    done();
  },
});
const server = Fastify({ logger: { level: 'warn', stream } });
answerProblems(server);
const failures = {
  away: () => new StoreError('unavailable', 'MongoDB does not answer'),
  full: () => new StoreError('full', 'events.db: no room left on the device'),
  late: () => new NotYetVisible(['resources']),
  busy: () => commonProblem('unavailable', 'Two exports are running. Ask again later.'),
  damaged: () => new StoreError('incompatible', 'views.db: is damaged, or not a database of ours'),
  fault: () => new TypeError('Cannot read properties of undefined'),
};
for (const [name, error] of Object.entries(failures))
  server.get(`/${name}`, () => {
    throw error();
  });
afterAll(() => server.close());

/** What is logged of ten requests that fail in the same way. */
async function loggedOf(name: keyof typeof failures): Promise<{ status: number; logged: readonly Line[] }> {
  lines.length = 0;
  let status = 0;
  for (let n = 0; n < 10; n++) status = (await server.inject(`/${name}`)).statusCode;
  return { status, logged: [...lines] };
}

test.each(['away', 'full'] as const)(
  'a store that is %s answers 503, and is one warning without a stack, however many ask',
  async (name) => {
    const { status, logged } = await loggedOf(name);
    expect(status).toBe(503);
    expect(logged).toEqual([
      expect.objectContaining({ level: 40, msg: `A store failed: ${failures[name]().message}` }),
    ]);
    expect(logged[0]?.err).toBeUndefined();
  },
);

test.each(['late', 'busy'] as const)('503 on purpose (%s) is not logged', async (name) => {
  expect(await loggedOf(name)).toEqual({ status: 503, logged: [] });
});

test.each(['damaged', 'fault'] as const)(
  'what nobody expects (%s) is an error with its stack',
  async (name) => {
    const { logged } = await loggedOf(name);
    expect(logged.length).toBe(10);
    expect(logged[0]).toMatchObject({ level: 50, err: { stack: expect.stringContaining('at ') as string } });
  },
);

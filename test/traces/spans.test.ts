import { afterEach, beforeEach, expect, it } from 'vitest';
import { recordRound } from '../../src/traces/rounds.ts';
import {
  inSpan,
  isTracing,
  recordSpan,
  recordSpans,
  RequestSpan,
  traceparent,
  type EndedSpan,
} from '../../src/traces/spans.ts';
import { spanIdOf, traceIdOf } from '../../src/traces/trace-context.ts';

let recorded: EndedSpan[];
const sampled = new Set<string>();

beforeEach(() => {
  recorded = [];
  sampled.clear();
  recordSpans({
    isSampled: (trace) => sampled.size === 0 || sampled.has(trace),
    record: (span) => void recorded.push(span),
  });
});
afterEach(() => recordSpans(undefined));

const nothing = () => ({});
const named = (name: string) => recorded.find((span) => span.name === name) as EndedSpan;
const work = (name: string, correlationId: string, inner: () => Promise<unknown> = async () => undefined) =>
  inSpan(() => ({ name, correlationId }), inner, nothing);

it('without a collector nothing is recorded, and nothing is made for it', async () => {
  recordSpans(undefined);
  expect(isTracing()).toBe(false);
  const never = () => expect.unreachable();
  expect(await inSpan(never, async () => traceparent() ?? 'none', never)).toBe('none');
  recordRound(never, 1);
  recordSpan({ name: 'a', correlationId: 'c', tookMs: 1 });
  new RequestSpan('c', undefined).end('GET /', {});
  expect(recorded).toEqual([]);
});

it('work within work of the same trace is its child, also after a wait and beside others', async () => {
  await Promise.all([
    work('outer', 'one', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await work('inner', 'one');
      recordSpan({ name: 'append', correlationId: 'one', causedBy: 'another event', tookMs: 0 });
    }),
    work('other', 'two', () => new Promise((resolve) => setImmediate(() => resolve(undefined)))),
  ]);
  for (const name of ['inner', 'append']) {
    expect(named(name).parent).toBe(named('outer').place.spanId);
    expect(named(name).place.traceId).toBe(traceIdOf('one'));
  }
  expect(named('other')).toMatchObject({ parent: undefined, place: { traceId: traceIdOf('two') } });
});

it('work that an event caused elsewhere is a child of what appended the event', async () => {
  await inSpan(
    () => ({ name: 'command', correlationId: 'one', causedBy: 'event' }),
    async () => 1,
    nothing,
  );
  expect(named('command').parent).toBe(spanIdOf('event'));
});

it('a request is in the trace of its first command, and linked with that of another, both ways', async () => {
  const caller = { traceId: traceIdOf('caller'), spanId: spanIdOf('caller'), sampled: true };
  const request = new RequestSpan('request', caller);
  await request.run(async () => {
    await work('first', 'form');
    await work('second', 'elsewhere');
  });
  request.end('POST /dash/x', { attributes: { 'http.response.status_code': 303 } });
  const [first, second, whole] = ['first', 'second', 'POST /dash/x'].map(named);
  expect(whole).toMatchObject({ kind: 'server', parent: undefined, place: { traceId: traceIdOf('form') } });
  expect(first?.parent).toBe(whole?.place.spanId);
  expect(second).toMatchObject({ parent: undefined, links: [whole?.place] });
  expect(whole?.links).toEqual([caller, second?.place]);
});

it('what fails is told as failed, and its error goes on', async () => {
  const failing = inSpan(
    () => ({ name: 'failing', correlationId: 'one' }),
    () => Promise.reject(new Error('no')),
    ({ status }) => ({ failure: status }),
  );
  await expect(failing).rejects.toThrow('no');
  expect(named('failing').failure).toBe('rejected');
});

it('a trace that is not recorded leaves nothing, and its receivers are told', async () => {
  sampled.add(traceIdOf('recorded'));
  const headers = new Map<string, string | undefined>();
  for (const trace of ['recorded', 'left out'])
    await work(trace, trace, async () => headers.set(trace, traceparent()));
  expect(recorded.map(({ name }) => name)).toEqual(['recorded']);
  expect(headers.get('recorded')).toMatch(/-01$/);
  expect(headers.get('left out')).toMatch(new RegExp(`^00-${traceIdOf('left out')}-[0-9a-f]{16}-00$`));
});

it('a round has a span for each request, a hundred at most', () => {
  const event = (id: string, correlation_id: string) => ({ id, metadata: { correlation_id } });
  const [one, two, three] = [event('1', 'a'), event('2', 'a'), event('3', 'b')];
  recordRound(
    () => [
      ['resources', [one, two, three]],
      ['audit', [one]],
    ],
    5,
  );
  expect(recorded).toMatchObject([
    {
      parent: spanIdOf('1'),
      links: [{ traceId: traceIdOf('a'), spanId: spanIdOf('2') }],
      attributes: {
        'commonweal.projection.events': 2,
        'commonweal.projection.read_models': ['resources', 'audit'],
      },
    },
    { parent: spanIdOf('3'), attributes: { 'commonweal.projection.read_models': ['resources'] } },
  ]);
  const [span] = recorded;
  expect((span?.until ?? 0) - (span?.from ?? 0)).toBeCloseTo(5);
  recorded = [];
  const many = Array.from({ length: 1_000 }, (_, n) => event(`e${n}`, `c${n}`));
  recordRound(() => [['resources', many]], 5);
  expect(recorded).toHaveLength(100);
});

it('a span is at the time of the machine', async () => {
  const before = Date.now();
  await work('timed', 'one');
  expect(named('timed').from).toBeGreaterThanOrEqual(before - 50);
  expect(named('timed').until).toBeLessThanOrEqual(Date.now() + 50);
});

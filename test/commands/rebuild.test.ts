import { describe, it } from 'vitest';
import { rebuild } from '../../src/commands/rebuild.ts';
import type { ProjectionEvent } from '../../src/events/projection.ts';
import { given } from '../support/decider.ts';

const projection = 'teams';
const started: ProjectionEvent = { type: 'RebuildStarted', data: { projection } };
const startedInFull: ProjectionEvent = { type: 'RebuildStarted', data: { projection, full: true } };
const startedBack: ProjectionEvent = { type: 'RebuildStarted', data: { projection, back: true } };
const cancelled: ProjectionEvent = { type: 'RebuildCancelled', data: { projection } };
const switched: ProjectionEvent = { type: 'GenerationSwitched', data: { projection, generation: 2 } };
const start = { kind: 'start', projection } as const;
const cancel = { kind: 'cancel', projection } as const;

describe('a rebuild of a read model', () => {
  it('is started once at a time: who asks while it runs waits for the same one', () => {
    given(rebuild).when(start).then(started);
    given(rebuild, started).when(start).thenNothing();
    given(rebuild, startedInFull).when(start).thenNothing();
    for (const end of [cancelled, switched]) given(rebuild, started, end).when(start).then(started);
  });

  it('keeps what it was told: to check everything, and to keep the old generation', () => {
    given(rebuild)
      .when({ ...start, full: true, keepSeconds: 3_600 })
      .then({ type: 'RebuildStarted', data: { projection, full: true, keep_seconds: 3_600 } });
    given(rebuild)
      .when({ ...start, back: true })
      .then(startedBack);
  });

  it('is not taken for one that does something else', () => {
    given(rebuild, started)
      .when({ ...start, full: true })
      .thenRefused('conflict');
    given(rebuild, started)
      .when({ ...start, back: true })
      .thenRefused('conflict');
    given(rebuild, startedBack).when(start).thenRefused('conflict');
  });

  it('is cancelled while it runs, and not before or after', () => {
    given(rebuild, started).when(cancel).then(cancelled);
    given(rebuild).when(cancel).thenRefused('conflict');
    for (const end of [cancelled, switched])
      given(rebuild, started, end).when(cancel).thenRefused('conflict');
  });
});

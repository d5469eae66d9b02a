import { describe, it } from 'vitest';
import { source } from '../../../src/commands/directory/source.ts';
import type { SourceEvent } from '../../../src/events/directory/source.ts';
import { given } from '../../support/decider.ts';

const of = { team: 'harbour', source: 'human_services_data' } as const;
const named: SourceEvent = { type: 'SourceNamed', data: { ...of, name: 'Miami' } };
const renamed: SourceEvent = { type: 'SourceRenamed', data: { ...of, name: '211 Miami' } };

describe('a source', () => {
  it('is named once by its imports, whatever they would call it', () => {
    given(source)
      .when({ kind: 'name', ...of, name: 'Miami' })
      .then(named);
    given(source, named)
      .when({ kind: 'name', ...of, name: 'Another' })
      .thenNothing();
  });

  it('is renamed, and a repeat is no change', () => {
    given(source, named)
      .when({ kind: 'rename', ...of, name: '211 Miami' })
      .then(renamed);
    given(source, named, renamed)
      .when({ kind: 'rename', ...of, name: '211 Miami' })
      .thenNothing();
  });

  it('that only its records know gets its first name when it is renamed', () => {
    given(source)
      .when({ kind: 'rename', ...of, name: 'Miami' })
      .then(named);
  });
});

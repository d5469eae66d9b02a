import { describe, expect, it } from 'vitest';
import { belongsToInstallation } from '../../src/events/belongs-to-installation.ts';

const id = '0f6f2f3c-8d37-4c84-9d5a-6a1f0a8f4f55';
const another = '8b8c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const marked = (rest: object = {}) => ({ commonweal_schema: 1, ...rest });
const inTeam = (metadata: object) => ({ stream: 'team-harbour', metadata: { ...metadata } });

describe('an event is ours', () => {
  it('with the marker and our id', () => {
    expect(belongsToInstallation(inTeam(marked({ installation: id })), id)).toBe(true);
  });

  it('in every kind of stream that we write', () => {
    for (const stream of [
      'consent-0f6f2f3c-8d37-4c84-9d5a-6a1f0a8f4f55.site_0000000000000000000a',
      'projection-audit-index',
      'resource-r_00c0ffee00c0ffee',
      'webhook-delivery-0f6f2f3c-8d37-4c84-9d5a-6a1f0a8f4f55',
    ]) {
      expect(belongsToInstallation({ stream, metadata: marked({ installation: id }) }, id), stream).toBe(
        true,
      );
    }
  });

  it('with our id in a kind of stream that a newer release writes, which must stop whoever folds it', () => {
    expect(
      belongsToInstallation({ stream: 'audit-access-2026', metadata: marked({ installation: id }) }, id),
    ).toBe(true);
  });
});

describe('an event is somebody else’s', () => {
  it('without the marker, whatever its type or stream', () => {
    for (const metadata of [{}, { commonweal_schema: '1' }, { commonweal_schema: null }, { schema: 1 }]) {
      expect(belongsToInstallation(inTeam(metadata), id)).toBe(false);
    }
  });

  it('with another installation’s id, or any while ours has none', () => {
    expect(belongsToInstallation(inTeam(marked({ installation: another })), id)).toBe(false);
    expect(belongsToInstallation(inTeam(marked({ installation: id })), undefined)).toBe(false);
    expect(belongsToInstallation(inTeam(marked({ installation: 7 })), id)).toBe(false);
  });

  it('under a namespace that is not taken off, be it without id or with our own, as in a copy', () => {
    for (const stream of ['north.team-harbour', 'team-a.resource-r_00c0ffee00c0ffee', 'consent-a.team-x']) {
      for (const metadata of [marked(), marked({ installation: id })]) {
        expect(belongsToInstallation({ stream, metadata }, id), stream).toBe(false);
      }
    }
    expect(
      belongsToInstallation({ stream: 'north.audit-access-1', metadata: marked({ installation: id }) }, id),
    ).toBe(false);
  });

  it('without an id', () => {
    expect(belongsToInstallation(inTeam(marked()), id)).toBe(false);
    expect(belongsToInstallation(inTeam(marked()), undefined)).toBe(false);
    expect(belongsToInstallation({ stream: 'orders-1', metadata: marked() }, id)).toBe(false);
  });
});

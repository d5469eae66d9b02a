import { describe, expect, it } from 'vitest';
import type { MistakeEvent } from '../../../../src/events/directory/upkeep/mistake.ts';
import { svcIdOf } from '../../../../src/events/ids.ts';
import { mistakes } from '../../../../src/projections/directory/upkeep/mistakes.ts';
import { at, given, somebody } from '../../../support/fold.ts';

const report = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
const stream = `mistake-${report}`;
const reported: MistakeEvent = {
  type: 'MistakeReported',
  data: { report, svc_id: svcIdOf(7), team: 'harbour', kind: 'phone', said: 'c2VhbGVk' },
};
const dismissed: MistakeEvent = { type: 'MistakeResolved', data: { outcome: 'dismissed' } };
const erased: MistakeEvent = { type: 'MistakeReportErased', data: {} };

describe('the read model of reports', () => {
  it('shows a new report as open, with what it says sealed', () => {
    expect(given(mistakes, [stream, reported]).get(report)).toEqual({
      ...reported.data,
      status: 'open',
      rank: 0,
      reported_at: at(0),
    });
  });

  it('shows what came of it, and by whom', () => {
    expect(given(mistakes, [stream, reported], [stream, dismissed]).get(report)).toMatchObject({
      status: 'dismissed',
      rank: 1,
      resolved_at: at(1),
      resolved_by: somebody,
      said: 'c2VhbGVk',
    });
  });

  it('keeps nothing of what an erased report said', () => {
    const doc = given(mistakes, [stream, reported], [stream, erased]).get(report);
    expect(doc).toMatchObject({ status: 'open', erased: true });
    expect(doc).not.toHaveProperty('said');
  });

  it('knows no report that was never made', () => {
    expect(given(mistakes, [stream, dismissed], [stream, erased])).toEqual(new Map());
  });
});

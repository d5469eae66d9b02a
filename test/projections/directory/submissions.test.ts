import { describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/events/metadata.ts';
import type { ResourceEvent } from '../../../src/events/directory/resource.ts';
import { submissions } from '../../../src/projections/directory/submissions.ts';
import { at, given, type Step } from '../../support/fold.ts';
import { aResource } from '../../support/samples.ts';

const pantry = aResource();
const stream = `resource-${pantry.svc_id}`;
const submitter: Actor = { kind: 'key', id: 'AAAAAAAAAAAA' };
const reviewer: Actor = { kind: 'user', id: 'reviewer', on_behalf_of: 'harbour' };
const after = (...steps: Step<ResourceEvent>[]) => given(submissions, ...steps).get(pantry.svc_id);
const submitted: Step<ResourceEvent> = [stream, pantry.submitted(), submitter];

describe('the read model of submissions', () => {
  it('queues a submission, with who sent it and when', () => {
    expect(after(submitted)).toEqual({
      svc_id: pantry.svc_id,
      team: 'harbour',
      status: 'submitted',
      name: 'Harbour Pantry',
      category: 'food',
      submitted_at: at(0),
      submitted_by: submitter,
    });
  });

  it('shows who decided what, when and why', () => {
    expect(after(submitted, [stream, pantry.rejected('A duplicate.'), reviewer])).toMatchObject({
      status: 'rejected',
      decided_at: at(1),
      decided_by: reviewer,
      reason: 'A duplicate.',
      submitted_by: submitter,
    });
    expect(after(submitted, [stream, pantry.approved({ note: 'Called them.' }), reviewer])).toMatchObject({
      status: 'approved',
      reason: 'Called them.',
    });
  });

  it('forgets the reason of a decision that another replaced', () => {
    const document = after(
      submitted,
      [stream, pantry.rejected('A duplicate.'), reviewer],
      [stream, pantry.approved()],
    );
    expect(document).toMatchObject({ status: 'approved', decided_at: at(2) });
    expect(document).not.toHaveProperty('reason');
  });

  it('shows the name and category that it has now', () => {
    const renamed = pantry.revised({ name: 'Bay Pantry', category: 'goods' });
    expect(after(submitted, [stream, renamed])).toMatchObject({
      name: 'Bay Pantry',
      category: 'goods',
      submitted_at: at(0),
    });
  });

  it('leaves the decision as it was when the resource goes and comes back', () => {
    const decided = [submitted, [stream, pantry.approved(), reviewer]] as const;
    const later = [
      ...decided,
      [stream, pantry.deactivated('Flooded.')],
      [stream, pantry.reactivated()],
    ] as const;
    expect(after(...later)).toEqual(after(...decided));
  });

  it('knows nothing of what was never submitted', () => {
    expect(
      after([stream, pantry.approved()], [stream, pantry.revised({ name: 'x', category: 'food' })]),
    ).toBeUndefined();
  });
});

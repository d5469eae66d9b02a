import { describe, expect, it } from 'vitest';
import { resource, type ResourceCommand } from '../../../src/commands/directory/resource-decider.ts';
import type { Refusal } from '../../../src/ground/refusals.ts';
import type { SealedPerson } from '../../../src/events/directory/field-table.ts';
import type { ResourceEvent, ResourceFields } from '../../../src/events/directory/resource.ts';
import { given } from '../../support/decider.ts';
import { aResource, pantryFields } from '../../support/samples.ts';

const pantry = aResource();

const histories = {
  nothing: [],
  submitted: [pantry.submitted()],
  approved: [pantry.submitted(), pantry.approved()],
  rejected: [pantry.submitted(), pantry.rejected('Closed for good.')],
  inactive: [pantry.submitted(), pantry.approved(), pantry.deactivated()],
} as const satisfies Record<string, readonly ResourceEvent[]>;

type Status = keyof typeof histories;

const commands = {
  approve: { kind: 'approve' },
  reject: { kind: 'reject', reason: 'A duplicate.' },
  revise: { kind: 'revise', change: { city: 'Homestead' } },
  deactivate: { kind: 'deactivate', reason: 'Flooded.' },
  reactivate: { kind: 'reactivate' },
} as const satisfies Record<string, ResourceCommand>;

const approved = pantry.approved();
const rejected = pantry.rejected('A duplicate.');
const revised = pantry.revised({ ...pantryFields, locations: [{ city: 'Homestead' }] }, ['places']);
const deactivated = pantry.deactivated('Flooded.');
const reactivated = pantry.reactivated();

/** What every command comes to in every state: an event, nothing more to do, or why it is refused. */
const matrix: Record<keyof typeof commands, Record<Status, ResourceEvent | 'nothing' | Refusal>> = {
  approve: {
    nothing: 'not_found',
    submitted: approved,
    approved: 'nothing',
    rejected: approved,
    inactive: 'conflict',
  },
  reject: {
    nothing: 'not_found',
    submitted: rejected,
    approved: 'conflict',
    rejected: 'nothing',
    inactive: 'conflict',
  },
  revise: {
    nothing: 'not_found',
    submitted: revised,
    approved: pantry.revisedInPublic({ ...pantryFields, locations: [{ city: 'Homestead' }] }, ['places']),
    rejected: revised,
    inactive: revised,
  },
  deactivate: {
    nothing: 'not_found',
    submitted: 'conflict',
    approved: deactivated,
    rejected: 'conflict',
    inactive: 'nothing',
  },
  reactivate: {
    nothing: 'not_found',
    submitted: 'conflict',
    approved: 'nothing',
    rejected: 'conflict',
    inactive: reactivated,
  },
};

describe('a resource', () => {
  for (const [name, outcomes] of Object.entries(matrix) as [
    keyof typeof commands,
    (typeof matrix)['approve'],
  ][]) {
    for (const [status, outcome] of Object.entries(outcomes) as [
      Status,
      ResourceEvent | 'nothing' | Refusal,
    ][]) {
      it(`${status === 'nothing' ? 'that does not exist' : `that is ${status}`}: ${name} → ${typeof outcome === 'string' ? outcome : outcome.type}`, () => {
        const asked = given(resource, ...histories[status]).when(commands[name]);
        if (outcome === 'nothing') asked.thenNothing();
        else if (typeof outcome === 'string') asked.thenRefused(outcome);
        else asked.then(outcome);
      });
    }
  }

  it('is submitted once under its number', () => {
    const submit = {
      kind: 'submit',
      svc_id: pantry.svc_id,
      id: pantry.id,
      team: 'harbour',
      fields: pantryFields,
    } as const;
    given(resource).when(submit).then(pantry.submitted());
    for (const status of ['submitted', 'approved', 'rejected', 'inactive'] as const) {
      given(resource, ...histories[status])
        .when(submit)
        .thenRefused('conflict');
    }
  });

  it('is approved with the words of the reviewer', () => {
    given(resource, pantry.submitted())
      .when({ kind: 'approve', note: 'Called them.' })
      .then(pantry.approved({ note: 'Called them.' }));
  });

  it('may be deactivated without a reason', () => {
    given(resource, ...histories.approved)
      .when({ kind: 'deactivate' })
      .then(pantry.deactivated());
  });

  it('that is rejected again is announced once, also after a merge that was undone, until it is sent again', () => {
    const undone = { type: 'ResourceResubmitted', data: {} } as const;
    const again = { type: 'ResourceResubmitted', data: { sent_again: true } } as const;
    const merge = crypto.randomUUID();
    const merged = { type: 'ResourceMerged', data: { merged_into: 'r_0000000000000001', merge } } as const;
    const unmerged = { type: 'ResourceUnmerged', data: { merge, status: 'submitted' } } as const;
    const before = { ...pantry.announced, reason: 'A duplicate.' };
    const quiet = { type: 'ResourceRejected', data: { ...before, rejected_before: true } } as const;
    const once = [...histories.rejected, undone];
    given(resource, ...once)
      .when(commands.reject)
      .then(quiet);
    given(resource, ...once, merged, unmerged)
      .when(commands.reject)
      .then(quiet);
    given(resource, ...once, quiet, undone)
      .when(commands.reject)
      .then(quiet);
    given(resource, ...histories.rejected, again)
      .when(commands.reject)
      .then(rejected);
  });

  it('is announced under the name and category that it has when it is decided', () => {
    const renamed: ResourceFields = { name: 'Bay Pantry', category: 'goods' };
    const now = { name: 'Bay Pantry', category: 'goods' } as const;
    given(resource, pantry.submitted(), pantry.revised(renamed))
      .when({ kind: 'approve' })
      .then(pantry.approved(now));
    given(resource, pantry.submitted(), pantry.revised(renamed))
      .when({ kind: 'reject', reason: 'No.' })
      .then(pantry.rejected('No.', now));
  });

  it('stays what it was when it is revised', () => {
    for (const status of ['submitted', 'approved', 'rejected', 'inactive'] as const) {
      expect(given(resource, ...histories[status], revised).state?.status).toBe(status);
    }
  });

  describe('revised', () => {
    const full: ResourceFields = {
      ...pantryFields,
      phones: [{ number: '305' }],
      languages: ['English', 'Kreyòl'],
    };
    const known = given(resource, pantry.submitted({ fields: full }));

    it('keeps the fields that the change does not name', () => {
      known
        .when({ kind: 'revise', change: { phone: '306' } })
        .then(pantry.revised({ ...full, phones: [{ number: '306' }] }, ['phones']));
    });

    it('loses an optional field that the change sets to null', () => {
      const { phones: _, ...rest } = full;
      known.when({ kind: 'revise', change: { phone: null } }).then(pantry.revised(rest, ['phones']));
    });

    it('is left alone by a change that changes nothing', () => {
      known.when({ kind: 'revise', change: {} }).thenNothing();
      known
        .when({ kind: 'revise', change: { name: 'Harbour Pantry', languages: ['English', 'Kreyòl'] } })
        .thenNothing();
      known.when({ kind: 'revise', change: { email: null, phone: undefined } }).thenNothing();
    });

    it('is left alone by blanks that would not be kept', () => {
      known
        .when({ kind: 'revise', change: { name: ' Harbour Pantry ', languages: ['English ', 'Kreyòl'] } })
        .thenNothing();
    });
  });

  describe('asked for by a team', () => {
    const asked: readonly ResourceCommand[] = Object.values(commands);

    it('is found in the directory of that team', () => {
      for (const command of asked) {
        const status =
          command.kind === 'deactivate'
            ? 'approved'
            : command.kind === 'reactivate'
              ? 'inactive'
              : 'submitted';
        const outcome = matrix[command.kind as keyof typeof commands][status];
        given(resource, ...histories[status])
          .when({ ...command, asTeam: 'harbour' } as ResourceCommand)
          .then(outcome as ResourceEvent);
      }
    });

    it('is not found by another, whatever its state, and told apart from one that does not exist by nothing', () => {
      for (const status of Object.keys(histories) as Status[]) {
        for (const command of asked) {
          given(resource, ...histories[status])
            .when({ ...command, asTeam: 'elsewhere' } as ResourceCommand)
            .thenRefused('not_found');
        }
      }
      const words = (history: readonly ResourceEvent[]) => {
        try {
          resource.decide({ kind: 'approve', asTeam: 'elsewhere' }, given(resource, ...history).state);
          return 'not refused';
        } catch (error) {
          return (error as Error).message;
        }
      };
      expect(words(histories.submitted)).toBe(words([]));
    });
  });
});

describe('a record of a source', () => {
  const source = { system: 'miami', id: 'svc-1' };
  const record = {
    svc_id: pantry.svc_id,
    id: pantry.id,
    team: 'harbour',
    source,
    fields: pantryFields,
  } as const;
  const offered = (rest: Partial<Extract<ResourceCommand, { kind: 'import' }>> = {}) =>
    ({ kind: 'import', ...record, active: true, approve: true, ...rest }) as const;
  const submitted = pantry.submitted({ source });
  const changed: ResourceFields = { ...pantryFields, name: 'Bay Pantry' };

  it('that is new waits for review', () => {
    given(resource)
      .when(offered({ approve: false }))
      .then(submitted);
  });

  it('that is new is public at once when the import may approve', () => {
    given(resource).when(offered()).then(submitted, pantry.approved());
  });

  it('that is new but inactive at its source is never public', () => {
    given(resource)
      .when(offered({ active: false }))
      .then(submitted);
    given(resource)
      .when(offered({ active: false, approve: false }))
      .then(submitted);
  });

  it('that has not changed does nothing', () => {
    given(resource, submitted)
      .when(offered({ approve: false }))
      .thenNothing();
    given(resource, submitted, pantry.approved()).when(offered()).thenNothing();
  });

  it('that differs only in blanks around its words has not changed', () => {
    given(resource, submitted, pantry.approved())
      .when(
        offered({ fields: { ...pantryFields, name: ' Harbour Pantry', locations: [{ city: 'Miami\n' }] } }),
      )
      .thenNothing();
  });

  it('that has changed is revised, and stays public', () => {
    given(resource, submitted, pantry.approved())
      .when(offered({ fields: changed }))
      .then(pantry.taken(changed));
  });

  it('that lost a field is revised to the fields that are left', () => {
    const { locations: _, ...rest } = pantryFields;
    given(resource, submitted, pantry.approved())
      .when(offered({ fields: rest }))
      .then(pantry.taken(rest));
  });

  it('that waited is approved by a later import that may, under its newest name', () => {
    given(resource, submitted).when(offered()).then(pantry.approved());
    given(resource, submitted)
      .when(offered({ fields: changed }))
      .then(pantry.taken(changed, false), pantry.approved({ name: 'Bay Pantry' }));
  });

  it('that is no longer active at its source is taken out of the directory, once', () => {
    const gone = offered({ active: false });
    const because: ResourceEvent = {
      type: 'ResourceDeactivated',
      data: { reason: 'No longer active at its source.', at_source: true, announced: pantry.announced },
    };
    given(resource, submitted, pantry.approved()).when(gone).then(because);
    given(resource, submitted, pantry.approved(), because).when(gone).thenNothing();
    given(resource, submitted).when(gone).thenNothing();
    given(resource, submitted, pantry.approved(), because).when(offered()).then(pantry.reactivated());
  });

  it('that a reviewer rejected stays rejected, however often it is offered, while its fields follow the source', () => {
    const no = pantry.rejected('Not a service.');
    given(resource, submitted, no).when(offered()).thenNothing();
    given(resource, submitted, no)
      .when(offered({ active: false }))
      .thenNothing();
    given(resource, submitted, no)
      .when(offered({ fields: changed }))
      .then(pantry.taken(changed, false));
    expect(given(resource, submitted, no, pantry.taken(changed, false)).state?.status).toBe('rejected');
  });

  it('that was deactivated stays so, while its fields follow the source', () => {
    const inactive = [submitted, pantry.approved(), pantry.deactivated('Flooded.')];
    given(resource, ...inactive)
      .when(offered())
      .thenNothing();
    given(resource, ...inactive)
      .when(offered({ fields: changed }))
      .then(pantry.taken(changed, false));
  });

  const corrected: ResourceFields = { ...pantryFields, description: 'Food on Mondays.' };
  const stood = [submitted, pantry.approved(), pantry.revisedInPublic(corrected)];

  it('that a person has corrected keeps the correction while its source says the same', () => {
    given(resource, ...stood)
      .when(offered())
      .thenNothing();
  });

  it('that a person has corrected takes what its source has changed elsewhere, and remembers what it said', () => {
    given(resource, ...stood)
      .when(offered({ fields: changed }))
      .then(
        pantry.readFromSource(changed),
        pantry.revisedInPublic({ ...changed, description: 'Food on Mondays.' }),
      );
  });

  it('that both have changed stays as it stands, and the same is no conflict next month', () => {
    const theirs: ResourceFields = { ...pantryFields, description: 'Food on Tuesdays.' };
    given(resource, ...stood)
      .when(offered({ fields: theirs }))
      .then(pantry.readFromSource(theirs));
    given(resource, ...stood, pantry.readFromSource(theirs))
      .when(offered({ fields: theirs }))
      .thenNothing();
    given(resource, ...stood)
      .when(offered({ fields: theirs, take: ['description'] }))
      .then(pantry.taken(theirs));
    given(resource, ...stood)
      .when(offered({ fields: theirs, take: ['hours'] }))
      .then(pantry.readFromSource(theirs));
  });

  it('that its source corrects as a person did is remembered as said', () => {
    given(resource, ...stood)
      .when(offered({ fields: corrected }))
      .then(pantry.readFromSource(corrected));
    given(resource, ...stood, pantry.readFromSource(corrected))
      .when(offered({ fields: changed }))
      .then(pantry.taken(changed));
  });

  const missing = { kind: 'remove-missing' } as const;

  it('that its source no longer has is taken out, and comes back with it, announced once', () => {
    const [out] = [
      {
        type: 'ResourceDeactivated',
        data: { reason: 'No longer in its source.', at_source: true, announced: pantry.announced },
      },
    ] as const;
    given(resource, submitted, pantry.approved()).when(missing).then(out);
    given(resource, submitted, pantry.approved(), out).when(missing).thenNothing();
    given(resource, submitted, pantry.approved(), out).when(offered()).then(pantry.reactivated());
    given(resource, submitted, pantry.approved(), pantry.deactivated()).when(missing).thenNothing();
  });

  it('that waits for review and is missing is withdrawn, and waits again when it is back', () => {
    const withdrawn = {
      type: 'ResourceWithdrawn',
      data: { reason: 'No longer in its source.' },
    } as const;
    const resubmitted = { type: 'ResourceResubmitted', data: {} } as const;
    given(resource, submitted).when(missing).then(withdrawn);
    given(resource, submitted, withdrawn)
      .when(offered({ approve: false }))
      .then(resubmitted);
    given(resource, submitted, withdrawn).when(offered()).then(resubmitted, pantry.approved());
    given(resource, submitted, withdrawn).when({ kind: 'reactivate' }).then(resubmitted);
    expect(given(resource, submitted, withdrawn, resubmitted).state?.status).toBe('submitted');
  });

  it('never touches another record that has its number', () => {
    const other = pantry.submitted({ source: { system: 'miami', id: 'svc-2' } });
    given(resource, other).when(offered()).thenRefused('conflict');
    given(resource, pantry.submitted()).when(offered()).thenRefused('conflict');
    given(resource, pantry.submitted({ source, team: 'elsewhere' }))
      .when(offered())
      .thenRefused('conflict');
  });
});

describe('a resource of this directory, read from its own export', () => {
  const offered = (rest: Partial<Extract<ResourceCommand, { kind: 'import' }>> = {}) =>
    ({
      kind: 'import',
      svc_id: pantry.svc_id,
      id: pantry.id,
      team: 'harbour',
      source: { system: 'export', id: '10000000-436f-8abc-8000-000000000007' },
      fields: pantryFields,
      active: true,
      approve: true,
      own: true,
      ...rest,
    }) as const;
  const changed: ResourceFields = { ...pantryFields, name: 'Bay Pantry' };

  it('is itself', () => {
    given(resource, pantry.submitted(), pantry.approved()).when(offered()).thenNothing();
    given(resource, pantry.submitted(), pantry.approved())
      .when(offered({ fields: changed }))
      .then(pantry.taken(changed));
  });

  it('is never made, nor taken for one of another team or of a source', () => {
    given(resource).when(offered()).thenRefused('conflict');
    given(resource, pantry.submitted())
      .when(offered({ team: 'other' }))
      .thenRefused('conflict');
    given(resource, pantry.submitted({ source: { system: 'miami', id: '7' } }))
      .when(offered())
      .thenRefused('conflict');
  });
});

describe('a person whom a resource names', () => {
  const [ana, ben] = [1, 2].map((n) => ({
    person: `0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a0${n}`,
    sealed: `sealed-${n}`,
  })) as [SealedPerson, SealedPerson];
  const fields: ResourceFields = { ...pantryFields, contacts: [ana], verified_by: ben };
  const submitted = pantry.submitted({ fields });
  const erased = ({ person }: SealedPerson): ResourceEvent => ({
    type: 'ResourcePersonErased',
    data: { person },
  });
  const erase = ({ person }: SealedPerson, by: { asTeam?: string } = {}) =>
    ({ kind: 'erase-person', person, ...by }) as const;

  it('is erased once, whether it is named still or was before', () => {
    given(resource, submitted).when(erase(ana)).then(erased(ana));
    given(resource, submitted).when(erase(ben)).then(erased(ben));
    given(resource, submitted, pantry.revised(pantryFields)).when(erase(ana)).then(erased(ana));
    given(resource, submitted, erased(ana)).when(erase(ana)).thenNothing();
    given(resource, submitted, erased(ana)).when(erase(ben)).then(erased(ben));
  });

  it('is erased by nobody else, and nowhere else', () => {
    given(resource).when(erase(ana)).thenRefused('not_found');
    given(resource, pantry.submitted()).when(erase(ana)).thenRefused('not_found');
    given(resource, submitted)
      .when(erase(ana, { asTeam: 'elsewhere' }))
      .thenRefused('not_found');
  });

  it('is out of the fields when it is erased, and remembered', () => {
    const { state } = given(resource, submitted, erased(ana));
    expect(state?.fields).toEqual({ ...pantryFields, contacts: [], verified_by: ben });
    expect(state?.people).toEqual([
      { ...ana, field: 'contacts', standing: 'erased' },
      { ...ben, field: 'verified_by', standing: 'current' },
    ]);
    given(resource, submitted, erased(ana))
      .when({ kind: 'revise', change: { contacts: [], verified_by: ben } })
      .thenNothing();
  });

  it('that is named again in another way is the same person', () => {
    const changed = { ...ana, sealed: 'sealed-3' };
    const { state } = given(resource, submitted, pantry.revised({ ...pantryFields, contacts: [changed] }));
    expect(state?.people).toEqual([
      { ...ben, field: 'verified_by', standing: 'former' },
      { ...changed, field: 'contacts', standing: 'current' },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { action, type ActionParts, type Performing, type Who } from '../../src/actions/action.ts';
import { isAllowed, perform, valueOf } from '../../src/actions/perform.ts';
import { CommandRefused } from '../../src/ground/refusals.ts';
import { aCommand } from '../support/context.ts';

const admin: Who = { kind: 'person', user: 'ada', administrator: false, team: 'harbour', role: 'admin' };
const member: Who = { ...admin, role: 'member' };
const key: Who = { kind: 'key', scopes: new Set(['payments:write']), team: 'harbour' };
const operator: Who = { kind: 'operator' };

/** In which no team is closed. */
const noEvents = { readStream: () => Promise.resolve([]) };

const done: string[] = [];
const greet = action({
  name: 'tests.greet',
  right: 'change members',
  scope: 'payments:write',
  input: z.object({ name: z.string('Write a name.').min(2, 'Write a longer name.') }),
  wrongField: { not_found: 'name' },
  run(_parts: ActionParts, { name }, { untilShown }: Performing) {
    if (name === 'nobody') throw new CommandRefused('not_found', 'There is nobody.');
    if (name === 'later') throw new CommandRefused('conflict', 'Come back later.');
    if (name === 'broken') throw new Error('broken');
    const changes = { types: ['Greeted'], position: 7n };
    done.push(`run ${name}`);
    return name === 'twice'
      ? untilShown(changes).then(() => ({ changes, value: () => name }))
      : Promise.resolve({ changes, value: () => `${name} ${done.join()}` });
  },
});

const asked = (input: unknown, who: Who = admin, prove?: () => Promise<string | undefined>) => {
  done.length = 0;
  return perform(greet, { store: noEvents } as unknown as ActionParts, {
    who,
    input,
    ...(prove && { prove }),
    context: () => {
      done.push('context');
      return aCommand();
    },
    untilShown: () => {
      done.push('shown');
      return Promise.resolve();
    },
  });
};

describe('an action', () => {
  it('is done, shown, and then answered', async () => {
    expect(await asked({ name: 'Pat' })).toEqual({ kind: 'done', value: 'Pat context,run Pat,shown' });
    await asked({ name: 'twice' });
    expect(done).toEqual(['context', 'run twice', 'shown', 'shown']);
  });

  it('that is invalid says so for each field, and makes no command', async () => {
    expect(await asked({ name: 'P' })).toEqual({ kind: 'invalid', fields: { name: 'Write a longer name.' } });
    expect(await asked({})).toEqual({ kind: 'invalid', fields: { name: 'Write a name.' } });
    expect(done).toEqual([]);
  });

  it('that is refused says where it belongs, and is not waited for', async () => {
    expect(await asked({ name: 'nobody' })).toMatchObject({
      kind: 'refused',
      refusal: { code: 'not_found', status: 404, message: 'There is nobody.' },
      field: 'name',
    });
    const later = await asked({ name: 'later' });
    expect(later).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' }, field: undefined });
    expect(done).toEqual(['context']);
    expect(() => valueOf(later)).toThrow('Come back later.');
  });

  it('that fails is no refusal', async () => {
    await expect(asked({ name: 'broken' })).rejects.toThrow('broken');
  });

  it('waits for a proof of who asks, once the input is understood', async () => {
    const prove = (wrong?: string) => () => {
      done.push('proof');
      return Promise.resolve(wrong);
    };
    expect(await asked({}, admin, prove('Enter your password.'))).toMatchObject({
      fields: { name: 'Write a name.' },
    });
    expect(done).toEqual([]);
    expect(await asked({ name: 'Pat' }, admin, prove('Enter your password.'))).toEqual({
      kind: 'invalid',
      fields: { password: 'Enter your password.' },
    });
    expect(done).toEqual(['proof']);
    expect(await asked({ name: 'Pat' }, admin, prove())).toMatchObject({ kind: 'done' });
  });

  it('is refused to whoever may not do it, before its input is looked at', async () => {
    for (const who of [member, { ...key, scopes: new Set() } as Who])
      expect(await asked({}, who)).toMatchObject({ kind: 'refused', refusal: { code: 'forbidden' } });
    for (const who of [admin, key, operator]) expect(await asked({}, who)).toMatchObject({ kind: 'invalid' });
  });
});

describe('who may do something', () => {
  const administrator: Who = { kind: 'person', user: 'ada', administrator: true };
  it.each([
    ['an administrator', administrator, { right: 'change members' }, true],
    ['an administrator', administrator, { right: 'administrator' }, true],
    ['an admin of a team', admin, { right: 'administrator' }, false],
    ['a member', member, { right: 'see the team' }, true],
    ['a member', member, {}, true],
    ['a key', key, {}, false],
    ['a key', key, { scope: 'forms:read' }, false],
    ['the operator', operator, { right: 'administrator' }, true],
  ] as const)('%s: %o %o is %s', (_, who, allowed, may) => {
    expect(isAllowed(allowed, who)).toBe(may);
  });

  it('is for visitors only where it says so', () => {
    const visitor: Who = { kind: 'visitor', networks: ['n', 'w'], browserAt: () => undefined };
    expect(isAllowed({ right: 'visitor' }, visitor)).toBe(true);
    expect(isAllowed({ right: 'visitor' }, member)).toBe(true);
    for (const allowed of [{}, { right: 'administrator' }, { right: 'change members' }] as const)
      expect(isAllowed(allowed, visitor)).toBe(false);
  });
});

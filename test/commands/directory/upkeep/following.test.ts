import { describe, expect, it } from 'vitest';
import { following } from '../../../../src/commands/directory/upkeep/following.ts';
import type { FollowingEvent } from '../../../../src/events/directory/upkeep/following.ts';
import { given } from '../../../support/decider.ts';

const of = { team: 'harbour', source: 'valley.example/audit/log' } as const;
const vkey = `valley.example/audit/log+1b2c3d4e+${'A'.repeat(44)}`;
const data = { ...of, address: 'https://valley.example', vkey, approve: false };
const begun: FollowingEvent = { type: 'FollowingBegun', data };
const ended: FollowingEvent = { type: 'FollowingEnded', data: of };
const pausedFor = (why: 'silent' | 'rewritten' | 'many-gone' | 'team'): FollowingEvent => ({
  type: 'FollowingPaused',
  data: { ...of, why },
});
const manyGoneUntil = '2026-03-03T00:00:00.000Z';

describe('a followed directory', () => {
  it('is followed once, and again after it was left; what was read before counts no more', () => {
    given(following).when({ kind: 'begin', data }).then(begun);
    given(following, begun).when({ kind: 'begin', data }).thenRefused('conflict');
    given(following, begun, ended).when({ kind: 'begin', data }).then(begun);
    expect(given(following, begun, ended, begun).state).toMatchObject({ epoch: 1, phase: 'following' });
  });

  it('is paused once; what is silent can be paused for more', () => {
    given(following, begun).when({ kind: 'pause', why: 'team' }).then(pausedFor('team'));
    given(following, begun, pausedFor('team')).when({ kind: 'pause', why: 'silent' }).thenNothing();
    given(following, begun, pausedFor('silent'))
      .when({ kind: 'pause', why: 'rewritten' })
      .then(pausedFor('rewritten'));
    given(following, begun, pausedFor('rewritten')).when({ kind: 'pause', why: 'team' }).thenNothing();
  });

  it('goes on by itself after silence alone', () => {
    given(following, begun, pausedFor('silent'))
      .when({ kind: 'answers-again' })
      .then({ type: 'FollowingResumed', data: of });
    given(following, begun, pausedFor('team')).when({ kind: 'answers-again' }).thenNothing();
  });

  it('goes on with another past only when that is accepted', () => {
    const paused = given(following, begun, pausedFor('rewritten'));
    paused.when({ kind: 'resume', manyGoneUntil }).thenRefused('conflict');
    paused.when({ kind: 'resume', anew: { vkey }, manyGoneUntil }).then({
      type: 'FollowingResumed',
      data: { ...of, anew: { vkey }, many_gone_until: manyGoneUntil },
    });
    // A key that somebody sends where none is asked for changes nothing.
    given(following, begun, pausedFor('team'))
      .when({ kind: 'resume', anew: { vkey: 'x' }, manyGoneUntil })
      .then({ type: 'FollowingResumed', data: of });
  });

  it('is of no use to others once it was left', () => {
    given(following, begun, ended).when({ kind: 'pause', why: 'team' }).thenRefused('not_found');
    given(following).when({ kind: 'end' }).thenRefused('not_found');
    given(following, begun).when({ kind: 'end' }).then(ended);
  });
});

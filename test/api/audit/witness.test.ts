import { hash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetWitnessKeys } from '../../../src/audit/proof-log/format/witness-key.ts';
import { signCheckpoint } from '../../../src/audit/proof-log/format/checkpoint.ts';
import { cosignaturesIn, parseCosigner } from '../../../src/audit/proof-log/format/cosignature.ts';
import { leafHash } from '../../../src/audit/proof-log/entry.ts';
import { nodeHash } from '../../../src/audit/proof-log/format/merkle.ts';
import { verifierOf, vkeyOf } from '../../../src/audit/proof-log/format/note.ts';
import { newSigner } from '../../support/note-signer.ts';
import { startSystem, type RunningSystem } from '../harness.ts';

const log = newSigner('directory.example/audit/log');
const [first, second, third] = [1, 2, 3].map((n) => leafHash(Buffer.from(`entry ${n}`))) as [
  Buffer,
  Buffer,
  Buffer,
];
const note = (size: number, root: Buffer) => signCheckpoint({ size, root }, log);
const ofTwo = note(2, nodeHash(first, second));
const body = (old: number, proof: readonly Buffer[], checkpoint: string) =>
  [`old ${old}`, ...proof.map((each) => each.toString('base64')), '', checkpoint].join('\n');

describe('a server that is a witness', () => {
  let running: RunningSystem;
  const get = (url: string) => running.server.inject({ url });
  const add = (payload: string | Buffer, type = 'text/plain; charset=utf-8') =>
    running.server.inject({
      method: 'POST',
      url: '/witness/add-checkpoint',
      payload,
      headers: { 'content-type': type },
    });
  const cosigner = async () => parseCosigner((await get('/witness/vkey')).body);

  beforeEach(async () => {
    running = await startSystem({
      environment: { WITNESS_FOR: vkeyOf(verifierOf(log)), BASE_URL: 'https://witness.example' },
    });
  });
  afterEach(() => running.stop());

  it('cosigns what continues, and gives it to everybody', async () => {
    const at = `/witness/${hash('sha256', log.name, 'hex')}/checkpoint`;
    expect((await get(at)).statusCode).toBe(404);
    const answer = await add(body(0, [], ofTwo));
    expect(answer.statusCode).toBe(200);
    const own = await cosigner();
    expect(own.name).toMatch(/^witness\.example\/witness\/[0-9a-f]{8}$/);
    expect(cosignaturesIn(ofTwo + answer.body, [own])).toHaveLength(1);
    const newest = await get(at);
    expect([newest.statusCode, newest.body]).toEqual([200, ofTwo + answer.body]);
    expect(newest.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'access-control-allow-origin': '*',
    });
    const grown = note(3, nodeHash(nodeHash(first, second), third));
    expect((await add(body(2, [third], grown), 'application/json')).statusCode).toBe(200);
    expect(await cosigner()).toEqual(own);
  });

  it('answers as the specification says, in sentences, and never with 500', async () => {
    expect((await add(body(0, [], ofTwo))).statusCode).toBe(200);
    const size = await add(body(0, [], ofTwo));
    expect([size.statusCode, size.body, size.headers['content-type']]).toEqual([
      409,
      '2\n',
      'text/x.tlog.size',
    ]);
    const answers: readonly (readonly [number, string | Buffer])[] = [
      [422, body(2, [], note(2, nodeHash(first, third)))],
      [403, body(2, [], ofTwo.replace('\n2\n', '\n3\n'))],
      [404, body(0, [], signCheckpoint({ size: 2, root: first }, newSigner('other')))],
      [400, body(3, [], ofTwo)],
      [400, 'rubbish'],
      [400, ''],
      [400, Buffer.from([0xff, 0x0a])],
    ];
    for (const [status, payload] of answers) {
      const answer = await add(payload);
      expect([answer.statusCode, answer.body]).toEqual([
        status,
        expect.stringMatching(/^\S[^\n]+\.\n$/) as string,
      ]);
    }
    expect((await add('x'.repeat(70_000))).statusCode).toBe(413);
    expect((await get('/witness/add-checkpoint')).statusCode).toBe(405);
    expect((await get('/witness/')).statusCode).toBe(404);
  });

  it('limits each log and network, so that no log is kept from its cosignature by others', async () => {
    const rubbish = body(0, [], 'other\n1\n');
    let refused = await add(rubbish);
    for (let n = 0; n < 130 && refused.statusCode !== 429; n += 1) refused = await add(rubbish);
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await add(body(0, [], ofTwo))).statusCode).toBe(200);
  });

  it('is a new witness under a new name when its key was dropped, as after a restore', async () => {
    const before = await cosigner();
    expect(await forgetWitnessKeys(running.system.vault)).toBe(true);
    const after = await cosigner();
    expect(after.name).not.toBe(before.name);
    // What it remembers stays: also under the new name it cosigns nothing else.
    await add(body(0, [], ofTwo));
    expect((await add(body(2, [], note(2, nodeHash(first, third))))).statusCode).toBe(422);
  });
});

it('a server that names no log is no witness', async () => {
  const running = await startSystem();
  for (const url of ['/witness/vkey', '/witness/add-checkpoint'])
    expect((await running.server.inject({ url })).statusCode).toBe(404);
  await running.stop();
});

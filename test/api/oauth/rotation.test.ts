import { createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer } from '../../../src/api/server.ts';
import { idTokenSeconds } from '../../../src/api/oauth/id-token.ts';
import { jwksSeconds } from '../../../src/api/oauth/jwks.ts';
import { SigningKeys, tendSigningKeys } from '../../../src/commands/oauth/signing-keys.ts';
import { context, formOf, issuer, startProvider, type Provider, type TokenBody } from './harness.ts';

/** Keys change every five hours, and a key is published for longer than a client may keep the JWKS. */
const settings = { life: 5 * 3_600, ahead: jwksSeconds + 600, after: idTokenSeconds + 300 };
const hours = 26;
const stepSeconds = 240;

let provider: Provider;
let nodes: FastifyInstance[];
let clock = Date.now();
const now = () => new Date(clock);
beforeAll(async () => {
  provider = await startProvider({ now });
  const { system } = provider;
  // Two nodes that read the keys at moments of their own.
  nodes = await Promise.all(
    [0, 1].map(() =>
      buildServer({
        ...system,
        signingKeys: new SigningKeys(system, () => clock),
        config: { ...system.config, authUrl: issuer },
        ready: () => Promise.resolve({ ready: true }),
        now,
      }),
    ),
  );
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await provider.stop();
});

/** A client that fetches the JWKS when it must, and never for a key that it does not know. */
class PatientClient {
  readonly #node: FastifyInstance;
  #keys: JSONWebKeySet = { keys: [] };
  #until = -Infinity;
  /** The keys of the kept JWKS that have verified a token. */
  readonly #good = new Set<string>();

  constructor(node: FastifyInstance) {
    this.#node = node;
  }

  async verify(idToken: string): Promise<void> {
    if (clock >= this.#until) {
      const answer = await this.#node.inject({ url: '/oauth/jwks.json' });
      const seconds = Number(/max-age=(\d+)/.exec(String(answer.headers['cache-control']))?.[1]);
      this.#keys = answer.json<JSONWebKeySet>();
      this.#until = clock + seconds * 1_000;
      this.#good.clear();
    }
    const kid = decodeProtectedHeader(idToken).kid ?? '';
    if (this.#good.has(kid)) return;
    await jwtVerify(idToken, createLocalJWKSet(this.#keys), { issuer, currentDate: now() });
    this.#good.add(kid);
  }
}

test(
  'no id_token ever fails for a client that keeps the JWKS for as long as it may, through rotation after rotation',
  { timeout: 120_000 },
  async () => {
    const { store, vault } = provider.system;
    const clients: PatientClient[] = [];
    const issued: { readonly token: string; readonly until: number }[] = [];
    const kids = new Set<string>();
    let { refresh_token } = await provider.tokens();
    const end = clock + hours * 3_600_000;
    for (let step = 0; clock < end; step++, clock += stepSeconds * 1_000) {
      // One process tends, every twelve minutes.
      if (step % 3 === 0) await tendSigningKeys({ store, vault }, { ...context(), at: now() }, settings);
      // Clients begin at moments of their own, so that some fetched just before each change.
      if (step < 30) clients.push(new PatientClient(nodes[step % 2] as FastifyInstance));
      const node = nodes[step % 2] as FastifyInstance;
      const answers = await Promise.all(
        Array.from({ length: 3 }, () =>
          node.inject({
            method: 'POST',
            url: '/oauth/token',
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            payload: formOf({ grant_type: 'refresh_token', refresh_token, client_id: provider.clientId }),
          }),
        ),
      );
      for (const answer of answers) {
        expect(answer.statusCode, answer.body).toBe(200);
        const { id_token } = answer.json<TokenBody>();
        kids.add(decodeProtectedHeader(id_token).kid ?? '');
        for (const client of clients) await client.verify(id_token);
      }
      const newest = (answers[0] as (typeof answers)[0]).json<TokenBody>();
      refresh_token = newest.refresh_token;
      // Whoever looks at it as late as it says it is good, with keys fetched then, finds its key still.
      while (issued[0] && issued[0].until <= clock + stepSeconds * 1_000) {
        await new PatientClient(node).verify(issued.shift()?.token ?? '');
      }
      issued.push({ token: newest.id_token, until: clock + idTokenSeconds * 1_000 });
    }
    expect(kids.size, 'there were rotations').toBeGreaterThanOrEqual(5);
  },
);

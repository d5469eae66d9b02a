import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** Submits resources to the nodes that are there, as a client behind a proxy does, and reads what it must find. */
export class UpgradeLoad {
  /** Where the nodes that take requests listen, by the name of their release. */
  readonly nodes = new Map<string, string>();
  key = '';
  /** The ids of what was acknowledged. */
  readonly made = new Set<string>();
  /** Requests that were sent again, as no node took them or showed them in time. */
  repeated = 0;
  /** What was answered to the newest of them. */
  refusal = '';
  slowestMs = 0;
  readonly #listed: number;
  readonly #violations: string[];
  #isOver = false;

  constructor(listed: number, violations: string[]) {
    this.#listed = listed;
    this.#violations = violations;
  }

  stop(): void {
    this.#isOver = true;
  }

  async work(): Promise<void> {
    while (!this.#isOver) {
      const svcId = await this.#submit(`Resource ${this.made.size + 1}`);
      this.made.add(svcId);
      for (const [release, origin] of [...this.nodes]) await this.#look(release, origin, svcId);
    }
  }

  /** One change, under one idempotency key until it is acknowledged. */
  async #submit(name: string): Promise<string> {
    const began = performance.now();
    const idempotencyKey = randomUUID();
    for (let attempt = 0; ; attempt++) {
      const origins = [...this.nodes.values()];
      const origin = origins[(this.made.size + attempt) % origins.length] ?? '';
      const answer = await this.#ask(`${origin}/dash/api/v1/resources`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
        body: JSON.stringify({ name, category: 'food' }),
      });
      if (answer?.status === 201) {
        this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - began));
        return (answer.body as { svc_id: string }).svc_id;
      }
      if (answer && answer.status !== 503)
        this.#violations.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)}`);
      this.repeated += 1;
      this.refusal = answer ? `${answer.status} ${JSON.stringify(answer.body)}` : 'nobody answered';
    }
  }

  /** What was acknowledged is found, and the list is whole: neither is answered from a half-built read model. */
  async #look(release: string, origin: string, svcId: string): Promise<void> {
    let own = await this.#ask(`${origin}/dash/api/v1/resources/${svcId}`);
    // A node waits for the read models of its own release. Those of the other one show the change a little later.
    for (let left = 20; own?.status === 404 && this.nodes.size > 1 && left > 0; left--) {
      await pause(50);
      own = await this.#ask(`${origin}/dash/api/v1/resources/${svcId}`);
    }
    if (own && own.status !== 200 && own.status !== 503)
      this.#violations.push(
        `the ${release} release answers ${own.status} to ${svcId}, which was acknowledged`,
      );
    const list = await this.#ask(`${origin}/dash/api/v1/resources?limit=${this.#listed}`);
    const items = (list?.body as { data?: readonly unknown[] } | undefined)?.data?.length;
    if (list && list.status !== 503 && (list.status !== 200 || items !== this.#listed))
      this.#violations.push(`the ${release} release lists ${items ?? 'nothing'} with ${list.status}`);
  }

  /** Undefined when nobody answers. */
  async #ask(
    url: string,
    { headers, ...init }: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {},
  ) {
    try {
      const response = await fetch(url, {
        ...init,
        headers: { authorization: `Bearer ${this.key}`, ...headers },
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return undefined;
    }
  }
}

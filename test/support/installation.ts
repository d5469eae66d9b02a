import type { Ended } from '../faults/processes.ts';
import { receiver, type Receiver } from '../dispatch/receivers.ts';
import { runCommandLine, runProcess } from './command-line.ts';
import { startServing, type Serving } from './serving.ts';

/** What the fan-out told a receiver: how often it was asked for each delivery, and about which resource. */
export interface Hook extends AsyncDisposable {
  readonly url: string;
  /** By delivery id, those that were acknowledged. */
  readonly acknowledged: ReadonlyMap<string, { readonly name: string; readonly times: number }>;
  /** How many requests it has refused. */
  refused(): number;
  /** Whether it answers 503 from now on. */
  refuse(refuses: boolean): void;
}

/** A subscriber's endpoint that remembers what it was sent. */
export async function startHook(): Promise<Hook> {
  const acknowledged = new Map<string, { name: string; times: number }>();
  let refuses = false;
  let refused = 0;
  const to: Receiver = await receiver((response, { headers, body }) => {
    if (refuses) {
      refused += 1;
      response.writeHead(503).end();
      return;
    }
    const delivery = String(headers['x-service-delivery']);
    const { name } = (JSON.parse(body.toString()) as { data: { name: string } }).data;
    acknowledged.set(delivery, { name, times: (acknowledged.get(delivery)?.times ?? 0) + 1 });
    response.writeHead(204).end();
  });
  return {
    url: to.url,
    acknowledged,
    refused: () => refused,
    refuse: (whether) => (refuses = whether),
    [Symbol.asyncDispose]: async () => to[Symbol.asyncDispose](),
  };
}

/**
 * A try at once, then one a second for ten minutes, longer than any test: what a receiver refuses is still pending
 * when the test goes on, however slow the machine and its servers are.
 */
const retriesForTheWholeTest = [0, ...Array.from({ length: 600 }, () => 1)].join();

/** An installation as an operator has it before them: a data folder, settings, a server, a command line. */
export class OperatedInstallation {
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string>>;

  constructor(dataDir: string, settings: Readonly<Record<string, string>> = {}) {
    this.dataDir = dataDir;
    this.settings = { ALLOW_PRIVATE_WEBHOOKS: 'true', WEBHOOK_SCHEDULE: retriesForTheWholeTest, ...settings };
  }

  serve(): Promise<Serving> {
    return startServing(this.dataDir, this.settings);
  }

  /** Runs a command line in a process of its own, whatever becomes of it. */
  run(...words: readonly string[]): Promise<Ended> {
    return runProcess(words, this.dataDir, this.settings);
  }

  /** What a command answers in JSON. @throws Error when it fails */
  async answerTo<Answer>(...words: readonly string[]): Promise<Answer> {
    const { code, stdout, stderr } = await runCommandLine([...words, '--json'], this.dataDir, this.settings);
    if (code !== 0) throw new Error(`${words.join(' ')} ended with ${String(code)}: ${stderr}`);
    return JSON.parse(stdout) as Answer;
  }

  async subscribe(team: string, url: string): Promise<void> {
    await this.answerTo('teams', 'create', team, '--name', team);
    await this.answerTo(
      ...['subscriptions', 'create', '--team', team, '--url', url, '--events', 'resource.approved'],
    );
  }

  async submit(team: string, ...names: readonly string[]): Promise<string[]> {
    const submitted: string[] = [];
    for (const name of names) {
      const fields = ['--team', team, '--category', 'food', '--name', name];
      const { svc_id } = await this.answerTo<{ svc_id: string }>('resources', 'submit', ...fields);
      submitted.push(svc_id);
    }
    return submitted;
  }

  async approve(team: string, ...names: readonly string[]): Promise<void> {
    await this.answerTo('resources', 'approve', ...(await this.submit(team, ...names)));
  }

  /** Every event that `events` shows. */
  async events(): Promise<
    {
      id: string;
      stream: string;
      type: string;
      data: Record<string, unknown>;
      metadata: Record<string, unknown>;
    }[]
  > {
    const { stdout } = await runCommandLine(['events', '--json'], this.dataDir, this.settings);
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as never);
  }
}

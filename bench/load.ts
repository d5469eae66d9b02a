import { Pool } from 'undici';
import { untilIdle, type ServerProcess } from './process.ts';

export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What requests cost a server, in microseconds of CPU for each. */
export interface Cost {
  readonly cpu: number;
  /** Of the main thread alone. */
  readonly main: number;
}

export interface Load {
  readonly cost: Cost;
  /** Requests a second. */
  readonly rate: number;
  /** Bodies, in the order of the requests; none where they were not asked for. */
  readonly answers: readonly string[];
}

interface LoadOptions {
  readonly keepAnswers?: boolean;
  /** Counts what the server does after its last answer, such as projecting. */
  readonly withAftermath?: boolean;
}

/** Requests under way at a time. */
const connections = 16;

/** Asks all that, over a few connections, and expects 2xx. */
export async function load(
  server: ServerProcess,
  requests: readonly Asked[],
  { keepAnswers = false, withAftermath = false }: LoadOptions = {},
): Promise<Load> {
  const pool = new Pool(server.origin, { connections, pipelining: 1 });
  const answers: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < requests.length; at = next++) {
      const { statusCode, body } = await pool.request(requests[at] as Asked);
      if (statusCode < 200 || statusCode > 299) {
        throw new Error(`${requests[at]?.path ?? ''} answered ${statusCode}: ${await body.text()}`);
      }
      if (keepAnswers) answers[at] = await body.text();
      else await body.dump();
    }
  };
  if (withAftermath) await untilIdle(server);
  const before = { cpu: server.cpu(), main: server.mainThread() };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, worker));
  const took = performance.now() - began;
  if (withAftermath) await untilIdle(server);
  const cost = {
    cpu: (server.cpu() - before.cpu) / requests.length,
    main: (server.mainThread() - before.main) / requests.length,
  };
  await pool.close();
  return { cost, rate: (requests.length / took) * 1_000, answers };
}

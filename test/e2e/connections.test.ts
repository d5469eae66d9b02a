import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Agent, request, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

async function aServer(settings: Record<string, string> = {}, descriptors?: number): Promise<Serving> {
  const folder = temporaryFolder();
  const serving = await startServing(folder.path, { LOG_LEVEL: 'silent', ...settings }, descriptors);
  onTestFinished(async () => {
    await serving.stop();
    folder.remove();
  });
  return serving;
}

/**
 * One request; answers its status, or the code of what went wrong. As RFC 9112 section 9.3.1 has it, a client asks
 * again when a connection that it kept was closed meanwhile: a full server closes what is idle for a second.
 */
function ask(url: string, options: RequestOptions = {}): Promise<number | string> {
  return new Promise((resolve) => {
    const asking = request(url, { timeout: 10_000, ...options }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode ?? 0));
      response.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
    asking.once('timeout', () => asking.destroy(new Error('no answer')));
    asking.once('error', (error: NodeJS.ErrnoException) => {
      const wasClosedMeanwhile = asking.reusedSocket && error.code === 'ECONNRESET';
      resolve(wasClosedMeanwhile ? ask(url, options) : (error.code ?? error.message));
    });
    asking.end();
  });
}

/** States of `/proc/net/tcp` that are no open connection: TIME_WAIT and LISTEN. */
const notOpen = ['06', '0A'];

/** How many connections a server holds; those to its own stores are not among them. */
function connectionsOf(origin: string): number {
  const port = Number(new URL(origin).port).toString(16).toUpperCase().padStart(4, '0');
  const rows = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  const sockets = rows.map((row) => row.trim().split(/\s+/));
  return sockets.filter(([, local, , state]) => local?.endsWith(`:${port}`) && !notOpen.includes(state ?? ''))
    .length;
}

/** Keeps so many connections open to a server, each anew when the server closes it. */
class Flood {
  readonly #open = new Set<Socket>();
  readonly #port: number;
  readonly #greet: (socket: Socket) => void;
  #again = true;

  constructor(origin: string, count: number, greet: (socket: Socket) => void) {
    this.#port = Number(new URL(origin).port);
    this.#greet = greet;
    for (let n = 0; n < count; n++) this.#connect();
  }

  /** Opens no more, and leaves those that are open as they are. */
  rest(): void {
    this.#again = false;
  }

  end(): void {
    this.rest();
    for (const socket of this.#open) socket.destroy();
  }

  #connect(): void {
    const socket = connect(this.#port, '127.0.0.1');
    this.#open.add(socket);
    socket.on('error', () => undefined);
    socket.on('connect', () => this.#greet(socket));
    socket.on('close', () => {
      this.#open.delete(socket);
      setTimeout(() => this.#again && this.#connect(), 2_000);
    });
  }
}

const silent = () => undefined;
/** A form of a thousand bytes, one a second. */
function slowly(socket: Socket): void {
  socket.write(
    'POST /oauth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 1000\r\n\r\n',
  );
  const dripping = setInterval(() => socket.write('a'), 1_000);
  socket.once('close', () => clearInterval(dripping));
}

describe.skipIf(missing)(onEngines('many connections that ask nothing'), () => {
  test.skipIf(!existsSync('/proc/self/fd'))(
    '1,500 silent ones at each port and 500 slow bodies against 1,000 descriptors: others are served, and all of it passes',
    { timeout: 240_000 },
    async () => {
      const operatorsPort = await freePort();
      const operators = `http://127.0.0.1:${operatorsPort}`;
      const { origin, pid } = await aServer({ METRICS_PORT: String(operatorsPort) }, 1_000);
      const descriptors = () => readdirSync(`/proc/${pid}/fd`).length;
      const floods = [
        new Flood(operators, 1_500, silent),
        new Flood(origin, 1_500, silent),
        new Flood(origin, 500, slowly),
      ];
      onTestFinished(() => floods.forEach((flood) => flood.end()));
      await until(() => descriptors() > 700);
      expect(connectionsOf(origin)).toBeGreaterThan(500);

      const staying = new Agent({ keepAlive: true, maxSockets: 1 });
      const answers: (number | string)[] = [];
      let most = 0;
      for (const end = Date.now() + 5_000; answers.length < 100 || Date.now() < end;) {
        answers.push(await ask(`${origin}/readyz`, { agent: false }));
        answers.push(await ask(`${origin}/.well-known/openid-configuration`, { agent: staying }));
        most = Math.max(most, descriptors());
        await pause(20);
      }
      expect(new Set(answers)).toEqual(new Set([200]));
      expect(await ask(`${operators}/metrics`, { agent: false })).toBe(200);
      // On a busy machine the server is some seconds behind those who connect.
      await until(() => connectionsOf(operators) < 40);
      expect(most).toBeLessThan(1_000);

      // Nobody closes anything: the server itself must get rid of them.
      for (const flood of floods) flood.rest();
      const restedAt = Date.now();
      await until(() => connectionsOf(origin) <= 1 && connectionsOf(operators) === 0);
      expect(Date.now() - restedAt).toBeLessThan(120_000);
      staying.destroy();
      expect(await ask(`${origin}/readyz`, { agent: false })).toBe(200);
    },
  );
});

describe.skipIf(missing)(onEngines('a server that is told to stop'), () => {
  test('cuts nobody off: not the busy, not the idle, not who is in the middle of a request', async () => {
    const serving = await aServer();
    const { origin } = serving;
    const url = `${origin}/.well-known/openid-configuration`;
    const answers: (number | string)[] = [];
    const newcomers: (number | string)[] = [];

    const busy = async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (;;) {
        const { answer, reused } = await askNoting(url, agent);
        (reused || answer === 200 ? answers : newcomers).push(answer);
        if (answer !== 200) break;
      }
      agent.destroy();
    };
    const idle = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await ask(url, { agent: idle })).toBe(200);
    const halfway = halfARequest(origin);
    await halfway.sent;

    const load = Promise.all(Array.from({ length: 20 }, busy));
    await until(() => answers.length > 200);
    const stopped = serving.stop();
    await until(() => newcomers.length > 0);
    const late = askNoting(url, idle);
    halfway.complete();
    await load;

    expect(await late).toEqual({ answer: 200, reused: true });
    expect(await halfway.answer).toMatch(/^HTTP\/1\.1 400 [^]*connection: close/i);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(new Set(newcomers)).toEqual(new Set(['ECONNREFUSED']));
    expect(await stopped).toBe(0);
  });
});

/** A request and whether it went over a connection that was there already. */
function askNoting(url: string, agent: Agent): Promise<{ answer: number | string; reused: boolean }> {
  return new Promise((resolve) => {
    const asking = request(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve({ answer: response.statusCode ?? 0, reused: asking.reusedSocket }));
    });
    asking.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ answer: error.code ?? error.message, reused: asking.reusedSocket }),
    );
    asking.end();
  });
}

/** A form whose second half is sent when told. */
function halfARequest(origin: string) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const head =
    'POST /oauth/token HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 10\r\n\r\n';
  let text = '';
  const answer = new Promise<string>((resolve, reject) => {
    socket.on('data', (data) => (text += data.toString()));
    socket.once('end', () => resolve(text));
    socket.once('error', reject);
  });
  answer.catch(() => undefined);
  return {
    sent: new Promise<void>((resolve) => socket.write(`${head}a=b&c`, () => resolve())),
    complete: () => socket.write('=d&ef'),
    answer,
  };
}

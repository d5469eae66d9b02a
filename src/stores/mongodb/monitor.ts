import { setTimeout as sleep } from 'node:timers/promises';
import type { MongoClient } from 'mongodb';

/** The driver ends a check of a server by itself after `connectTimeoutMS` (5 s); one of this length never ends. */
const stuckAfterMs = 12_000;
/** Between two tries to connect. */
const pauseMs = 1_000;

/**
 * Has a client connect anew when its monitor is stuck; answers what ends that, to be called before closing.
 *
 * In the driver (7.8) a command that is written to a destroyed socket, of which its connection has not heard yet,
 * waits for ever for that socket to drain. When a server stops, all its sockets close in one breath. The first
 * that had an operation under way makes the monitor ask how the server is, on its own socket, which is about to
 * be closed too; and then the client never learns that the server is back. So with peers and old servers, which
 * the monitor asks now and again; MongoDB from 4.4 keeps an answer open, and its monitor hears the socket close.
 */
export function reconnectWhenStuck(client: MongoClient, afterMs = stuckAfterMs): () => void {
  const checks = new Map<string, NodeJS.Timeout>();
  const ended = (address: string) => {
    clearTimeout(checks.get(address));
    checks.delete(address);
  };
  let reconnecting = false;
  const stopping = new AbortController();
  const reconnect = async () => {
    if (reconnecting) return;
    reconnecting = true;
    while (!stopping.signal.aborted) {
      try {
        await client.close();
        await client.connect();
        break;
      } catch {
        // Still away; operations meanwhile say so by themselves.
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
    if (stopping.signal.aborted) await client.close();
    reconnecting = false;
  };
  client.on('serverHeartbeatStarted', ({ connectionId, awaited }) => {
    ended(connectionId);
    if (!awaited) checks.set(connectionId, setTimeout(() => void reconnect(), afterMs).unref());
  });
  client.on('serverHeartbeatSucceeded', ({ connectionId }) => ended(connectionId));
  client.on('serverHeartbeatFailed', ({ connectionId }) => ended(connectionId));
  client.on('serverClosed', ({ address }) => ended(address));
  return () => {
    stopping.abort();
    for (const address of [...checks.keys()]) ended(address);
  };
}

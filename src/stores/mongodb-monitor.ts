import type { MongoClient } from 'mongodb';
import { pause } from '../ground/back-off.ts';

/** The driver ends a heartbeat after `connectTimeoutMS` (5 s). One that takes this long is stuck. */
const stuckAfterMs = 12_000;
/** The pause between two attempts to connect. */
const pauseMs = 1_000;

/**
 * Reconnects a client whose monitor is stuck. Returns a function that ends the watch; call it before closing.
 *
 * In the driver (7.8) a command written to a destroyed socket waits for ever for that socket to drain. When a
 * server stops, all its sockets close at once. The first one with an operation makes the monitor check the server
 * on its own socket, which is about to close too; then the client never learns that the server is back. This
 * affects servers that the monitor polls: old and compatible ones. MongoDB from 4.4 streams its heartbeats, and its
 * monitor notices the closed socket.
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
        // Still down. Operations report it by themselves.
        await pause(pauseMs, stopping.signal);
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

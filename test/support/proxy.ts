import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands between a client and a server, and can keep them apart. */
export interface Proxy {
  readonly port: number;
  open(): void;
  /** As when the server has gone: connections break, new ones are refused. */
  cut(): void;
  /** Cuts when the server has sent so many more pieces of answers, and then resolves. */
  cutAfter(pieces: number): Promise<void>;
  /** As when the network fails: nothing comes through before it is open again, and nobody is told. */
  hang(): void;
  close(): Promise<void>;
}

export async function startProxy(target: { readonly host: string; readonly port: number }): Promise<Proxy> {
  let mode: 'open' | 'cut' | 'hang' = 'open';
  const sockets = new Set<Socket>();
  const setMode = (next: typeof mode) => {
    mode = next;
    for (const socket of sockets) {
      if (mode === 'cut') socket.destroy();
      else if (mode === 'hang') socket.pause();
      else socket.resume();
    }
  };
  let left = Infinity;
  let onCut: () => void = () => undefined;
  const countPiece = () => {
    left -= 1;
    if (left > 0) return;
    left = Infinity;
    setMode('cut');
    onCut();
  };
  const joined = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    if (mode === 'hang') from.pause();
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const server = createServer((client) => {
    if (mode === 'cut') {
      client.destroy();
      return;
    }
    const upstream = connect(target);
    upstream.on('data', countPiece);
    joined(client, upstream);
    joined(upstream, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    open: () => setMode('open'),
    cut: () => setMode('cut'),
    cutAfter: (pieces) => {
      left = pieces;
      return new Promise((resolve) => (onCut = resolve));
    },
    hang: () => setMode('hang'),
    close: async () => {
      setMode('cut');
      server.close();
      await once(server, 'close');
    },
  };
}

import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A mail server that takes what it is told to take (RFC 5321). */
export interface TestMailServer {
  readonly url: string;
  /** What has been taken: the envelope's recipient and the whole message. */
  readonly taken: { readonly to: string; readonly message: string }[];
  /** Answers to RCPT TO, used up one by one; then every recipient is fine. */
  readonly refusals: string[];
  stop(): Promise<void>;
}

/** `onTaken`: called when a mail is there, before the sender is told that it is taken. */
export async function startMailServer(onTaken: () => void = () => undefined): Promise<TestMailServer> {
  const taken: TestMailServer['taken'] = [];
  const refusals: string[] = [];
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => undefined);
    converse(socket, taken, refusals, onTaken);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    refusals,
    stop: () =>
      new Promise((resolve) => {
        for (const socket of open) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function converse(
  socket: Socket,
  taken: TestMailServer['taken'],
  refusals: string[],
  onTaken: () => void,
): void {
  let text = '';
  let to = '';
  let message: string | undefined;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 mail.example');
  socket.on('data', (chunk) => {
    text += chunk.toString();
    for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      if (message !== undefined) {
        if (line !== '.') message += `${line}\n`;
        else {
          taken.push({ to, message });
          message = undefined;
          onTaken();
          say('250 taken');
        }
      } else if (/^RCPT TO/i.test(line)) {
        to = /<(.*)>/.exec(line)?.[1] ?? '';
        say(refusals.shift() ?? '250 fine');
      } else if (/^DATA/i.test(line)) {
        message = '';
        say('354 go on');
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
      else say('250 fine');
    }
  });
}

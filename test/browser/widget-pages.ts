import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site of somebody else on this machine. Its origin is not that of the directory. */
export interface Pages {
  readonly origin: string;
  /** Puts a page there, and answers its address. */
  put(html: string, headers?: Readonly<Record<string, string>>): string;
  close(): Promise<void>;
}

export async function startPages(): Promise<Pages> {
  const pages: { html: string; headers: Readonly<Record<string, string>> }[] = [];
  const { port, close } = await listening((request, response) => {
    const found = pages[Number(request.url?.slice(1))];
    response
      .writeHead(found ? 200 : 404, { 'content-type': 'text/html; charset=utf-8', ...found?.headers })
      .end(found?.html);
  });
  const origin = `http://localhost:${port}`;
  return {
    origin,
    put(html, headers = {}) {
      pages.push({ html, headers });
      return `${origin}/${pages.length - 1}`;
    },
    close,
  };
}

/** A server on the loopback that answers as a test says. */
export async function listening(
  answer: RequestListener,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A page with what stands in its body. */
export const pageOf = (body: string, { head = '', lang = 'en' } = {}): string =>
  `<!doctype html><html lang="${lang}"><head><title>A site</title><link rel="icon" href="data:,">${head}</head><body>${body}</body></html>`;

/** The script tag, with its attributes. */
export const scriptTag = (base: string, attributes: Readonly<Record<string, string>>): string => {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<script src="${base}/resources-widget.js"${written.join('')}></script>`;
};

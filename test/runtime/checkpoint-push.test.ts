import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pushCheckpoints, toAddress, toFile } from '../../src/runtime/checkpoint-push.ts';
import { createSender } from '../../src/dispatch/attempts/sender.ts';
import { receiver } from '../dispatch/receivers.ts';
import { temporaryFolder } from '../support/folder.ts';

const progress = { succeeded: () => undefined, failed: () => undefined };

describe('a checkpoint is pushed', () => {
  it('to a file, once, and nothing in the file is ever changed', async () => {
    const folder = temporaryFolder();
    const path = join(folder.path, 'checkpoints.txt');
    const push = toFile(path);
    for (const note of ['one\n', 'one\n', 'two, and longer — ünï\n', 'two, and longer — ünï\n', 'three\n']) {
      await push(note);
    }
    expect(readFileSync(path, 'utf8')).toBe('one\n\ntwo, and longer — ünï\n\nthree\n\n');
    await expect(toFile(join(folder.path, 'none', 'x'))('note\n')).rejects.toThrow(
      /^The checkpoint could not be written to .*ENOENT/,
    );
    folder.remove();
  });

  it('to an address, by POST; every other answer than 2xx is a failure', async () => {
    let status = 204;
    const seen: string[] = [];
    await using at = await receiver((response, { headers, body }) => {
      seen.push(`${String(headers['content-type'])} ${body.toString()}`);
      response.writeHead(status).end();
    });
    const sender = createSender({ policy: { allowPrivate: true, ownHosts: [] } });
    const push = toAddress(`${at.url}?token=secret`, sender);
    await push('note — 1\n');
    status = 500;
    await expect(push('note — 2\n')).rejects.toThrow(
      /^The checkpoint could not be sent to 127\.0\.0\.1:\d+: the answer was 500$/,
    );
    expect(seen).toEqual([1, 2].map((n) => `text/plain; charset=utf-8 note — ${n}\n`));
    await sender.close();
  });

  it('never to this service itself', async () => {
    const sender = createSender({ policy: { allowPrivate: true, ownHosts: ['127.0.0.1:9'] } });
    await expect(toAddress('http://127.0.0.1:9/x', sender)('note\n')).rejects.toThrow(
      /is this service itself/,
    );
    await sender.close();
  });

  it('whenever there is a newer one, and again after a failure', async () => {
    const trees = [undefined, 3, 3, 8, 8, 9].map((size) =>
      size === undefined ? undefined : { size, note: `note ${size}`, signedAt: '' },
    );
    const run = async (fails: boolean) => {
      const left = [...trees];
      const pushed: string[] = [];
      const stopping = new AbortController();
      const proofLog = {
        newest: async () => {
          const tree = left.shift();
          if (left.length === 0) stopping.abort();
          return tree;
        },
      };
      const push = async (note: string) => {
        if (fails) throw new Error('refused');
        pushed.push(note);
      };
      const work = pushCheckpoints({ proofLog } as never, push, async () => undefined);
      await work(stopping.signal, progress, 0);
      return pushed;
    };
    expect(await run(false)).toEqual(['note 3', 'note 8', 'note 9']);
    await expect(run(true)).rejects.toThrow('refused');
  });
});

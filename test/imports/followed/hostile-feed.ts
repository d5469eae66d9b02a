import { GrowingTree } from '../../../src/audit/proof-log/format/growing-tree.ts';
import { sha256 } from '../../../src/audit/proof-log/format/merkle.ts';
import { signCheckpoint } from '../../../src/audit/proof-log/format/checkpoint.ts';
import { verifierOf, vkeyOf, type NoteSigner } from '../../../src/audit/proof-log/format/note.ts';
import { FeedError, type FeedAnswer, type ReadAddress } from '../../../src/imports/followed/feed.ts';
import { newSigner } from '../../support/note-signer.ts';

export const logName = 'valley.example/audit/log';

/** An entry of a feed: what it sends as the record, or null where it takes one out. */
export type Sent = readonly [svcId: string, record: unknown];

/** Another installation, of which a test says what it answers. Its tree has at most 255 leaves. */
export class HostileFeed {
  signers: readonly NoteSigner[] = [newSigner(logName)];
  leaves: Buffer[] = [sha256('leaf 0')];
  entries: Sent[] = [];
  pageSize = 100;
  /** By the path before the question mark: what it answers instead. */
  readonly answers = new Map<string, { readonly status: number; readonly body: unknown } | 'nothing'>();
  readonly requests: string[] = [];
  successions: readonly { readonly vkey: string; readonly succession: string | null }[] = [];

  get vkey(): string {
    return vkeyOf(verifierOf(this.signers[0] as NoteSigner));
  }

  /** It signs something new. */
  grow(text = `leaf ${this.leaves.length}`): void {
    this.leaves.push(sha256(text));
  }

  checkpoint(): string {
    const tree = new GrowingTree();
    tree.add(Buffer.concat(this.leaves));
    const [signer] = this.signers as [NoteSigner];
    return signCheckpoint({ size: tree.size, root: tree.root() }, { ...signer, signers: this.signers });
  }

  readonly read: ReadAddress = (url, { mostBytes }) => {
    const { pathname, searchParams } = new URL(url);
    this.requests.push(pathname);
    const answer = this.#answer(pathname, searchParams);
    if (answer === 'nothing')
      return Promise.reject(new FeedError('valley.example did not answer within 30 s.'));
    if (answer.body.length > mostBytes) return Promise.reject(new FeedError('Its answer is too long.'));
    return Promise.resolve(answer);
  };

  #answer(path: string, query: URLSearchParams): FeedAnswer | 'nothing' {
    const planned = this.answers.get(path);
    if (planned === 'nothing') return 'nothing';
    if (planned) return { status: planned.status, body: bytesOf(planned.body) };
    if (path === '/audit/log/checkpoint') return { status: 200, body: Buffer.from(this.checkpoint()) };
    if (path === '/audit/log/vkeys') return { status: 200, body: bytesOf({ keys: this.successions }) };
    const width = /^\/audit\/log\/tile\/0\/000\.p\/(\d+)$/.exec(path)?.[1];
    if (width !== undefined) return { status: 200, body: Buffer.concat(this.leaves.slice(0, Number(width))) };
    if (path === '/dash/api/v1/changes') return { status: 200, body: bytesOf(this.#page(query)) };
    return { status: 404, body: Buffer.from('{}') };
  }

  #page(query: URLSearchParams) {
    const from = Number(query.get('cursor') ?? '0');
    const to = Math.min(from + this.pageSize, this.entries.length);
    return {
      data: this.entries.slice(from, to).map(([svc_id, record]) => ({
        ...{ svc_id, change: record === null ? 'removed' : 'upsert', changed_at: '2026-03-01T00:00:00.000Z' },
        ...(record === null ? {} : { record }),
      })),
      has_more: to < this.entries.length,
      cursor: String(to),
    };
  }
}

const bytesOf = (body: unknown): Buffer =>
  Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

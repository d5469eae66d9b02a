import { publishedKey, type LogKey } from '../../audit/proof-log/format/log-key.ts';
import { isSignedBy } from '../../audit/proof-log/format/note.ts';
import { whyEnded, type FormerLog } from '../../audit/proof-log/former-log.ts';
import type { SignedTree } from '../../stores/side/proof-log-port.ts';
import { counted } from '../../ground/counted.ts';
import { html, type Html } from '../pages/html.ts';
import { time } from '../pages/time.ts';
import { facts } from '../pages/parts/facts.ts';
import { page } from '../pages/frame/page-frame.ts';
import { checkpointPath, formerPath, tilesPath, vkeyPath, vkeysPath } from './log-paths.ts';

export interface LogPageContent {
  /** The address of the service, without a path. */
  readonly base: string;
  readonly key: LogKey | undefined;
  readonly newest: SignedTree | undefined;
  /** Oldest first. */
  readonly former: readonly FormerLog[];
}

/** What the proof log proves, in plain words, and how to check it. */
export const logPage = ({ base, key, newest, former }: LogPageContent): string =>
  page({
    title: 'Proof log',
    content: html`<p class="lead">
        Everything that happens in this service is recorded as an event. This log makes it possible to show
        later that no event was changed, left out, added or moved.
      </p>
      ${newest === undefined || key === undefined ? notYet : current(newest, key)}
      ${former.length === 0 ? '' : ended(former)}
      <h2>What is proved</h2>
      <ul class="points">
        <li>
          Each event has a place in the log. Its content cannot change without changing the hash that is
          signed.
        </li>
        <li>
          Each signed state continues the one before. If you keep one, nobody can later change what came
          before it without your noticing.
        </li>
        <li>
          A whole export of the log holds every event up to its signed state, in order, and nothing else.
        </li>
      </ul>
      <h2>What is not proved</h2>
      <ul class="points">
        <li>
          That an event is true. The log shows what was recorded, when it was recorded and by whom, as the
          service saw it.
        </li>
        <li>
          That nothing happened after the newest signed state, or that nothing happened that was not recorded.
        </li>
        <li>
          That a part of an export is complete. A filtered export proves the events that it holds. Only the
          operator can show, with <code>commonweal verify --full</code>, that the filter left none out.
        </li>
        <li>
          Anything against the operator, if nobody else keeps a signed state. Who runs the service has the
          key, and could write a different log from the beginning. So keep a copy of a signed state, or have
          the operator send each one to you.
        </li>
      </ul>
      <h2>What everybody can see</h2>
      <p>
        The signed states and the hashes: a count and numbers that say nothing about the events. The events
        themselves are for auditors with a key of the installation. Personal data in events is encrypted. When
        a person is erased, their key is destroyed: the data is gone, and every proof still holds.
      </p>
      <h2>How to check</h2>
      <ol class="points">
        <li>
          Keep the key (vkey) of this log. When the operator replaces the key, both sign for a while, and
          <a href="${vkeysPath}">all keys with their times</a> are listed. If another log ever goes on in its
          place, this page and <a href="${formerPath}">the list of former logs</a> say so.
        </li>
        <li>
          Keep a <a href="${checkpointPath}">checkpoint</a>. Later, get a newer one and compute from the tiles
          that it continues yours.
        </li>
        <li>
          With an export or a proof from the operator, run <code>commonweal verify</code>, or any other
          verifier for these formats.
        </li>
      </ol>
      <p>
        The files follow public specifications, so no program of ours is needed:
        <a href="https://c2sp.org/tlog-tiles">tlog-tiles</a>,
        <a href="https://c2sp.org/tlog-checkpoint">tlog-checkpoint</a>,
        <a href="https://c2sp.org/signed-note">signed-note</a> and
        <a href="https://c2sp.org/tlog-proof">tlog-proof</a> of C2SP, with the tree of
        <a href="https://www.rfc-editor.org/rfc/rfc6962.html#section-2.1">RFC 6962</a>. An entry is the
        canonical JSON (<a href="https://www.rfc-editor.org/rfc/rfc8785.html">RFC 8785</a>) of an event's
        data, id, metadata, revision, stream and type. An entry over 65,535 bytes is replaced by its length
        and SHA-256.
      </p>
      <pre>
curl ${base}${checkpointPath}
curl ${base}${vkeyPath}
curl ${base}${tilesPath}0/000.p/1 | xxd</pre>`,
  });

const notYet = html`<p>Nothing has been signed yet. The first state follows soon after the first start.</p>`;

const ended = (former: readonly FormerLog[]): Html =>
  html`<h2>Logs that ended</h2>
    <p>
      Checkpoints that begin with one of these names are of a log that signs nothing any more. If you kept
      one, ask the operator to compare it: <code>commonweal verify --checkpoint</code> says whether its events
      are the first of the log of today. Follow the log of today by its own name and key. The same as
      <a href="${formerPath}">JSON</a>.
    </p>
    ${former.toReversed().map(
      (each) =>
        html`<h3><code>${each.log}</code></h3>
          <p>
            Ended ${time(each.ended_at, 'second')}, because ${whyEnded(each)}.
            <code>${each.successor}</code> goes on.
            ${each.tree_size === 0 ? 'It is not known to have signed anything.' : `Its last signed state: ${counted(each.tree_size, 'event')}.`}
          </p>
          ${each.checkpoint === null ? '' : html`<pre>${each.checkpoint}</pre>`}`,
    )}`;

const current = (newest: SignedTree, key: LogKey): Html => {
  const { size, note, signedAt } = newest;
  const { vkey } = publishedKey(key, newest);
  const signsAsWell = key.keys.filter((each) => each.vkey !== vkey && isSignedBy(note, each.verifier));
  return html`${facts([
      ['Name of the log', html`<code>${key.name}</code>`],
      ['Key (vkey)', html`<code>${vkey}</code>`],
      ...signsAsWell.map(
        ({ vkey: former, until }) =>
          [
            'Former key',
            html`<code>${former}</code>${until === undefined ? '' : html`, signs until ${time(until)}`}`,
          ] as const,
      ),
      [
        'Newest signed state',
        html`${size} ${size === 1 ? 'event' : 'events'}, signed ${time(signedAt, 'second')}`,
      ],
    ])}
    <pre>${note}</pre>`;
};

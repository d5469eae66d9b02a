import { Readable } from 'node:stream';
import { openedTo } from '../../../actions/audit-as-of.ts';
import { readEvent } from '../../../actions/audit-log.ts';
import { openedData, type DataField } from '../../../audit/opened-data.ts';
import type { FoundEvent } from '../../../audit/search.ts';
import type { ShownEvent } from '../../../audit/shown-event.ts';
import { findEventNear } from '../../../audit/proof-log/find-event.ts';
import { logKey } from '../../../audit/proof-log/format/log-key.ts';
import { proveEntry } from '../../../audit/proof-log/prove.ts';
import { tileAt, tilePath, tileWidth } from '../../../audit/proof-log/format/tiles.ts';
import type { SignedTree } from '../../../stores/side/proof-log-port.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { performFor, whoOf } from '../../pages/action-form.ts';
import { time } from '../../pages/controls.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import { table } from '../../pages/parts/table.ts';
import type { Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { logPath, tilesPath } from '../log-paths.ts';
import {
  auditPage,
  inAudit,
  parameterOf,
  requireIndex,
  signedState,
  type AuditPageContext,
} from './audit-page.ts';
import { en } from './texts.ts';

/** One event: what it says, who did it, and the proof that it was not changed. */
export const eventPage = (dependencies: PageDependencies): Page =>
  auditPage(dependencies, {
    path: `${paths.auditEvent}/:id`,
    async get(pageContext) {
      const { team } = pageContext;
      const read = await readFor(dependencies, pageContext);
      if (!read) return notFoundView(en.noEvent, { to: inAudit(paths.audit, { team }), label: en.back });
      const { found, event } = read;
      const [data, proof] = await Promise.all([
        openedData(dependencies.personal, found.recorded, { opens: openedTo(whoOf(pageContext)) }),
        proofOf(dependencies, found),
      ]);
      return {
        title: en.event,
        content: html`<p class="lead"><strong>${event.sentence}</strong></p>
          ${factsOf(event, pageContext)} ${contentOf(event, data)} ${proofSection(event, proof, pageContext)}
          <p><a href="${inAudit(paths.audit, { team })}">${en.back}</a></p>`,
      };
    },
  });

/** The proof that the log has an event, as a file that can be checked without us (C2SP tlog-proof). */
export const eventProof = (dependencies: PageDependencies): Page =>
  auditPage(dependencies, {
    path: `${paths.auditEvent}/:id/proof`,
    async get(pageContext) {
      const { store, proofLog, vault } = dependencies;
      const back = { to: inAudit(paths.audit, pageContext), label: en.back };
      const found = (await readFor(dependencies, pageContext, 'proof'))?.found;
      if (!found) return notFoundView(en.noEvent, back);
      const key = await logKey(vault);
      const place = await proofOf(dependencies, found);
      if (!key || place.kind !== 'signed') return notFoundView(en.notSigned, back);
      const { proof } = await proveEntry(
        { store, proofLog, verifier: key },
        { index: place.index, event: found.recorded },
      );
      return {
        download: Readable.from([proof]),
        filename: `${found.recorded.id}.tlog-proof`,
        type: 'text/plain',
      };
    },
  });

async function readFor(
  dependencies: PageDependencies,
  pageContext: AuditPageContext,
  question: 'events' | 'proof' = 'events',
) {
  await requireIndex(dependencies);
  const id = parameterOf(pageContext, 'id');
  const performed = await performFor(dependencies, pageContext, readEvent, { id, question });
  return performed.kind === 'done' ? performed.value : undefined;
}

type ProofPlace =
  | { readonly kind: 'signed'; readonly index: number; readonly newest: SignedTree }
  | { readonly kind: 'not signed' | 'not in place' };

/** Where the proof log has an event. Reads its bundle only. */
async function proofOf(
  { store, proofLog }: PageDependencies,
  { recorded: { id, position } }: FoundEvent,
): Promise<ProofPlace> {
  const newest = await proofLog.newest();
  if (!newest) return { kind: 'not signed' };
  const place = await findEventNear({ store, proofLog }, id, position);
  if (!place) return { kind: 'not in place' };
  return place.index < newest.size ? { kind: 'signed', index: place.index, newest } : { kind: 'not signed' };
}

function factsOf(event: ShownEvent, pageContext: AuditPageContext): Html {
  const { actor, subjects } = event;
  const about = (subject: string): Html =>
    html`<a href="${inAudit(paths.audit, pageContext, { about: subject })}">${named(event, subject)}</a>`;
  const by = `${actor.kind}:${actor.id}`;
  const key = [...subjects, by].find((each) => each.startsWith('key:'))?.slice('key:'.length);
  return html`<section class="card">
    ${facts([
      [en.when, time(event.at, 'second')],
      [
        en.who,
        html`<a href="${inAudit(paths.audit, pageContext, { by })}"
          >${named(event, by.replace(/^user:/, 'person:'))}</a
        >`,
      ],
      [en.ofWhichTeam, event.team ?? undefined],
      [
        en.subjects,
        subjects.length === 0
          ? undefined
          : html`<ul>
              ${subjects.map((each) => html`<li>${about(each)}</li>`)}
            </ul>`,
      ],
      [en.type, html`<code>${event.type}</code>`],
      [
        en.stream,
        html`<a href="${inAudit(paths.audit, pageContext, { stream: event.stream })}"
          ><code>${event.stream}</code></a
        >`,
      ],
      [en.revision, event.revision],
      [en.position, event.position],
    ])}
    <p>
      <a href="${inAudit(`${paths.auditWalk}/${event.correlation_id}`, pageContext)}">${en.walk}</a> ·
      <a
        href="${inAudit(paths.auditAsOf, pageContext, { question: 'streams', stream: event.stream, position: event.position })}"
        >${en.stateThen}</a
      >
      ${key === undefined ? '' : html` · <a href="${inAudit(`${paths.auditKeys}/${key}`, pageContext)}">${en.keyUse}</a>`}
    </p>
  </section>`;
}

/** A person by the name that the reader may see, anything else by its kind and id. */
function named({ people }: ShownEvent, subject: string): string {
  const [kind = '', ...rest] = subject.split(':');
  const person = kind === 'person' ? people[rest.join(':')] : undefined;
  if (person === undefined) return subject.replace(':', ' ');
  return person.erased ? `${kind} (${en.erased})` : (person.name ?? kind);
}

/** Hashes of secrets say nothing to a reader. */
const hidden = ['secret_sha256'];

const contentOf = (event: ShownEvent, data: readonly DataField[]): Html =>
  html`<section class="card">
    <h2>${en.details}</h2>
    ${
      data.length === 0
        ? html`<p class="quiet">${en.saysNothing}</p>`
        : table({
            caption: en.details,
            columns: [{ label: en.fieldName }, { label: en.value }],
            rows: data.filter(({ name }) => !hidden.includes(name)).map((each) => [each.name, valueOf(each)]),
          })
    }
    <details>
      <summary>${en.asStored}</summary>
      <pre tabindex="0" role="region" aria-label="${en.asStored}"><code>${JSON.stringify(
        { id: event.id, type: event.type, data: event.data, metadata: event.metadata },
        undefined,
        2,
      )}</code></pre>
    </details>
  </section>`;

function valueOf({ value, personal }: DataField): Html | string {
  if (personal === 'erased') return html`<em>${en.erased}</em>`;
  if (personal === 'sealed') return html`<em>${en.sealed}</em>`;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The tile with the hash of the leaf, among those that everybody can read. */
function tileLink({ index, newest }: Extract<ProofPlace, { kind: 'signed' }>): Html | undefined {
  const tile = tileAt(0, Math.floor(index / tileWidth), newest.size);
  if (!tile) return undefined;
  const path = tilePath(tile);
  return html`<a href="${tilesPath}${path}"><code>tile/${path}</code></a>`;
}

function proofSection({ id }: ShownEvent, proof: ProofPlace, pageContext: AuditPageContext): Html {
  const content =
    proof.kind === 'signed'
      ? html`<p>${en.signed}</p>
          ${facts([
            [en.leaf, proof.index.toLocaleString('en')],
            [en.tile, tileLink(proof)],
            [en.checkpoint, signedState(proof.newest)],
          ])}
          <p>
            <a href="${inAudit(`${paths.auditEvent}/${id}/proof`, pageContext)}">${en.downloadProof}</a> ·
            <a href="${logPath}">${en.publicLog}</a>
          </p>`
      : html`<p>${proof.kind === 'not signed' ? en.notSigned : en.notInPlace}</p>
          <p><a href="${logPath}">${en.publicLog}</a></p>`;
  return html`<section class="card">
    <h2>${en.proof}</h2>
    ${content}
  </section>`;
}

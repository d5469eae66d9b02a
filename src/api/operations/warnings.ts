import type { Finding } from '../../doctor/finding.ts';
import type { Examination, Verification } from '../../doctor/record.ts';
import { figuresOf } from '../../status/figures.ts';
import { findingsOf, type Problem } from '../../status/problems.ts';
import { isFailing, worstFirst, type Status } from '../../status/status.ts';
import { html, type Html } from '../pages/html.ts';
import { badge } from '../pages/parts/badge.ts';
import { guides, type GuideName } from '../pages/paths.ts';
import { withTimes } from '../pages/time.ts';
import { en } from './texts.ts';

/** Requests, errors, durations, servers, version and emails, in one line where there is room. */
export const figureStrip = (status: Status): Html =>
  html`<section aria-label="${en.figures}">
    <dl class="figures">
      ${figuresOf(status).map(
        ({ name, value, detail }) =>
          html`<div>
            <dt>${name}</dt>
            <dd><strong>${value}</strong> <span>${withTimes(together(detail), 'minute')}</span></dd>
          </div>`,
      )}
    </dl>
  </section>`;

/** No line ends between a number and its unit. */
const together = (detail: string): string => detail.replace(/(\d) (%|ms|s)(?!\w)/g, '$1\u00a0$2');

/**
 * What needs an operator, the worst first: from the status, from what this server looks at all the time (`looked`), and
 * from the newest check of the installation, without what is looked at anew with each page.
 */
export function warningsOf(
  { problems }: Status,
  looked: readonly Problem[],
  examination: Examination | undefined,
  verification: Verification | undefined,
): readonly Finding[] {
  return worstFirst(findingsOf([...problems, ...looked], examination, verification));
}

/** Whether everything works, or what does not, with what to do. */
export function warningsCard(found: readonly Finding[]): Html {
  if (found.length === 0) return html`<p class="lead">${en.well}</p>`;
  return html`<section class="card" aria-labelledby="warnings">
    <h2 id="warnings">${isFailing({ problems: found }) ? en.failing : en.risky}</h2>
    <ul class="feed">
      ${found.map(
        ({ check, severity, sentence, remedy = '' }) =>
          html`<li>
            <p>
              ${severity === 'problem' ? badge(en.problem, 'bad') : badge(en.warning)}
              <strong>${titleOf(check)}</strong>
            </p>
            <p>
              ${inWords(`${sentence} ${remedy}`.trimEnd())}
              <a href="${guideOf(check)}">${en.whatToDo}<span class="unseen"> ${titleOf(check)}</span></a>
            </p>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** Sentences have commands between backticks, and times as machines write them. */
const inWords = (sentence: string): Html =>
  html`${sentence
    .split('`')
    .map((part, place) => (place % 2 === 1 ? html`<code>${part}</code>` : withTimes(part, 'minute')))}`;

const titleOf = (check: string): string => {
  const titles: Readonly<Record<string, string>> = en.checks;
  return titles[check] ?? check;
};

/** Where the guides tell what to do, by what was checked. */
export const placesInGuides: Readonly<Record<string, readonly [guide: GuideName, place?: string]>> = {
  'read models': ['runbook', 'commonwealprojectionfailed'],
  'newer release': ['runbook', 'commonwealunknownevents'],
  jobs: ['runbook', 'commonwealjobfailing'],
  webhooks: ['watching', 'parked-work'],
  'fan-out': ['runbook', 'commonwealfanoutlate'],
  'consumer groups': ['runbook', 'commonwealfanoutlate'],
  'paused webhooks': ['webhooks', 'states'],
  'followed directories': ['importing', 'follow-another-directory'],
  'proof log': ['runbook', 'commonwealproofloglate'],
  backup: ['backup', 'back-up'],
  disk: ['runbook', 'commonwealdiskfilling'],
  files: ['backup', 'files-of-the-embedded-stores'],
  integrity: ['backup', 'files-of-the-embedded-stores'],
  stores: ['runbook', 'commonwealstoresaway'],
  mail: ['settings', 'people-and-mail'],
  'no projector': ['runbook', 'commonwealnoprojector'],
  releases: ['updating', 'upgrade'],
  settings: ['settings'],
  keys: ['backup', 'when-the-vault-is-lost'],
  erasure: ['erasure', 'the-ledger'],
  'limits of streams': ['updating', 'scavenging'],
  certificates: ['compose', 'the-cluster-profile'],
};

function guideOf(check: string): string {
  const [guide, place] = placesInGuides[check] ?? ['watching', 'doctor'];
  return `${guides[guide]}${place === undefined ? '' : `#${place}`}`;
}

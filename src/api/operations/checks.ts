import { examinations, newestChecks, type Examination, type Verification } from '../../doctor/record.ts';
import { pausedReasons } from '../../status/problems.ts';
import type { Status } from '../../status/status.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { facts } from '../pages/parts/facts.ts';
import type { Page, SignedInPageContext } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { busy, live, progressBar } from '../pages/parts/progress.ts';
import { paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.doctor;
const livePath = `${paths.operations}/doctor`;

/** Whether the check that was asked for still runs, for the script of the page. */
export const doctorPage = ({ side }: PageDependencies): Page => ({
  audience: 'administrators',
  path: livePath,
  get: async () => ({ fragment: running(await examinations(side).requestedAt()) }),
});

/** The newest run of the doctor, one that was asked for, and the newest verification. */
export async function doctorRuns({ side }: Pick<PageDependencies, 'side'>) {
  const [checks, requestedAt] = await Promise.all([newestChecks(side), examinations(side).requestedAt()]);
  return { newest: checks.examined, verified: checks.verified, requestedAt };
}

/** When the doctor ran last, and the way to run it now. What it found stands at the top of the page. */
export const doctorCard = (
  {
    newest,
    verified,
    requestedAt,
  }: {
    readonly newest: Examination | undefined;
    readonly verified: Verification | undefined;
    readonly requestedAt: string | undefined;
  },
  { formToken: token }: SignedInPageContext,
): Html =>
  html`<section class="card" aria-labelledby="doctor">
    <h2 id="doctor">${texts.heading}</h2>
    ${
      newest?.problems === undefined
        ? html`<p>${texts.notYet}</p>`
        : html`<p>
            ${texts.ranAt} ${time(newest.at, 'minute')}.
            ${newest.problems === 0 && (newest.findings ?? []).length === 0 ? texts.nothing : texts.above}
          </p>`
    }
    <p>
      ${
        verified?.problems === undefined
          ? texts.notVerified
          : html`${texts.verifiedAt}
            ${time(verified.at, 'minute')}${verified.problems === 0 ? texts.verified(verified.events ?? 0, verified.seconds ?? 0) : `. ${texts.above}`}`
      }
    </p>
    ${
      requestedAt === undefined
        ? ask({
            label: texts.runNow,
            of: texts.ofRun,
            sentence: texts.runSentence,
            action: paths.operations,
            token,
            values: { do: 'examine' },
            weight: 'secondary',
          })
        : live({ from: livePath, page: paths.operations, content: running(requestedAt), busy: true })
    }
  </section>`;

const running = (requestedAt: string | undefined): Html =>
  requestedAt === undefined
    ? html``
    : busy({
        announced: texts.runs,
        content: progressBar({ label: texts.heading, share: undefined, sentence: texts.runs }),
      });

/** The newest backup, its copy and its test, the room on the disk, and background jobs that fail. */
export const machineCard = ({ backup, storage, followed, failing_jobs: jobs = [] }: Status): Html =>
  html`<section class="card" aria-labelledby="machine">
    <h2 id="machine">${en.machine}</h2>
    ${facts([
      [
        en.backup,
        html`${backup.newest_at === null ? en.notYet : time(backup.newest_at, 'minute')}${backup.late ? html` ${badge(en.late, 'bad')}` : ''}`,
      ],
      [
        en.copied,
        backup.copy_failure
          ? html`${badge(en.failed, 'bad')} ${en.since} ${time(backup.copy_failure.since, 'minute')}:
            ${backup.copy_failure.error}`
          : backup.copied_at === null
            ? undefined
            : time(backup.copied_at, 'minute'),
      ],
      [en.drill, backup.drill ? drillOf(backup.drill) : undefined],
      [en.disk, storage ? en.free(storage.disk_free, storage.disk_size) : undefined],
      [en.followed, followedLine(followed)],
    ])}
    ${jobs.map(
      ({ job, since, error }) =>
        html`<p class="notice wrong">${job} ${en.failedSince} ${time(since, 'minute')}: ${error}</p>`,
    )}
  </section>`;

/** The directories that teams follow. Undefined: there are none. */
function followedLine(followed: Status['followed']): Html | undefined {
  const { following, oldest_answer_at: oldest } = followed;
  const paused = pausedReasons(followed);
  if (following === 0 && paused === '') return undefined;
  return html`${en.read(following)}${oldest === null ? '' : html`, ${en.oldestAnswer} ${time(oldest, 'minute')}`}${paused === '' ? '' : html` ${badge(en.pausedFor(paused), 'bad')}`}`;
}

/** When a backup was tested last, and what came of it. */
const drillOf = ({ at, events, seconds, verified, failure }: NonNullable<Status['backup']['drill']>): Html =>
  failure === null
    ? html`${time(at, 'minute')}: ${en.restored(events ?? 0, seconds, verified)}`
    : html`${time(at, 'minute')} ${badge(en.failed, 'bad')} ${failure}`;

import { CommandRefused } from '../../commands/errors.ts';
import { cancelRebuild, startRebuild } from '../../commands/rebuild.ts';
import { projections } from '../../projections/all.ts';
import { modelOf } from '../../projections/engine/define.ts';
import { askedRebuilds, keptToServeAgain } from '../../projections/engine/rebuild/asked-rebuilds.ts';
import { rebuildsUnderWay, type RebuildProgress } from '../../projections/engine/rebuild/rebuild-progress.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { checkbox } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { Page, Redirect, SignedInPageContext } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { selectField } from '../pages/parts/choices.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { busy, live, progressBar, timeLeft } from '../pages/parts/progress.ts';
import { paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.rebuilds;
const livePath = `${paths.operations}/rebuilds`;
/** In the place of a name: every read model. */
const all = 'all';
const hour = 3_600;
/** How long what serves now may be kept, in seconds. The command line takes any time up to 90 days. */
const keptFor = [hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour];

/** A rebuild that has not ended. */
interface UnderWay {
  readonly model: string;
  /** The generation before is to serve again. */
  readonly back: boolean;
  /** Somebody asked for it, so it can be cancelled. The others follow from a new release. */
  readonly isAsked: boolean;
  /** Undefined: it has not begun. */
  readonly progress: RebuildProgress | undefined;
}

/** What serves again when somebody goes back, by read model: until when it is kept (ISO 8601). */
export type Kept = ReadonlyMap<string, string>;

export async function rebuildsOf({ store, documents, side }: PageDependencies): Promise<UnderWay[]> {
  const [begun, asked] = await Promise.all([
    rebuildsUnderWay({ store, documents, side }, projections),
    askedRebuilds(store, projections),
  ]);
  return projections.map(modelOf).flatMap((model): UnderWay[] => {
    const progress = begun.find(({ projection }) => projection === model);
    const wish = asked.find((each) => each.model === model);
    if (!progress && !wish) return [];
    return [{ model, progress, back: wish?.back ?? false, isAsked: wish !== undefined }];
  });
}

export async function keptGenerations(dependencies: PageDependencies): Promise<Kept> {
  const each = projections.map(async (projection) => {
    const kept = await keptToServeAgain(dependencies, projection);
    return kept ? [[modelOf(projection), kept.until] as const] : [];
  });
  return new Map((await Promise.all(each)).flat());
}

/** How far the rebuilds are, for the script of the page. */
export const rebuildsPage = (dependencies: PageDependencies): Page => ({
  audience: 'administrators',
  path: livePath,
  get: async () => ({ fragment: bars(await rebuildsOf(dependencies)) }),
});

/** The rebuilds under way with a bar for each, which goes on by itself. Nothing where there are none. */
export function rebuildCard(
  underWay: readonly UnderWay[],
  { formToken: token }: SignedInPageContext,
): Html | '' {
  if (underWay.length === 0) return '';
  const cancel = (model: string) =>
    ask({
      label: model === all ? texts.cancelAll : texts.cancel(model),
      of: '',
      sentence: texts.cancelSentence,
      action: paths.operations,
      token,
      values: { do: 'cancel', model },
    });
  const asked = underWay.filter(({ isAsked }) => isAsked).map(({ model }) => model);
  return html`<section class="card" aria-labelledby="under-way">
    <h2 id="under-way">${texts.underWay}</h2>
    ${live({ from: livePath, page: paths.operations, content: bars(underWay), busy: true })}
    ${
      asked.length < 2
        ? asked.map(cancel)
        : html`${cancel(all)}
            <details>
              <summary>${texts.cancelOne}</summary>
              <div class="choices">${asked.map(cancel)}</div>
            </details>`
    }
  </section>`;
}

function bars(underWay: readonly UnderWay[]): Html {
  if (underWay.length === 0) return html``;
  const known = underWay.flatMap(({ progress }) => (progress ? [progress.events] : []));
  const sum = (each: (events: RebuildProgress['events']) => number) =>
    known.reduce((before, events) => before + each(events), 0);
  const share =
    sum(({ done }) => done) /
    Math.max(
      1,
      sum(({ total }) => total),
    );
  return busy({
    said: texts.said(underWay.length, Math.floor(share * 10) * 10),
    content: html`${underWay.map(bar)}`,
  });
}

function bar({ model, back, progress }: UnderWay): Html {
  const heading = html`<h3>${back ? texts.goingBackOf(model) : model}</h3>`;
  const label = texts.barOf(model);
  if (!progress)
    return html`${heading} ${progressBar({ label, share: undefined, sentence: texts.notBegun })}`;
  const { events, rate, state } = progress;
  if (state === 'verifying')
    return html`${heading} ${progressBar({ label, share: undefined, sentence: texts.verifying(events.done) })}`;
  const left = rate > 0 ? timeLeft((events.total - events.done) / rate) : undefined;
  return html`${heading}
  ${progressBar({
    label,
    share: events.total === 0 ? undefined : events.done / events.total,
    sentence: texts.progress(events.done, events.total, rate, left),
  })}`;
}

/** Asks for rebuilds with all that can be chosen. */
export const rebuildForm = ({ formToken: token }: SignedInPageContext): Html =>
  ask({
    label: texts.choose,
    of: '',
    sentence: texts.sentence,
    action: paths.operations,
    token,
    values: { do: 'rebuild' },
    fields: html`${selectField({
      name: 'model',
      label: texts.which,
      options: [
        { value: all, label: texts.everyOne },
        ...projections.map(modelOf).map((model) => ({ value: model, label: model })),
      ],
    })}
    ${selectField({
      name: 'keep',
      label: texts.keep,
      hint: texts.keepHint,
      options: [
        { value: '', label: texts.keepNot },
        ...keptFor.map((seconds) => ({ value: String(seconds), label: texts.keepFor(seconds) })),
      ],
    })}
    ${checkbox({ name: 'full', label: texts.full, ticked: false })}`,
    confirm: texts.confirm,
    weight: 'secondary',
  });

/** What was wrong with the wish. */
export interface Refused {
  readonly status: number;
  readonly sentence: string;
}

/** Begins, reverts and cancels rebuilds, as `commonweal rebuild` does. */
export async function changeRebuilds(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  wish: 'rebuild' | 'back' | 'cancel',
): Promise<Redirect | Refused> {
  const asked = pageContext.form.get('model') ?? '';
  const models = projections.map(modelOf).filter((model) => asked === all || model === asked);
  if (models.length === 0) return { status: 404, sentence: en.noModel };
  switch (wish) {
    case 'rebuild':
      return start(dependencies, pageContext, models);
    case 'back':
      return goBack(dependencies, pageContext, asked);
    case 'cancel':
      return cancel(dependencies, pageContext, models);
  }
}

async function start(
  { store }: PageDependencies,
  pageContext: SignedInPageContext,
  models: readonly string[],
): Promise<Redirect | Refused> {
  const { form } = pageContext;
  const keep = form.get('keep') ?? '';
  const keepSeconds = keptFor.find((seconds) => String(seconds) === keep);
  if (keep !== '' && keepSeconds === undefined) return { status: 422, sentence: texts.noSuchTime };
  const how = { full: form.get('full') === 'yes', ...(keepSeconds === undefined ? {} : { keepSeconds }) };
  // Together, so that they read the log once.
  const started = await Promise.all(
    models.map((model) => refusedOf(startRebuild(store, model, how, pageContext.onceContext()))),
  );
  const refused = models.filter((_, place) => started[place]);
  if (refused.length > 0) return { status: 409, sentence: texts.otherRunning(refused) };
  return redirectDone(paths.operations, pageContext, models.length > 1 ? 'rebuildingAll' : 'rebuilding');
}

async function goBack(
  dependencies: PageDependencies,
  pageContext: SignedInPageContext,
  model: string,
): Promise<Redirect | Refused> {
  const projection = projections.find((each) => modelOf(each) === model);
  if (!projection) return { status: 400, sentence: texts.nameOne };
  const running = await askedRebuilds(dependencies.store, [projection]);
  if (running.length === 0 && !(await keptToServeAgain(dependencies, projection)))
    return { status: 409, sentence: texts.noneKept(model) };
  const started = startRebuild(dependencies.store, model, { back: true }, pageContext.onceContext());
  if (await refusedOf(started)) return { status: 409, sentence: texts.otherRunning([model]) };
  return redirectDone(paths.operations, pageContext, 'goingBack');
}

async function cancel(
  { store }: PageDependencies,
  pageContext: SignedInPageContext,
  models: readonly string[],
): Promise<Redirect | Refused> {
  const refused = await Promise.all(
    models.map((model) => refusedOf(cancelRebuild(store, model, pageContext.context()))),
  );
  if (refused.every(Boolean)) return { status: 409, sentence: texts.noneRuns };
  return redirectDone(paths.operations, pageContext, 'cancelled');
}

/** Whether a command was refused because of what runs, or does not run. */
async function refusedOf(command: Promise<unknown>): Promise<boolean> {
  try {
    await command;
    return false;
  } catch (error) {
    if (error instanceof CommandRefused && error.code === 'conflict') return true;
    throw error;
  }
}

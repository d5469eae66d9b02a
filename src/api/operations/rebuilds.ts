import { all } from '../../actions/operations.ts';
import { projections } from '../../projections/all.ts';
import { modelOf } from '../../projections/engine/read-model.ts';
import { requestedRebuilds, keptToServeAgain } from '../../projections/engine/rebuild/requested-rebuilds.ts';
import { rebuildsUnderWay, type RebuildProgress } from '../../projections/engine/rebuild/rebuild-progress.ts';
import { shownBy } from '../../status/read-model-words.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, Wrong, type InputField } from '../pages/action-form.ts';
import { checkbox } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { Page, SignedInPageContext } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { busy, live, progressBar, timeLeft } from '../pages/parts/progress.ts';
import { paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.rebuilds;
const livePath = `${paths.operations}/rebuilds`;
const hour = 3_600;
/** How long what serves now may be kept, in seconds. The command line takes any time up to 90 days. */
const keptFor = [hour, 24 * hour, 7 * 24 * hour, 30 * 24 * hour];

/** A rebuild that has not ended. */
interface UnderWay {
  readonly model: string;
  /** The generation before is to serve again. */
  readonly back: boolean;
  /** Somebody asked for it, so it can be cancelled. The others follow from a new release. */
  readonly isRequested: boolean;
  /** Undefined: it has not begun. */
  readonly progress: RebuildProgress | undefined;
}

/** What serves again when somebody goes back, by read model: until when it is kept (ISO 8601). */
export type Kept = ReadonlyMap<string, string>;

export async function rebuildsOf({ store, documents, side }: PageDependencies): Promise<UnderWay[]> {
  const [begun, requests] = await Promise.all([
    rebuildsUnderWay({ store, documents, side }, projections),
    requestedRebuilds(store, projections),
  ]);
  return projections.map(modelOf).flatMap((model): UnderWay[] => {
    const progress = begun.find(({ projection }) => projection === model);
    const request = requests.find((each) => each.model === model);
    if (!progress && !request) return [];
    return [{ model, progress, back: request?.back ?? false, isRequested: request !== undefined }];
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
  const requested = underWay.filter(({ isRequested }) => isRequested).map(({ model }) => model);
  return html`<section class="card" aria-labelledby="under-way">
    <h2 id="under-way">${texts.underWay}</h2>
    ${live({ from: livePath, page: paths.operations, content: bars(underWay), busy: true })}
    ${
      requested.length < 2
        ? requested.map(cancel)
        : html`${cancel(all)}
            <details>
              <summary>${texts.cancelOne}</summary>
              <div class="choices">${requested.map(cancel)}</div>
            </details>`
    }
  </section>`;
}

function bars(underWay: readonly UnderWay[]): Html {
  if (underWay.length === 0) return html``;
  const begun = underWay.flatMap(({ progress }) => (progress ? [progress.events] : []));
  const sum = (each: (events: RebuildProgress['events']) => number) =>
    begun.reduce((before, events) => before + each(events), 0);
  const share =
    sum(({ done }) => done) /
    Math.max(
      1,
      sum(({ total }) => total),
    );
  return busy({
    announced: texts.announcement(underWay.length, Math.floor(share * 10) * 10),
    content: html`${underWay.map(bar)}`,
  });
}

function bar({ model, back, progress }: UnderWay): Html {
  const shows = shownBy(model);
  const heading = html`<h3>
    ${back ? texts.goingBackOf(shows) : shows} <span class="quiet small"><code>${model}</code></span>
  </h3>`;
  const label = texts.barOf(shows);
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

/** What can be chosen of a rebuild, beside `full`. */
export const rebuildFields: readonly InputField[] = [
  {
    name: 'model',
    label: texts.which,
    options: [
      { value: all, label: texts.everyOne },
      ...projections.map(modelOf).map((model) => ({ value: model, label: `${shownBy(model)} (${model})` })),
    ],
    read: (typed) => typed,
  },
  {
    name: 'keep',
    input: 'keepSeconds',
    label: texts.keep,
    hint: texts.keepHint,
    options: [
      { value: '', label: texts.keepNot },
      ...keptFor.map((seconds) => ({ value: String(seconds), label: texts.keepFor(seconds) })),
    ],
    read: (typed) =>
      typed === ''
        ? undefined
        : (keptFor.find((seconds) => String(seconds) === typed) ?? new Wrong(texts.noSuchTime)),
  },
];

/** Asks for rebuilds with all that can be chosen. */
export const rebuildForm = (
  /** How many the log has, where the store counts them. */
  events: number | null,
  { formToken: token }: SignedInPageContext,
): Html =>
  ask({
    label: texts.choose,
    of: '',
    sentence: en.rebuildSentence(events),
    action: paths.operations,
    token,
    values: { do: 'rebuild' },
    fields: html`${inputFields(rebuildFields, new URLSearchParams())}
    ${checkbox({ name: 'full', label: texts.full, ticked: false })}`,
    confirm: texts.confirm,
    weight: 'secondary',
  });

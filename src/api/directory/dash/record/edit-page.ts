import { upcast } from '../../../../events/catalogue.ts';
import { commandResource } from '../../../../commands/directory/resource.ts';
import { CommandRefused } from '../../../../commands/errors.ts';
import { streamName } from '../../../../events/define.ts';
import type { ResourceFields } from '../../../../events/directory/resource-fields.ts';
import { resourceStream, type ResourceEvent } from '../../../../events/directory/resource.ts';
import { untilShown } from '../../../../projections/until-shown.ts';
import type { EventStore, Position } from '../../../../stores/event-store/port.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { button, form, hidden, notice, when, type Problems } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { changedMeanwhile } from '../../../pages/parts/changes.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { dashRecordPath, editPath } from '../dash-paths.ts';
import { svcIdIn, teamRecord } from '../team-records.ts';
import { en } from '../texts.ts';
import { changeOf, problemsOf } from './form-change.ts';
import { recordFields } from './form-view.ts';
import { formNames, valuesIn, valuesOf, type FormValues } from './form-values.ts';
import { formDifferences } from './said-fields.ts';

const { form: texts } = en;

/** A record as its stream has it. */
interface Current {
  readonly svcId: string;
  readonly fields: ResourceFields;
  /** Of its newest event. Forms carry it. */
  readonly position: Position;
}

/** Changes a record of a team. What the form does not show stays. */
export function editPage(dependencies: PageDependencies): Page {
  const current = async (pageContext: TeamPageContext): Promise<Current> => {
    const { svc_id } = await teamRecord(dependencies.documents, pageContext.team.team, svcIdIn(pageContext));
    const now = await fieldsUpTo(dependencies.store, svc_id);
    if (!now) throw new CommandRefused('not_found', 'There is no such record in your directory.');
    return { svcId: svc_id, ...now };
  };
  return {
    audience: 'team',
    right: 'review records',
    path: editPath(':svcId'),
    async get(pageContext) {
      const now = await current(pageContext);
      return editView(pageContext, now, valuesOf(now.fields));
    },
    async post(pageContext) {
      const now = await current(pageContext);
      const typed = valuesIn(pageContext.form);
      const change = changeOf(now.fields, typed);
      const problems = problemsOf(change, texts.problems);
      if (Object.keys(problems).length > 0) return editView(pageContext, now, typed, { problems });
      const seen = positionIn(pageContext.form.get('revision'));
      try {
        const command = {
          kind: 'revise',
          change,
          unchangedSince: seen,
          asTeam: pageContext.team.team,
        } as const;
        const outcome = await commandResource(dependencies, now.svcId, command, pageContext.onceContext());
        await untilShown(dependencies.documents, outcome);
        const done = outcome.events.length === 0 ? 'unchanged' : 'saved';
        return redirectDone(dashRecordPath(now.svcId), pageContext, done);
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        if (error.code !== 'conflict')
          return editView(pageContext, now, typed, { sentence: error.message, status: error.status });
        return meanwhile(dependencies.store, pageContext, await current(pageContext), typed, seen);
      }
    },
  };
}

const positionIn = (text: string | null): Position =>
  text !== null && /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;

/** Somebody else has saved meanwhile: what they changed, and ours where we typed. Nothing is saved. */
async function meanwhile(
  store: EventStore,
  pageContext: TeamPageContext,
  now: Current,
  typed: FormValues,
  seen: Position,
): Promise<View> {
  const theirs = valuesOf(now.fields);
  const before = await fieldsUpTo(store, now.svcId, seen);
  const opened = before ? valuesOf(before.fields) : theirs;
  // What we left as it was is as they have saved it.
  const ours = Object.fromEntries(
    formNames.map((name) => [name, typed[name] === opened[name] ? theirs[name] : typed[name]]),
  ) as FormValues;
  return editView(pageContext, now, ours, {
    above: changedMeanwhile(formDifferences(theirs, ours)),
    status: 409,
  });
}

/** What a record said, up to a position. Undefined where it said nothing yet. */
async function fieldsUpTo(
  store: EventStore,
  svcId: string,
  upTo?: Position,
): Promise<Pick<Current, 'fields' | 'position'> | undefined> {
  const history = await store.readStream(streamName(resourceStream, svcId));
  const read = upTo === undefined ? history : history.filter(({ position }) => position <= upTo);
  const told = read
    .map((recorded) => upcast(recorded) as ResourceEvent)
    .findLast((event) => event.type === 'ResourceRevised' || event.type === 'ResourceSubmitted');
  const newest = read.at(-1);
  return told && newest ? { fields: told.data.fields, position: newest.position } : undefined;
}

interface Refused {
  readonly problems?: Problems;
  readonly sentence?: string;
  readonly above?: Html;
  readonly status?: number;
}

function editView(
  { team, formToken }: TeamPageContext,
  { svcId, fields, position }: Current,
  values: FormValues,
  { problems, sentence, above, status = 422 }: Refused = {},
): View {
  const refused = problems ?? sentence ?? above;
  return {
    title: texts.editTitle(fields.name),
    ...(refused === undefined ? {} : { status }),
    content: html`${above ?? ''} ${when(sentence !== undefined, notice(sentence ?? '', 'wrong'))}
      ${when(problems !== undefined, notice(texts.wrong, 'wrong'))}
      <p class="lead">${texts.moreStays}</p>
      ${form({
        action: editPath(svcId),
        token: formToken,
        content: html`${hidden('team', team.team)}${hidden('revision', String(position))}
          ${recordFields(values, problems, { week: (fields.opening_hours ?? []).length > 0 })}
          <div class="choices">
            ${button(texts.save)}
            <a class="button secondary" href="${ofTeam(dashRecordPath(svcId), team.team)}">${texts.cancel}</a>
          </div>`,
      })}`,
  };
}

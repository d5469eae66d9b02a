import { wordsOfRecord } from '../../../actions/directory/upkeep/words.ts';
import type { OtherWords, Word } from '../../../commands/directory/upkeep/words.ts';
import type { ResourceFields } from '../../../events/directory/resource-fields.ts';
import type { ResourceDocument } from '../../../projections/directory/resources.ts';
import { sourceNameOf } from '../../../projections/directory/sources.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, form, hidden, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { TeamPageContext } from '../../pages/page-context.ts';
import { facts } from '../../pages/parts/facts.ts';
import { ofTeam } from '../../pages/paths.ts';
import { takeWordPath } from '../dash/dash-paths.ts';
import { fieldText } from '../dash/record/field-texts.ts';
import { en } from '../dash/texts.ts';

const { words: texts, fields: labels } = en;

type Names = ReadonlyMap<string, string>;

/**
 * What others said of the fields of a record than what stands: its source, the sources of its duplicates, or people before a
 * source counted. Nothing, where all say the same.
 */
export async function wordsSection(
  dependencies: Pick<PageDependencies, 'store' | 'documents'>,
  doc: Pick<ResourceDocument, 'svc_id' | 'team'>,
  pageContext: TeamPageContext,
): Promise<Html> {
  const { fields, words = [] } = (await wordsOfRecord(dependencies, doc.svc_id)) ?? {};
  if (!fields || words.length === 0) return html``;
  const voices = words.flatMap(({ stands, others }) => [...(stands ? [stands] : []), ...others]);
  const ids = [...new Set(voices.flatMap(({ source }) => source ?? []))];
  const names: Names = new Map(
    await Promise.all(
      ids.map(async (id) => [id, await sourceNameOf(dependencies.documents, doc.team, id)] as const),
    ),
  );
  return html`<section class="card" aria-labelledby="words">
    <h2 id="words">${texts.heading}</h2>
    <p class="quiet small">${texts.lead}</p>
    ${words.map((each) => fieldOf(each, { fields, names, svcId: doc.svc_id }, pageContext))}
  </section>`;
}

function fieldOf(
  { stands, others }: OtherWords,
  {
    fields,
    names,
    svcId,
  }: { readonly fields: ResourceFields; readonly names: Names; readonly svcId: string },
  { team, formToken }: TeamPageContext,
): Html {
  const all = others.map((other) => {
    const differing = other.fields.filter(
      (name) => JSON.stringify(other.values[name]) !== JSON.stringify(fields[name]),
    );
    return { other, differing };
  });
  const [{ differing: [first = 'name'] } = { differing: [] }] = all;
  const label = labels[first];
  const text = (names: readonly (keyof ResourceFields)[], of: Partial<ResourceFields>) =>
    names.map((name) => fieldText(name, of as ResourceFields) || texts.nothing).join('; ');
  return html`<div class="place">
    <h3>${label}</h3>
    ${facts([
      [
        stands ? voice(stands, names) : texts.here,
        text(all.flatMap(({ differing }) => differing).filter(isFirst), fields),
      ],
    ])}
    ${all.map(
      ({ other, differing }) =>
        html`${facts([[voice(other, names), text(differing, other.values)]])}
        ${form({
          action: ofTeam(takeWordPath(svcId), team.team),
          token: formToken,
          label: `${texts.take} ${label}`,
          content: html`${hidden('of', other.of)} ${hidden('revision', String(other.revision))}
          ${hidden('field', first)} ${button(texts.take, { weight: 'secondary', of: label })}`,
        })}`,
    )}
  </div>`;
}

const isFirst = <Each>(each: Each, place: number, all: readonly Each[]): boolean =>
  all.indexOf(each) === place;

/** Who said it, and when. */
const voice = ({ source, agency, at }: Word, names: Names): Html => {
  const people = agency ? texts.agency : texts.people;
  return html`${source === undefined ? people : (names.get(source) ?? source)}, ${time(at, 'day')}`;
};

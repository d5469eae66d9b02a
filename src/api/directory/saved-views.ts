import { removeView, saveView } from '../../actions/directory/views.ts';
import { viewsOf, type ViewDocument } from '../../projections/teams.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, postForm, type ActionForm, type Again, type InputField } from '../pages/action-form.ts';
import { button, form, hidden } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { Answer, TeamPageContext, View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { viewTexts } from './dash/table-texts.ts';

const texts = viewTexts;

const nameField: InputField = { name: 'name', label: texts.name, hint: texts.hint, maxlength: 60 };

type Form<Kind extends typeof saveView | typeof removeView> = Omit<
  ActionForm<Kind['input'], { readonly name: string; readonly query?: string }, TeamPageContext>,
  'path'
>;

type Shown = (dependencies: PageDependencies, pageContext: TeamPageContext, again: Again) => Promise<View>;

/** Saves or removes a view of the table. `view`: the page again, with what was wrong. */
export function postView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  view: Shown,
): Promise<Answer> {
  const saving: Form<typeof saveView> = {
    action: saveView,
    fields: () => [nameField],
    also: ({ form: typed }) => ({ query: typed.get('query') ?? '' }),
    view,
    done: (context, { query = '' }) =>
      redirectDone(paths.directory, context, 'saved', Object.fromEntries(new URLSearchParams(query))),
  };
  const removing: Form<typeof removeView> = {
    action: removeView,
    also: ({ form: typed }) => ({ name: typed.get('remove') ?? '' }),
    view,
    done: (context) => redirectDone(paths.directory, context, 'removed'),
  };
  return pageContext.form.has('remove')
    ? postForm(dependencies, pageContext, removing)
    : postForm(dependencies, pageContext, saving);
}

/** The views of the team as links, and what can be done with the one that is shown. `query`: of the table. */
export async function savedViews(
  { documents }: Pick<PageDependencies, 'documents'>,
  { team: { team }, formToken, form: typed, query: address }: TeamPageContext,
  query: string,
  { maySave, again }: { readonly maySave: boolean; readonly again: Again | undefined },
): Promise<Html> {
  const saved = await viewsOf(documents, team);
  // Of a view of what went, the table shows only what is left.
  const requested = partsOf(address);
  const here =
    saved.find((each) => requested !== '' && partsOf(new URLSearchParams(each.query)) === requested) ??
    saved.find((each) => each.query === query);
  if (saved.length === 0 && !maySave) return html``;
  const action = ofTeam(paths.directory, team);
  return html`<div class="views">
    ${saved.length === 0 ? '' : links(team, saved, here)}
    ${
      !maySave
        ? ''
        : here
          ? ask({
              label: texts.remove,
              of: here.name,
              sentence: texts.removeSentence,
              action,
              token: formToken,
              values: { team, remove: here.name },
              weight: 'secondary',
            })
          : html`<details class="more" ${again ? html`open` : ''}>
              <summary>${texts.save}</summary>
              ${form({
                action,
                token: formToken,
                label: texts.save,
                content: html`${hidden('team', team)}${hidden('query', typed.get('query') ?? query)}
                ${inputFields([nameField], typed, again?.problems ?? {})} ${button(texts.saveIt)}`,
              })}
            </details>`
    }
  </div>`;
}

/** What of an address is the query of a view, whatever its order. */
const partsOf = (address: URLSearchParams): string =>
  [...address]
    .filter(([name, value]) => value !== '' && !['team', 'page', 'done'].includes(name))
    .map((part) => part.join('='))
    .sort()
    .join('&');

const links = (team: string, saved: readonly ViewDocument[], here: ViewDocument | undefined): Html =>
  html`<nav aria-label="${texts.title}">
    <ul>
      ${saved.map(
        (each) =>
          html`<li>
            <a
              href="${ofTeam(paths.directory, team, Object.fromEntries(new URLSearchParams(each.query)))}"
              ${each === here ? html`aria-current="page"` : ''}
              ><bdi>${each.name}</bdi></a
            >
          </li>`,
      )}
    </ul>
  </nav>`;

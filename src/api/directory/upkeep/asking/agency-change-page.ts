import { suggestByLink } from '../../../../actions/directory/upkeep/agency-answers.ts';
import { openedLink, type OpenedLink } from '../../../../actions/directory/upkeep/agency-page.ts';
import type { SuggestedFields } from '../../../../commands/directory/upkeep/suggested-values.ts';
import { flatMembers } from '../../../../events/directory/flat-members.ts';
import { uuidOf } from '../../../../events/ids.ts';
import { CommandRefused } from '../../../../ground/refusals.ts';
import { hidden, notice, when } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { PublicContext, PublicPage, PublicView } from '../../../pages/frame/public-page.ts';
import type { PublicPageDependencies } from '../../../pages/frame/serve-public-page.ts';
import type { Texts } from '../../../pages/frame/texts.ts';
import { paths } from '../../../pages/paths.ts';
import { wordsOf } from '../../pages/hours-line.ts';
import { publicRecords } from '../../pages/record-page.ts';
import type { PublicRecord } from '../../pages/record-view.ts';
import { agencyForms, formNameOf, mayAnswer } from './agency-page.ts';
import { goneLinkView, linkedTo, privateView } from './agency-view.ts';

/** What a contact can write anew, in the order of the form. */
const names = ['name', 'phone', 'address', 'city', 'hours', 'url'] as const;
type Name = (typeof names)[number];
type Values = Readonly<Record<Name, string>>;

const longest: Values & Readonly<Record<'note', string>> = {
  name: '300',
  phone: '120',
  address: '500',
  city: '120',
  hours: '2000',
  url: '2000',
  note: '2000',
};
/** Fields of several lines. */
const isLong = (name: string): boolean => name === 'hours' || name === 'note';

/** What is shown to the public, as the form has it. */
function shownValues({ fields }: PublicRecord, texts: Texts): Values {
  return {
    name: fields.name,
    phone: flatMembers.phone.of(fields) ?? '',
    address: flatMembers.address.of(fields) ?? '',
    city: flatMembers.city.of(fields) ?? '',
    hours: wordsOf(fields, texts),
    url: fields.url ?? '',
  };
}

const tidy = (text: string): string => text.replace(/\r\n?/g, '\n').trim();

/** What differs from what is shown. Empty: it is to go. A record has a name in any case. */
function changesIn(form: URLSearchParams, shown: Values): SuggestedFields {
  const changed = names.flatMap((name) => {
    const value = tidy(form.get(name) ?? shown[name]);
    if (value === tidy(shown[name]) || (name === 'name' && value === '')) return [];
    return [[name, value === '' ? null : value]];
  });
  return Object.fromEntries(changed) as SuggestedFields;
}

/** The page on which a contact writes what has changed. It becomes a suggestion, which the team reviews. */
export const agencyChangePage = (dependencies: PublicPageDependencies): PublicPage => {
  const read = publicRecords(dependencies);
  const openForms = agencyForms(dependencies);

  const opening = async ({ query, form, now }: PublicContext) => {
    const link = form.get('link') ?? query.get('link') ?? '';
    const svcId = form.get('svc_id') ?? query.get('svc_id') ?? '';
    const opened = await openedLink(dependencies, 'answer', link, now);
    if (!opened?.svcIds.includes(svcId)) return undefined;
    const record = await read(svcId);
    return typeof record === 'object' && 'fields' in record ? { link, opened, record } : undefined;
  };

  const view = (
    {
      link,
      opened,
      record,
    }: { readonly link: string; readonly opened: OpenedLink; readonly record: PublicRecord },
    context: PublicContext,
    problem?: { readonly text: string; readonly status: number },
  ): PublicView => {
    const { agency } = context.texts;
    const { token, ...cookies } = openForms.open(opened.contact, context);
    const shown: Readonly<Record<string, string>> = { ...shownValues(record, context.texts), note: '' };
    const written = (name: string) => context.form.get(name) ?? shown[name] ?? '';
    return {
      title: agency.changeTitle,
      ...privateView,
      ...cookies,
      ...(problem && { status: problem.status }),
      content: html`${when(problem !== undefined, notice(problem?.text ?? '', 'wrong'))}
        <p class="lead">${agency.changeLead({ name: record.fields.name })}</p>
        <form method="post" action="${paths.agencyChange}" novalidate>
          ${hidden('token', token)} ${hidden('link', link)} ${hidden('svc_id', record.svcId)}
          ${[...names, 'note' as const].map((name) => control(name, labelOf(name, context.texts), written(name)))}
          <button type="submit" class="primary">${agency.send}</button>
        </form>
        <p><a href="${linkedTo(paths.agency, link)}">${agency.back}</a></p>`,
    };
  };

  return {
    path: paths.agencyChange,
    hasForm: true,
    async get(context) {
      const found = await opening(context);
      return found ? view(found, context) : goneLinkView(context);
    },
    async post(context) {
      const found = await opening(context);
      if (!found) return goneLinkView(context);
      const { link, opened, record } = found;
      const { texts, form, now, request } = context;
      const { problems, nothingChanged } = texts.agency;
      const refused = (text: string, status = 422) => view(found, context, { text, status });
      const name = formNameOf(openForms, opened, context);
      if (name === undefined) return refused(problems.expired);
      const fields = changesIn(form, shownValues(record, texts));
      const note = tidy(form.get('note') ?? '').slice(0, Number(longest.note));
      if (Object.keys(fields).length === 0 && note === '') return refused(nothingChanged);
      if (!(await mayAnswer(dependencies, opened.contact, request.ip))) return refused(problems.tooMany, 429);
      const { svcId } = record;
      const { team, ask, contact } = opened;
      try {
        await suggestByLink(
          dependencies,
          { contact, svcId, team, ask, fields, note },
          uuidOf('agency change', name),
          { at: now, correlationId: request.id },
        );
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        return refused(error.message);
      }
      return { to: `${linkedTo(paths.agency, link)}#${encodeURIComponent(svcId)}` };
    },
  };
};

function labelOf(name: Name | 'note', { agency }: Texts): string {
  const labels: Readonly<Record<Name | 'note', string>> = {
    name: agency.name,
    phone: agency.phone,
    address: agency.address,
    city: agency.city,
    hours: agency.hours,
    url: agency.website,
    note: agency.note,
  };
  return labels[name];
}

const control = (name: Name | 'note', label: string, value: string): Html =>
  html`<div class="field">
    <label for="${name}">${label}</label>
    ${
      isLong(name)
        ? html`<textarea id="${name}" name="${name}" rows="4" maxlength="${longest[name]}">
${value}</textarea>`
        : html`<input
            type="text"
            id="${name}"
            name="${name}"
            maxlength="${longest[name]}"
            value="${value}"
          />`
    }
  </div>`;

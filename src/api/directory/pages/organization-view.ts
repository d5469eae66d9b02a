import { organizationPath, briefAddress, recordPath, written } from './record-view.ts';
import type { ImpersonalOrganizationFields } from '../../../events/directory/organization-fields.ts';
import { mainLocation } from '../../../events/directory/flat-members.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Language } from '../../pages/frame/language.ts';
import type { PublicContext, PublicView } from '../../pages/frame/public-page.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { callButton, phoneList } from './phones.ts';
import { placeList } from './places.ts';
import { shortened } from './shortened.ts';
import { shownDate } from './shown-date.ts';
import { organizationData } from './structured-data.ts';

/** A public organization, as everybody sees it. */
export interface PublicOrganization {
  readonly orgId: string;
  readonly fields: ImpersonalOrganizationFields;
  readonly updatedAt: string;
  /** It was imported: the time of its last change here may be that of the import. */
  readonly fromSource: boolean;
  /** The organization of which it is a part. `orgId`: of its page. */
  readonly parent: { readonly name: string; readonly orgId?: string } | undefined;
  /** Which page of its services. */
  readonly page: number;
  /** So many services come on further pages. */
  readonly more: number;
  /** Its public services. */
  readonly services: readonly { readonly svcId: string; readonly fields: UnsealedFields }[];
}

/** All of a public organization: how to reach it first, then what it offers. */
export function organizationView(shown: PublicOrganization, context: PublicContext): PublicView {
  const { orgId, fields, updatedAt, fromSource, services } = shown;
  const { texts, base, language } = context;
  const permalink = base + organizationPath(orgId);
  return {
    title: fields.name,
    windowTitle: windowTitleOf(fields),
    description: shortened(fields.description ?? texts.organization.summary({ name: fields.name }), 155),
    canonical: organizationPath(orgId) + (shown.page === 1 ? '' : `?page=${shown.page}`),
    about: [...new Set(services.map((service) => service.fields.category))],
    head: organizationData(fields, permalink),
    content: html`${summary(shown, texts)} ${reach(fields, texts, language)}
    ${
      fields.description === undefined
        ? ''
        : html`<section aria-labelledby="about">
            <h2 id="about">${texts.record.about}</h2>
            ${written(fields.description, texts, language)}
          </section>`
    }
    ${serviceList(shown, context)}
    ${
      fromSource
        ? html`<p class="printed">${permalink}</p>`
        : html`<section class="page-end" aria-label="${texts.frame.more}">
            <p class="quiet">${texts.record.updated({ date: shownDate(updatedAt, texts) })}</p>
            <p class="printed">${permalink}</p>
          </section>`
    }`,
  };
}

function summary({ fields: { alternate_name }, parent }: PublicOrganization, texts: Texts): Html | '' {
  if (alternate_name === undefined && parent === undefined) return '';
  return html`<div class="summary">
    ${alternate_name === undefined ? '' : html`<p class="quiet">${texts.record.alsoKnownAs}: ${alternate_name}</p>`}
    ${parent === undefined ? '' : html`<p class="quiet">${partOf(parent, texts)}</p>`}
  </div>`;
}

function partOf(parent: NonNullable<PublicOrganization['parent']>, { organization }: Texts): Html | string {
  const text = organization.partOf({ organization: parent.name });
  return parent.orgId === undefined ? text : html`<a href="${organizationPath(parent.orgId)}">${text}</a>`;
}

function reach(fields: ImpersonalOrganizationFields, texts: Texts, language: Language): Html | '' {
  const { phones = [], locations = [], url, additional_urls = [] } = fields;
  const { record } = texts;
  const sites = [...(url === undefined ? [] : [url]), ...additional_urls];
  if (phones.length + locations.length + sites.length === 0) return '';
  return html`<section aria-labelledby="reach">
    <h2 id="reach">${record.reach}</h2>
    ${callButton(fields, record)} ${phoneList(phones, record, language)}
    ${sites.map(
      (site) =>
        html`<p>
          <span class="quiet">${record.website}:</span>
          <a href="${site}" rel="noreferrer nofollow">${briefAddress(site)}</a>
        </p>`,
    )}
    ${placeList(fields, texts, language)}
  </section>`;
}

/** Each with the kind of help, and where it is. */
function serviceList(
  { orgId, services, page, more }: PublicOrganization,
  { texts, language, query }: PublicContext,
): Html {
  const { organization, categories } = texts;
  const lang = query.has('lang') ? `&lang=${language}` : '';
  const sorted = services.toSorted((one, other) => one.fields.name.localeCompare(other.fields.name));
  return html`<section aria-labelledby="services">
    <h2 id="services">${organization.services}</h2>
    ${
      sorted.length === 0
        ? html`<p>${organization.noServices}</p>`
        : html`<ul class="points">
            ${sorted.map(({ svcId, fields }) => {
              const city = mainLocation(fields)?.city;
              return html`<li>
                <a href="${recordPath(svcId)}">${fields.name}</a>
                <span class="quiet"
                  >${categories[fields.category].label}${city === undefined ? '' : html`, ${city}`}</span
                >
              </li>`;
            })}
          </ul>`
    }
    ${
      more === 0
        ? ''
        : html`<p>
            <a href="${organizationPath(orgId)}?page=${String(page + 1)}${lang}" rel="next"
              >${organization.moreServices({ number: String(more) })}</a
            >
          </p>`
    }
  </section>`;
}

/** "Harbor Pantries, Miami", unless its name says so. */
function windowTitleOf({ name, locations }: ImpersonalOrganizationFields): string {
  const city = locations?.find((each) => each.city !== undefined)?.city;
  return city === undefined || name.toLowerCase().includes(city.toLowerCase()) ? name : `${name}, ${city}`;
}

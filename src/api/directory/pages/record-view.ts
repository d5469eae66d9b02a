import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { languageIn, languageName } from '../../../projections/directory/languages.ts';
import type { FollowedFrom } from '../../../projections/directory/upkeep/followings.ts';
import { when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Language } from '../../pages/frame/language.ts';
import { confirmedLine, staleWarning, type Freshness } from '../upkeep/confirmed-line.ts';
import { hoursLine, wordsOf } from './hours-line.ts';
import { openingLine } from './opening-line.ts';
import { viaParameter, type PublicContext, type PublicView } from '../../pages/frame/public-page.ts';
import { shareChoices } from './share.ts';
import { shortened } from './shortened.ts';
import { shownDate } from './shown-date.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { languageOfText } from './text-language.ts';
import { hoursSection } from './hours-table.ts';
import { callButton, phoneList } from './phones.ts';
import { placeList } from './places.ts';
import { structuredData } from './structured-data.ts';

/** The path of a record's page: the permalink. */
export const recordPath = (svcId: string): string => `/r/${svcId}`;

/** The same address, from a list of results. `via`: see `SearchCounting`. */
export const openedFrom = (svcId: string, via: string | undefined): string =>
  via === undefined ? recordPath(svcId) : `${recordPath(svcId)}?${viaParameter}=${via}`;
export const reportPath = (svcId: string): string => `${recordPath(svcId)}/report`;
export const claimPath = (svcId: string): string => `${recordPath(svcId)}/claim`;
export const suggestPath = (svcId: string): string => `${recordPath(svcId)}/suggest`;
/** The path of an organization's page. */
export const organizationPath = (orgId: string): string => `/o/${orgId}`;

/** A public record, as everybody sees it. */
export interface PublicRecord {
  readonly svcId: string;
  readonly fields: UnsealedFields;
  readonly freshness: Freshness;
  /** The id of its organization, where that has a public page. */
  readonly organization?: string | undefined;
  /** The followed directory that it came from. */
  readonly from?: FollowedFrom | undefined;
  /** The people of its organization keep it. */
  readonly kept?: boolean;
}

/** All of a public record: first whether it is open and how to reach it. */
export function recordView(
  { svcId, fields, freshness, organization, from, kept = false }: PublicRecord,
  context: PublicContext,
): PublicView {
  const { texts, now, base, language } = context;
  const { name, category, categories = [] } = fields;
  const permalink = base + recordPath(svcId);
  return {
    title: name,
    windowTitle: windowTitleOf(fields, texts),
    description: descriptionOf(fields, texts),
    canonical: recordPath(svcId),
    about: [category, ...categories],
    head: structuredData(fields, permalink),
    content: html`${staleWarning(freshness, fields, now, texts) ?? ''}
      ${recordContent(fields, now, texts, language, organization)}
      <section class="page-end" aria-label="${texts.frame.more}">
        <p class="quiet">${when(kept, html`${texts.claim.kept} `)}${confirmedLine(freshness, now, texts)}</p>
        ${
          from === undefined
            ? ''
            : html`<p class="quiet">
                ${texts.record.readFrom({ directory: from.directory, date: shownDate(from.read_at, texts) })}
              </p>`
        }
        <p class="choices unprinted">
          <button type="button" class="print" hidden>${texts.record.print}</button>
          <a class="button" href="${suggestPath(svcId)}" rel="nofollow">${texts.suggest.title}</a>
          <a class="button" href="${reportPath(svcId)}" rel="nofollow">${texts.record.reportMistake}</a>
          <a class="button" href="${claimPath(svcId)}" rel="nofollow">${texts.claim.ask}</a>
        </p>
        ${shareChoices(fields, permalink, texts)}
        <p class="printed">${permalink}</p>
      </section>`,
  };
}

/**
 * What a record says, as people see it: for its own page, and for those who decide about it. `orgId`: its organization,
 * where that has a public page.
 */
export const recordContent = (
  fields: UnsealedFields,
  now: Date,
  texts: Texts,
  language: Language,
  orgId?: string,
): Html =>
  html`${summary(fields, now, texts, orgId)} ${reach(fields, texts, language)}
  ${hoursSection(fields, now, texts)} ${details(fields, texts, language)}`;

/** Who offers it, what kind of help it is, and whether it is open. */
function summary(fields: UnsealedFields, now: Date, texts: Texts, orgId: string | undefined): Html {
  const { organization, category, categories = [], alternate_name, alert, name, free } = fields;
  const { record } = texts;
  return html`<div class="summary">
    ${
      organization === undefined || (organization.name === name && orgId === undefined)
        ? ''
        : html`<p class="quiet">${offeredBy(organization.name, orgId, texts)}</p>`
    }
    ${alternate_name === undefined ? '' : html`<p class="quiet">${record.alsoKnownAs}: ${alternate_name}</p>`}
    <p>
      ${[category, ...categories].map((each) => html`<span class="badge">${texts.categories[each].label}</span> `)}
      ${free === true ? html`<span class="badge good">${record.free}</span>` : ''}
    </p>
    ${status(fields, now, texts)}
    ${
      alert === undefined
        ? ''
        : html`<div class="notice wrong">
            <h2>${record.alert}</h2>
            <p class="written">${alert}</p>
          </div>`
    }
  </div>`;
}

function offeredBy(organization: string, orgId: string | undefined, { record }: Texts): Html | string {
  const text = record.offeredBy({ organization });
  return orgId === undefined ? text : html`<a href="${organizationPath(orgId)}">${text}</a>`;
}

/** Whether it is open. Hours that are only written out, in these words, as far as they are short. */
function status(fields: UnsealedFields, now: Date, texts: Texts): Html | '' {
  const { state } = openingLine(fields, now, texts.opening);
  const isLong = state === 'unknown' && wordsOf(fields, texts).length > shortHours;
  return isLong
    ? html`<p><a href="#hours">${texts.record.hours}</a></p>`
    : hoursLine(fields, now, texts, shortHours);
}

/** The most characters of hours at the top of the page. */
const shortHours = 120;

function reach(fields: UnsealedFields, texts: Texts, language: Language): Html {
  const { phones = [], locations = [], url, organization } = fields;
  const { record } = texts;
  const site = url ?? organization?.url;
  return html`<section aria-labelledby="reach">
    <h2 id="reach">${record.reach}</h2>
    ${callButton(fields, record)} ${phoneList(phones, record, language)}
    ${
      site === undefined
        ? ''
        : html`<p>
            <span class="quiet">${record.website}:</span>
            <a href="${site}" rel="noreferrer nofollow">${briefAddress(site)}</a>
          </p>`
    }
    ${locations.length === 0 ? '' : placeList(fields, texts, language)}
  </section>`;
}

const agesOf = (
  { minimum, maximum }: NonNullable<UnsealedFields['ages']>,
  record: Texts['record'],
): string => {
  if (minimum === undefined) return record.agesUpTo({ maximum: maximum ?? '' });
  return maximum === undefined ? record.agesFrom({ minimum }) : record.agesBetween({ minimum, maximum });
};

/** What somebody wants to know before they go. */
function details(fields: UnsealedFields, texts: Texts, language: Language): Html {
  const { record } = texts;
  const { description, eligibility, ages, cost, free, how_to_apply, documents, languages, service_area } =
    fields;
  const facts: readonly (readonly [string, Html | string | undefined])[] = [
    [record.about, description && written(description, texts, language)],
    [record.eligibility, both(ages && agesOf(ages, record), eligibility)],
    [record.cost, both(free === true ? record.free : undefined, cost)],
    [record.howToApply, how_to_apply],
    [record.documents, documents && listed(documents)],
    [record.languages, languages?.map((each) => languageIn(each, language)).join(', ')],
    [record.serviceArea, service_area?.join(', ')],
  ];
  return html`${facts.map(([label, value]) =>
    value === undefined || value === ''
      ? ''
      : html`<section>
          <h2>${label}</h2>
          ${typeof value === 'string' ? html`<p class="written">${value}</p>` : value}
        </section>`,
  )}`;
}

/** Words of the record, which says where they are in another language than the page. */
export function written(text: string, { record }: Texts, language: Language): Html {
  const own = languageOfText(text);
  if (own === undefined || own === language) return html`<p class="written">${text}</p>`;
  return html`<p class="quiet">${record.writtenIn({ language: languageName(own, language) })}</p>
    <p class="written" lang="${own}">${text}</p>`;
}

const both = (first: string | undefined, second: string | undefined): string | undefined =>
  first === undefined ? second : second === undefined || second === first ? first : `${first}\n${second}`;

const listed = (lines: readonly string[]): Html =>
  html`<ul class="bullets">
    ${lines.map((line) => html`<li>${line}</li>`)}
  </ul>`;

/** A web address as people read it. */
export function briefAddress(address: string): string {
  const { host, pathname } = new URL(address);
  const path = pathname === '/' ? '' : pathname;
  return (host.replace(/^www\./, '') + path).slice(0, 80);
}

/** "Corner Pantry, Miami: Food": what it is and where, unless its name says so. */
function windowTitleOf({ name, category, locations }: UnsealedFields, texts: Texts): string {
  const says = (word: string): boolean => name.toLowerCase().includes(word.toLowerCase());
  const city = locations?.find((each) => each.city !== undefined)?.city;
  const { label } = texts.categories[category];
  return `${name}${city === undefined || says(city) ? '' : `, ${city}`}${says(label) ? '' : `: ${label}`}`;
}

/** For search engines: at most two lines. */
function descriptionOf({ description, category, locations }: UnsealedFields, texts: Texts): string {
  const { label, about } = texts.categories[category];
  const city = locations?.find((each) => each.city !== undefined)?.city;
  const start = `${label}${city === undefined ? '' : `, ${city}`}: `;
  return start + shortened(description ?? about, 155 - start.length);
}

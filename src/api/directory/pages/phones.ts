import { callablePhone } from '../../../events/directory/flat-members.ts';
import { isVoice, type Phone } from '../../../events/directory/contact.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { languageIn } from '../../../projections/directory/languages.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Language } from '../../pages/frame/language.ts';
import { phoneLink } from '../../pages/frame/phone-links.ts';
import type { Texts } from '../../pages/frame/texts.ts';

/** The number to call, as a button. */
export function callButton(
  fields: Pick<UnsealedFields, 'locations' | 'phones'>,
  texts: Texts['record'],
): Html | '' {
  const phone = callablePhone(fields)?.phone;
  const link = phone && phoneLink(phone);
  if (phone === undefined || link === undefined) return '';
  return html`<a class="button primary" href="${link}">${texts.call({ number: written(phone, texts) })}</a>`;
}

/** Phones, those for voice first, each with what is known of it. */
export function phoneList(phones: readonly Phone[], texts: Texts['record'], page: Language): Html | '' {
  if (phones.length === 0) return '';
  const sorted = [...phones.filter(isVoice), ...phones.filter((each) => !isVoice(each))];
  return html`<ul class="points">
    ${sorted.map((phone) => html`<li>${shown(phone, texts, page)}</li>`)}
  </ul>`;
}

function shown(phone: Phone, texts: Texts['record'], page: Language): Html {
  const { type = 'voice', note, languages = [] } = phone;
  const link = phoneLink(phone);
  const number = written(phone, texts);
  return html`${type === 'voice' ? '' : html`${texts.phoneTypes[type]}: `}${
    link === undefined ? number : html`<a href="${link}">${number}</a>`
  }${note === undefined ? '' : html` <span class="quiet">${note}</span>`}${
    languages.length === 0
      ? ''
      : html` <span class="quiet"
          >${texts.spoken({ languages: languages.map((each) => languageIn(each, page)).join(', ') })}</span
        >`
  }`;
}

const written = ({ number, extension }: Phone, texts: Texts['record']): string =>
  extension === undefined ? number : `${number}, ${texts.extension({ extension })}`;

import { callablePhone, mainLocation } from '../../../events/directory/flat-members.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Texts } from '../../pages/frame/texts.ts';
import { addressLines } from './places.ts';

/**
 * Ways to pass a record on: by text message, by email, and as a link. With JavaScript also a button that copies the
 * link, and the apps of the device. What is passed on says where it is and whom to call, for phones without the
 * internet.
 */
export function shareChoices(fields: UnsealedFields, permalink: string, { record }: Texts): Html {
  const lines = [fields.name, addressOf(fields), callablePhone(fields)?.phone.number, permalink];
  const message = encodeURIComponent(lines.filter((line) => line !== undefined && line !== '').join('\n'));
  const subject = encodeURIComponent(fields.name);
  return html`<details class="share unprinted">
    <summary>${record.share}</summary>
    <p class="choices">
      <button type="button" class="share-apps" data-link="${permalink}" hidden>${record.shareBy.apps}</button>
      <a class="button" href="sms:?&amp;body=${message}">${record.shareBy.text}</a>
      <a class="button" href="mailto:?subject=${subject}&amp;body=${message}">${record.shareBy.email}</a>
      <button
        type="button"
        class="copy-link"
        data-link="${permalink}"
        data-done="${record.shareBy.copied}"
        hidden
      >
        ${record.shareBy.copy}
      </button>
    </p>
    <p><a href="${permalink}">${permalink}</a></p>
  </details>`;
}

/** What the public may know of where it is. */
function addressOf(fields: UnsealedFields): string | undefined {
  const place = mainLocation(fields);
  return place && addressLines(place).join(', ');
}

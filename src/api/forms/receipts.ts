import { emailFieldOf } from '../../events/forms/definition.ts';
import type { Config } from '../../config.ts';
import type { Answers } from '../../events/forms/answers.ts';
import { normalAddress, writtenAddress } from '../../events/accounts/email-address.ts';
import type { MasterKey } from '../../ground/master-key.ts';
import type { Networks } from '../../ground/network.ts';
import { Outbox } from '../../mail/outbox.ts';
import type { FormDocument } from '../../projections/forms.ts';
import type { Limits } from '../../stores/limits/port.ts';
import type { SideStore } from '../../stores/side/port.ts';
import type { Texts } from '../pages/frame/texts.ts';
import { TeamTexts } from './field-controls.ts';
import type { FormContext } from './form-view.ts';
import type { FormInput } from './form-input.ts';

export interface ReceiptParts {
  readonly config: Pick<Config, 'smtpUrl'>;
  readonly side: SideStore;
  readonly masterKey: MasterKey;
  readonly limits: Limits;
  /** The name of the team with this slug. */
  readonly nameOf: (team: string) => Promise<string>;
}

/** A receipt that the sender wants, in the language in which they have read the form. */
export interface WantedReceipt {
  readonly texts: Texts;
  readonly language: string;
}

/** How long a receipt waits for the mail server, in milliseconds. */
const lifeMs = 86_400_000;

/** Whether senders may ask for a receipt: an admin has allowed it, and the form asks for an address. */
export const offersReceipt = ({ mails, definition }: FormDocument): boolean =>
  mails?.receipts === true && emailFieldOf(definition) !== undefined;

export const wantedReceipt = (
  { receipt }: FormInput,
  { texts, language }: FormContext,
): WantedReceipt | undefined => (receipt ? { texts, language } : undefined);

/**
 * Receipts of what somebody has sent. Nobody has proved the address, so a receipt must be of no use to whoever types the
 * address of somebody else: it repeats nothing that was typed, and one address gets a few in a day.
 */
export class FormReceipts {
  readonly #parts: ReceiptParts;
  readonly #outbox: Outbox;

  constructor(parts: ReceiptParts) {
    this.#parts = parts;
    this.#outbox = new Outbox(parts);
  }

  async send(
    form: FormDocument,
    answers: Answers,
    [network]: Networks,
    { submission, at }: { readonly submission: string; readonly at: Date },
    { texts, language }: WantedReceipt,
  ): Promise<void> {
    const { config, limits, nameOf } = this.#parts;
    if (config.smtpUrl === undefined || !offersReceipt(form)) return;
    const address = answers[emailFieldOf(form.definition)?.key ?? ''];
    if (typeof address !== 'string') return;
    const { seconds } = await limits.take(
      ['receipt-address', normalAddress(address) ?? address],
      ['receipt-network', network],
    );
    if (seconds > 0) return;
    const { languages, title } = form.definition;
    const names = {
      form: new TeamTexts(languages, [language], language).plain(title),
      team: await nameOf(form.team),
      number: submission,
    };
    await this.#outbox.putOnce(
      {
        to: writtenAddress(address),
        subject: texts.form.receiptMail.subject({ form: names.form }),
        text: texts.form.receiptMail.text(names),
      },
      {
        key: `form-receipt-${names.number}`,
        at,
        until: new Date(at.getTime() + lifeMs),
      },
    );
  }
}

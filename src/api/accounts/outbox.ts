import { breakable } from '../pages/parts/breakable.ts';
import { recordOutboxView } from '../../actions/audit-readings.ts';
import { removeVoidMails } from '../../actions/accounts/void-mails.ts';
import { showInvitationMails } from '../../actions/teams/invitation-mails.ts';
import type { UnreadableMail, WaitingMail } from '../../mail/outbox.ts';
import { StoreError } from '../../stores/errors.ts';
import { html, type Html } from '../pages/html.ts';
import { notice, time, when } from '../pages/controls.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { paths } from '../pages/paths.ts';
import type { Page, View } from '../pages/page-context.ts';

/** Emails that cannot be opened are named by their times, so many. */
const namedAtMost = 20;

/**
 * Emails that have not been sent yet. For administrators only: the links in them are as powerful as a password. Each
 * view is an event, and nothing is shown without it.
 */
export function outbox(dependencies: PageDependencies): Page {
  return {
    audience: 'administrators',
    path: paths.outbox,
    recordsViews: true,
    async get(pageContext) {
      await removeVoidMails(dependencies);
      const mails = await dependencies.outbox.newest();
      const { unreadable } = await dependencies.outbox.read();
      try {
        await recordOutboxView(dependencies, mails.length, pageContext.context());
        await showInvitationMails(dependencies, mails, () => pageContext.context());
      } catch (error) {
        if (error instanceof StoreError) return notRecordedView();
        throw error;
      }
      const hint =
        dependencies.config.smtpUrl === undefined
          ? html`No mail server is set (<code>SMTP_URL</code>), so emails wait here. Pass each one on to the
            person it is addressed to, and to nobody else. The link of an invitation that was opened here no
            longer confirms an address.`
          : html`These emails are waiting for the mail server.`;
      return {
        title: 'Outbox',
        content: html`<p class="lead">${hint}</p>
          ${unreadable.length === 0 ? '' : notice(unreadableSentence(unreadable), 'wrong')}
          ${
            mails.length === 0
              ? html`<p class="card quiet empty">No email is waiting.</p>`
              : html`<ul class="sites">
                  ${mails.map(entry)}
                </ul>`
          }`,
      };
    },
  };
}

/** Names them by their times: nothing else of them can be read. */
const unreadableSentence = (unreadable: readonly UnreadableMail[]): Html =>
  html`${unreadable.length === 1 ? 'One email' : `${unreadable.length} emails`} cannot be opened and will not
    be sent: sealed under another master key, or changed. Written
    ${unreadable.slice(-namedAtMost).map(({ written_at }, place) => html`${place > 0 ? ', ' : ''}${time(written_at, 'minute')}`)}.
    Set <code>MASTER_KEY_PREVIOUS</code> to that key, or have the emails written again. The others are sent.`;

const notRecordedView = (): View => ({
  title: 'Outbox',
  status: 503,
  headers: { 'retry-after': '5' },
  content: html`<p class="lead">
      We record who opens the outbox. That failed just now, so no email is shown.
    </p>
    <p>Try again in a moment. If this goes on, the event store cannot be reached or is full.</p>`,
});

const entry = ({ to, subject, text, written_at, not_before }: WaitingMail): Html =>
  html`<li class="card mail">
    <h2>${subject}</h2>
    <p class="quiet">
      to <strong>${breakable(to)}</strong> ·
      ${time(written_at, 'minute')}${when(
        not_before !== undefined,
        html` · not before ${time(not_before ?? 0, 'minute')}`,
      )}
    </p>
    <details>
      <summary>Read it</summary>
      <div class="letter">${linked(text)}</div>
    </details>
  </li>`;

/** The text of an email with its addresses as links. */
const linked = (text: string): Html[] =>
  text
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`));

import { dismissFirstSteps, firstSteps, type FirstStep } from '../actions/teams/first-steps.ts';
import { newRecordPath } from './directory/dash/dash-paths.ts';
import { importsPath } from './directory/dash/import/import-paths.ts';
import { teamForm } from './pages/action-form.ts';
import { button, form } from './pages/controls.ts';
import { html, type Html } from './pages/html.ts';
import { redirectTo } from './pages/page-context.ts';
import { ofTeam, paths } from './pages/paths.ts';

const dismissPath = `${paths.home}/first-steps/dismiss`;

/** Closes the list of first steps. */
export const dismissStart = teamForm({
  path: dismissPath,
  action: dismissFirstSteps,
  done: ({ team }) => redirectTo(ofTeam(paths.home, team.team)),
});

/** The first steps of a team. Each ticks itself from what there is; the list leaves when all are done, or it is closed. */
export function firstStepsSection(
  steps: ReadonlyMap<FirstStep, boolean>,
  { team, token }: { readonly team: string; readonly token: string },
): Html {
  return html`<section class="card" aria-labelledby="first-steps">
    <h2 id="first-steps">${texts.title}</h2>
    <ol class="items steps">
      ${firstSteps
        .filter((step) => steps.has(step))
        .map((step) => {
          const isDone = steps.get(step) === true;
          return html`<li class="${isDone ? 'done' : 'open'}">
            <span class="tick" aria-hidden="true">${isDone ? '✓' : ''}</span>
            <div>
              <strong>${texts.steps[step].title}</strong
              ><span class="unseen">${isDone ? texts.done : texts.open}</span>
              ${isDone ? '' : html`<p class="quiet small">${texts.steps[step].hint}</p>`}
            </div>
            ${isDone ? '' : waysOf[step](team).map(({ to, label }) => html`<a href="${to}">${label}</a>`)}
          </li>`;
        })}
    </ol>
    ${form({
      action: ofTeam(dismissPath, team),
      token,
      inline: true,
      label: texts.dismiss,
      content: button(texts.dismiss, { weight: 'secondary' }),
    })}
  </section>`;
}

interface Way {
  readonly to: string;
  readonly label: string;
}

const texts = {
  title: 'First steps',
  done: ': done',
  open: ': not done yet',
  dismiss: 'Close this list',
  steps: {
    record: {
      title: 'Fill the directory',
      hint: 'Import records from a file, or write the first one.',
    },
    invite: { title: 'Invite somebody', hint: 'Somebody who reviews records with you, or writes them.' },
    show: {
      title: 'Show it on your page',
      hint: 'Make a widget and paste it into your own website.',
    },
    backup: {
      title: 'Back it up',
      hint: 'Take a first backup with “commonweal backup”, or have one taken every day.',
    },
  },
} as const;

const waysOf: Readonly<Record<FirstStep, (team: string) => readonly Way[]>> = {
  record: (team) => [
    { to: ofTeam(importsPath, team), label: 'Import records' },
    { to: ofTeam(newRecordPath, team), label: 'Write a record' },
  ],
  invite: (team) => [{ to: ofTeam(paths.team, team), label: 'Invite somebody' }],
  show: () => [{ to: paths.widget, label: 'Make a widget' }],
  backup: () => [{ to: paths.operations, label: 'See backups' }],
};

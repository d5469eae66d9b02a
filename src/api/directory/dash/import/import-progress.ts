import { isUnderWay, type ImportState } from '../../../../imports/import-state.ts';
import type { JobState } from '../../../../imports/team-jobs.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { Page } from '../../../pages/page-context.ts';
import { busy, progressBar } from '../../../pages/parts/progress.ts';
import { importOf } from './addressed-import.ts';
import { importProgressPath } from './import-paths.ts';
import { en } from './import-texts.ts';

/** How far an import is, for the part of its page that follows it. */
export function importProgressPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'import records',
    path: importProgressPath(':import'),
    async get(pageContext) {
      const state = await importOf(dependencies, pageContext);
      if (!state) return { fragment: html`` };
      if (isUnderWay(state)) return { fragment: progressOf(state, dependencies.now()) };
      const undone = await dependencies.imports.undos.get(state.team, state.id);
      return { fragment: undone ? jobProgress(undone, dependencies.now()) : html`` };
    },
  };
}

export function progressOf({ phase, done, total, began_at }: ImportState, now: Date): Html {
  const seconds = Math.max(0.001, (now.getTime() - Date.parse(began_at)) / 1_000);
  const rate = done / seconds;
  const left = done === 0 ? undefined : Math.ceil((total - done) / rate);
  const sentence =
    phase === 'receiving'
      ? en.receiving
      : total === 0
        ? en.reading
        : done >= total
          ? en.finishing
          : en.progress(done, total, Math.round(rate), left);
  const share = total === 0 ? undefined : done / total;
  // A screen reader is told every tenth.
  const announced = share === undefined || done >= total ? sentence : en.tenth(Math.floor(share * 10));
  return busy({ announced, content: progressBar({ label: en.titles[phase], share, sentence }) });
}

/** How far an undoing is, or another job on records. About how many there are is known. */
export function jobProgress(
  { done, total, began_at }: JobState,
  now: Date,
  label: string = en.undo.running,
): Html {
  const seconds = Math.max(0.001, (now.getTime() - Date.parse(began_at)) / 1_000);
  const share = total === 0 ? undefined : Math.min(0.99, done / total);
  const sentence = done === 0 ? label : en.undo.progress(done, Math.round(done / seconds));
  const announced = share === undefined ? label : en.tenth(Math.floor(share * 10));
  return busy({ announced, content: progressBar({ label, share, sentence }) });
}

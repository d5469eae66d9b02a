import { requireTeam } from '../commands/teams/team.ts';
import { slug } from '../events/define.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { option } from './options.ts';

/**
 * The team that `--team` names. Undefined when the option is left out. An unknown team is told as such, and is no empty
 * list.
 * @throws UsageError, CommandRefused not_found
 */
export async function namedTeam<Text extends string | undefined>(
  { store }: { readonly store: EventStore },
  text: Text,
): Promise<Text> {
  if (text !== undefined) await requireTeam(store, option('--team', slug, text));
  return text;
}

import type { EventType } from '../../events/catalogue.ts';
import type { Names } from './names.ts';
import { ofDirectory, ofFormsAndPayments } from './of-directory.ts';
import { ofOperations, ofWebhooks } from './of-operations.ts';
import { ofAccounts, ofTeams } from './of-people.ts';
import { ofKeys, ofSignIn } from './of-sign-in.ts';
import { sentence, Speaker, type DescribedEvent } from './speaker.ts';

/** How each event is said. Every type of the catalogue has its sentence. */
const sentences = {
  ...ofAccounts,
  ...ofTeams,
  ...ofSignIn,
  ...ofKeys,
  ...ofDirectory,
  ...ofFormsAndPayments,
  ...ofWebhooks,
  ...ofOperations,
} satisfies Readonly<Record<EventType, unknown>>;

/** Who did it, as its sentence says: a person, a site, a key, an operator or the service. */
export const actorText = (event: DescribedEvent, names: Names): string => {
  const text = new Speaker(event, names).actor;
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/**
 * An event in one plain sentence: "A reviewer of Harbor Network approved Corner Pantry." It is one line, whatever the
 * names in it are. Whom the reader may not see is "a person".
 */
export function sentenceOf(event: DescribedEvent, names: Names): string {
  const say = sentences[event.type] as (event: DescribedEvent, say: Speaker) => string;
  return sentence(say(event, new Speaker(event, names)));
}

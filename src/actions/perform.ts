import type { z } from 'zod';
import { CommandRefused } from '../ground/refusals.ts';
import { isTeamClosed, teamIsClosed } from '../commands/teams/team.ts';
import { hasRight } from '../events/teams-rights.ts';
import type { CommandContext } from '../events/metadata.ts';
import { untilShown, type Change } from '../projections/until-shown.ts';
import type { Action, ActionParts, Allowed, Performing, Who } from './action.ts';

/** What somebody asks for. */
export interface ActionRequest extends Partial<Pick<Performing, 'watched' | 'inTime'>> {
  readonly who: Who;
  /** As it was sent. */
  readonly input: unknown;
  /** Asks for more than an open browser, once the input is understood. Answers what is wrong with the proof. */
  readonly prove?: () => Promise<string | undefined>;
  /** Makes the context of a command, of one after the other. Not called for a request that is invalid. */
  readonly context: () => CommandContext;
  /** Default: `untilShown`. */
  readonly untilShown?: (changes: Change | readonly Change[]) => Promise<void>;
}

/** What became of it. */
export type Performed<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  /** The rules refuse it. Nothing was appended. `field`: of the input. */
  | { readonly kind: 'refused'; readonly refusal: CommandRefused; readonly field?: string | undefined }
  /** It was not understood. A sentence for each field of the input that is wrong. */
  | { readonly kind: 'invalid'; readonly fields: Readonly<Record<string, string>> };

/** Where what is wrong with a proof stands. */
export const proofField = 'password';

/** Performs an action: checks right, scope, input and proof, runs it, and waits until the read models show it. */
export async function perform<
  Input extends z.ZodObject,
  Value,
  Parts extends Pick<ActionParts, 'documents' | 'store'>,
>(action: Action<Input, Value, Parts>, parts: Parts, request: ActionRequest): Promise<Performed<Value>> {
  if (!isAllowed(action, request.who))
    return { kind: 'refused', refusal: new CommandRefused('forbidden', 'You may not do this.') };
  const input = action.input.safeParse(request.input);
  if (!input.success) return { kind: 'invalid', fields: sentencesOf(input.error) };
  if (await isInClosedTeam(action, parts, request.who))
    return { kind: 'refused', refusal: teamIsClosed(request.who.team ?? '') };
  const unproven = await request.prove?.();
  if (unproven !== undefined) return { kind: 'invalid', fields: { [proofField]: unproven } };
  const shown = request.untilShown ?? ((changes) => untilShown(parts.documents, changes));
  try {
    const { who, context, watched = unwatched, inTime = inItsTime } = request;
    const by = { who, context: context(), another: context, untilShown: shown, watched, inTime };
    const { changes, value } = await action.run(parts, input.data, by);
    await shown(changes);
    return { kind: 'done', value: await value() };
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    return { kind: 'refused', refusal: error, field: action.wrongField?.[error.code] };
  }
}

/** Decided from the stream. The keys of a closed team are refused before they can do anything. */
const isInClosedTeam = async (
  { whenClosed }: Allowed,
  { store }: Pick<ActionParts, 'store'>,
  { kind, team }: Who,
): Promise<boolean> =>
  whenClosed !== true && kind !== 'key' && team !== undefined && (await isTeamClosed(store, team));

const unwatched: Performing['watched'] = ({ work }) =>
  work({ onProgress: () => undefined, signal: new AbortController().signal });

const inItsTime: Performing['inTime'] = (working) => working;

/** For surfaces that answer a refusal with the error that it is. @throws CommandRefused */
export function valueOf<Value>(performed: Performed<Value>): Value {
  if (performed.kind === 'done') return performed.value;
  if (performed.kind === 'refused') throw performed.refusal;
  const [field, sentence] = Object.entries(performed.fields)[0] ?? [];
  throw new CommandRefused('invalid', `${field ?? 'input'}: ${sentence ?? 'is not valid'}`);
}

/** Somebody else has changed the same thing meanwhile, or it is there already. */
export const isConflict = (performed: Performed<unknown>): boolean =>
  performed.kind === 'refused' && performed.refusal.code === 'conflict';

/** Whether somebody may do something. A role and scopes are as the surface has just read them. */
export function isAllowed({ right, scope }: Allowed, who: Who): boolean {
  switch (who.kind) {
    case 'operator':
      return true;
    case 'key':
      return scope !== undefined && who.scopes.has(scope);
    case 'person':
      if (right === undefined || right === 'visitor' || who.administrator) return true;
      return right !== 'administrator' && hasRight(who.role, right);
    case 'visitor':
      return right === 'visitor';
  }
}

/** The first sentence for each field. */
function sentencesOf({ issues }: z.ZodError): Record<string, string> {
  const sentences: Record<string, string> = {};
  for (const { path, message } of issues) sentences[String(path[0] ?? '')] ??= message;
  return sentences;
}

import type { z } from 'zod';
import type { Action, Visitor, Who } from '../../actions/action.ts';
import { perform, proofField, type ActionRequest, type Performed } from '../../actions/perform.ts';
import { TooManyRequests, type CommandRefused } from '../../ground/refusals.ts';
import type { Right } from '../../events/teams-rights.ts';
import { defined } from '../../ground/defined.ts';
import { networksOf } from '../../ground/network.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { withinReason } from '../http/responses/within-reason.ts';
import { field, type Field, type Problems } from './controls.ts';
import { html, type Html } from './html.ts';
import type {
  Answer,
  CurrentTeam,
  Page,
  PageContext,
  SignedInPageContext,
  TeamPageContext,
  View,
} from './page-context.ts';
import { checkboxGroup, selectField, type Option } from './parts/choices.ts';

/** A field of the form of an action: how it looks, and how what was typed is read. */
export interface InputField extends Field {
  /** The field of the input. Default: its name. */
  readonly input?: string;
  /** Chosen from these. */
  readonly options?: readonly Option[];
  /** Any number of the options, by boxes to tick. Those that are ticked at first. */
  readonly ticked?: readonly string[];
  /**
   * From the typed text, without spaces around it, to the value of the input. `all`: of every field of this name. Default:
   * the text, or undefined for none; of boxes all.
   */
  readonly read?: (typed: string, all: readonly string[]) => unknown;
  /** What is said of a value that the input does not allow. Default: the sentence of its schema. */
  readonly wrong?: string;
}

/** Returned by `read` for a text that means nothing. */
export class Wrong {
  readonly sentence: string;

  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

/** What is wrong with a proof, and with which status that is answered. */
export interface Unproven {
  readonly problem: string;
  readonly status: number;
}

/** Why a form is shown again. */
export interface Again {
  /** By the name of the field in the form. */
  readonly problems: Problems;
  /** A refusal that is about no field. */
  readonly refused?: CommandRefused | undefined;
}

const first: Again = { problems: {} };

/** A page for everybody. `about`: what it is about, such as a link from an email. */
export interface VisitorPageContext<About> extends PageContext {
  readonly visitor: Visitor;
  readonly about: About;
}

type AnyPageContext = SignedInPageContext | VisitorPageContext<unknown>;

type Also = Readonly<Record<string, unknown>>;

/** A form that performs an action. */
export interface ActionForm<Input extends z.ZodObject, Value, Context extends AnyPageContext> {
  readonly path: string;
  readonly action: Action<Input, Value, PageDependencies>;
  /** Seeing the page is an event. */
  readonly recordsViews?: true;
  /** It ends a session, which is always possible. */
  readonly endsSessions?: true;
  /** It is shown of a closed team, too. */
  readonly whenClosed?: true;
  /** `first`: nothing is wrong yet, for a view that is shown again. */
  readonly get?: (
    dependencies: PageDependencies,
    pageContext: Context,
    first: Again,
  ) => Promise<Answer> | Answer;
  readonly fields?: (
    dependencies: PageDependencies,
    pageContext: Context,
  ) => Promise<readonly InputField[]> | readonly InputField[];
  /** Input that is in no field. An `:id` of the address is the field `id` of the input by itself. */
  readonly also?: (pageContext: Context, dependencies: PageDependencies) => Also | Promise<Also>;
  /** What is wrong with the password that the form asks for. It stands at the field `password`. */
  readonly prove?: (dependencies: PageDependencies, pageContext: Context) => Promise<Unproven | undefined>;
  /**
   * The page again, with what was typed. A page that is gone has a status of its own. Default, for what can hardly be
   * refused: the page of errors.
   */
  readonly view?: (
    dependencies: PageDependencies,
    pageContext: Context,
    again: Again,
  ) => Promise<View> | View;
  readonly done: (
    pageContext: Context,
    value: Value,
    dependencies: PageDependencies,
  ) => Promise<Answer> | Answer;
}

/** A page of a team without a form. */
export const teamView =
  (
    right: Right,
    path: string,
    view: (dependencies: PageDependencies, pageContext: TeamPageContext) => Promise<Answer> | Answer,
  ) =>
  (dependencies: PageDependencies): Page => ({
    audience: 'team',
    right,
    path,
    get: (pageContext) => view(dependencies, pageContext),
  });

/** A page of a team with a form, for those who have the right of its action. */
export const teamForm =
  <Input extends z.ZodObject, Value>(form: ActionForm<Input, Value, TeamPageContext>) =>
  (dependencies: PageDependencies): Page => {
    const { path, action, get, recordsViews } = form;
    const { right, whenClosed = form.whenClosed } = action;
    if (right === undefined || right === 'administrator' || right === 'visitor')
      throw new Error(`${action.name} is not for teams.`);
    return {
      audience: 'team',
      right,
      path,
      ...defined({ recordsViews, whenClosed }),
      ...(get && { get: (pageContext: TeamPageContext) => get(dependencies, pageContext, first) }),
      post: (pageContext) => postForm(dependencies, pageContext, form),
    };
  };

/** A page with a form about the person's own things, or for administrators, as its action says. */
export const personForm =
  <Input extends z.ZodObject, Value>(form: ActionForm<Input, Value, SignedInPageContext>) =>
  (dependencies: PageDependencies) => {
    const { path, action, get, endsSessions } = form;
    return {
      audience: action.right === 'administrator' ? 'administrators' : 'signed in',
      path,
      ...defined({ endsSessions }),
      ...(get && { get: (pageContext: SignedInPageContext) => get(dependencies, pageContext, first) }),
      post: (pageContext: SignedInPageContext) => postForm(dependencies, pageContext, form),
    } satisfies Page;
  };

interface VisitorForm<Input extends z.ZodObject, Value, About> extends ActionForm<
  Input,
  Value,
  VisitorPageContext<About>
> {
  /** Read from the address or from the form. @throws EarlyAnswer */
  readonly about: (dependencies: PageDependencies, pageContext: PageContext) => Promise<About>;
  readonly view: NonNullable<ActionForm<Input, Value, VisitorPageContext<About>>['view']>;
}

/** A page with a form for everybody, signed in or not. Its view is what it shows at first. */
export const visitorForm =
  <Input extends z.ZodObject, Value, About>(form: VisitorForm<Input, Value, About>) =>
  (dependencies: PageDependencies) => {
    const { path, about, get, view } = form;
    const opened = async (pageContext: PageContext): Promise<VisitorPageContext<About>> => {
      const { request } = pageContext;
      const browserAt: Visitor['browserAt'] = (account) =>
        dependencies.recognizedBrowsers.nameAt(request, account);
      return {
        ...pageContext,
        visitor: { kind: 'visitor', networks: networksOf(request.ip), browserAt },
        about: await about(dependencies, pageContext),
      };
    };
    return {
      audience: 'everybody',
      path,
      async get(pageContext: PageContext) {
        const ofVisitor = await opened(pageContext);
        return (get ?? view)(dependencies, ofVisitor, first);
      },
      post: async (pageContext: PageContext) => postForm(dependencies, await opened(pageContext), form),
    } satisfies Page;
  };

/** Performs the action of a form that was sent, for pages with several forms. */
export async function postForm<Input extends z.ZodObject, Value, Context extends AnyPageContext>(
  dependencies: PageDependencies,
  pageContext: Context,
  { action, fields, also, prove, view, done }: Omit<ActionForm<Input, Value, Context>, 'path'>,
): Promise<Answer> {
  const { form } = pageContext;
  const shown = (await fields?.(dependencies, pageContext)) ?? [];
  const named = Object.entries(pageContext.request.params as Also);
  const inAddress = Object.fromEntries(named.filter(([name]) => name in action.input.shape));
  const input: Record<string, unknown> = { ...inAddress, ...(await also?.(pageContext, dependencies)) };
  for (const { name, input: filled = name, ticked, read = ticked ? allOf : textOrNone } of shown) {
    const value = await read((form.get(name) ?? '').trim(), form.getAll(name));
    if (value !== undefined) input[filled] = value;
  }
  let status = 422;
  const proving =
    prove &&
    (async () => {
      const unproven = await prove(dependencies, pageContext);
      status = unproven?.status ?? status;
      return unproven?.problem;
    });
  const performed = await performFor(dependencies, pageContext, action, input, proving);
  if (performed.kind === 'done') return done(pageContext, performed.value, dependencies);
  const again = async (problems: Problems, answered: number, refused?: CommandRefused) => {
    if (!view) throw refused ?? new Error(`What the form of ${action.name} sent is not valid.`);
    return { status: answered, ...(await view(dependencies, pageContext, { problems, refused })) };
  };
  if (performed.kind === 'refused') {
    const { refusal, field: wrong } = performed;
    const at = wrong === undefined ? undefined : shown.find((each) => (each.input ?? each.name) === wrong);
    const shownAgain = at
      ? again({ [at.name]: at.wrong ?? refusal.message }, refusal.status)
      : again({}, refusal.status, refusal);
    if (!(refusal instanceof TooManyRequests)) return shownAgain;
    return { ...(await shownAgain), headers: { 'retry-after': String(refusal.seconds) } };
  }
  const problems = shown.flatMap(({ name, input: filled = name, wrong }) => {
    const sentence = performed.fields[filled];
    const read = input[filled];
    return sentence === undefined
      ? []
      : [[name, read instanceof Wrong ? read.sentence : (wrong ?? sentence)]];
  });
  const proof = prove && { [proofField]: performed.fields[proofField] };
  return again({ ...(Object.fromEntries(problems) as Problems), ...proof }, status);
}

/** Performs an action for whoever has opened the page, for pages that are no plain form. */
export const performFor = <Input extends z.ZodObject, Value>(
  dependencies: PageDependencies,
  pageContext: AnyPageContext,
  action: Action<Input, Value, PageDependencies>,
  input: Readonly<Record<string, unknown>>,
  prove?: ActionRequest['prove'],
): Promise<Performed<Value>> =>
  perform(action, dependencies, {
    who: whoOf(pageContext),
    input,
    ...defined({ prove }),
    context: () => (action.once ? pageContext.onceContext() : pageContext.context()),
    inTime: (working) => withinReason(pageContext.request, working),
  });

/** On whose behalf a page acts: of the team that it is about, or of the person, or of a visitor. */
export function whoOf(pageContext: AnyPageContext | TeamPageContext): Who {
  if ('visitor' in pageContext) return pageContext.visitor;
  const { user, role } = pageContext.currentUser.person;
  const team: CurrentTeam | undefined = 'team' in pageContext ? pageContext.team : undefined;
  const inTeam = team && { team: team.team, role: team.role };
  return { kind: 'person', user, administrator: role === 'administrator', ...inTeam };
}

const allOf = (_: string, all: readonly string[]): readonly string[] => all;

const textOrNone = (typed: string): string | undefined => (typed === '' ? undefined : typed);

/** Fields with what was typed in them, but passwords, and what is wrong with it. */
export const inputFields = (
  all: readonly InputField[],
  typed: URLSearchParams,
  problems: Problems = {},
): Html =>
  html`${all.map(({ options, ticked, ...each }) => {
    const repeated = each.type === 'password' ? null : typed.get(each.name);
    const shown = { ...each, value: repeated ?? each.value, error: problems[each.name] };
    if (options && ticked)
      return checkboxGroup({ ...shown, options, values: typed.size > 0 ? typed.getAll(each.name) : ticked });
    return options ? selectField({ ...shown, options }) : field(shown);
  })}`;

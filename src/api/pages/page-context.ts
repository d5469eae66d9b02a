import type { FastifyRequest } from 'fastify';
import type { CommandContext } from '../../events/metadata.ts';
import type { ProfileFields } from '../../events/accounts/user.ts';
import type { PersonDocument } from '../../projections/accounts/people.ts';
import type { Cookie } from '../http/host-cookie.ts';
import type { Html } from './html.ts';
import type { BrowserSession } from './interaction.ts';

/** Somebody who is signed in at the browser that asks, what is personal opened. */
export interface CurrentUser {
  readonly session: BrowserSession;
  readonly person: PersonDocument;
  readonly profile: ProfileFields;
  readonly email: string;
}

/** What a page is asked with. */
export interface PageContext<Who extends CurrentUser | undefined = CurrentUser | undefined> {
  readonly request: FastifyRequest;
  readonly query: URLSearchParams;
  /** Empty unless something was posted. */
  readonly form: URLSearchParams;
  /** To stand in every form that posts to us. */
  readonly formToken: string;
  /** Names the browser, signed in or not; nobody else knows it. */
  readonly browser: string;
  readonly currentUser: Who;
  /** For one change: by who is signed in, or by the person named, who has just proved to be themselves. */
  context(user?: string): CommandContext;
}

export type SignedInPageContext = PageContext<CurrentUser>;

/** A page to be shown. */
export interface View {
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
  /** `narrow`: one thing to do, nothing beside it. */
  readonly shape?: 'narrow' | 'wide';
  /** Runs our script for passkeys. */
  readonly passkeys?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Off to another address. */
export interface Redirect {
  readonly to: string;
  readonly cookies?: readonly Cookie[];
}

export type Answer = View | Redirect;

export const redirectTo = (to: string, ...cookies: readonly Cookie[]): Redirect => ({ to, cookies });

/** Thrown to answer at once with something else than the page that was asked for. */
export class EarlyAnswer extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('Another answer is due.');
    this.name = 'EarlyAnswer';
    this.answer = answer;
  }
}

type Handler<Kind> = (pageContext: Kind) => Promise<Answer> | Answer;

/** A page, and what its forms do. */
export type Page =
  /** For everybody. */
  | {
      readonly audience: 'everybody';
      readonly path: string;
      readonly get?: Handler<PageContext>;
      readonly post?: Handler<PageContext>;
    }
  /** For who is signed in; everybody else is asked to sign in first. */
  | {
      readonly audience: 'signed in' | 'administrators';
      readonly path: string;
      readonly get?: Handler<SignedInPageContext>;
      readonly post?: Handler<SignedInPageContext>;
    };

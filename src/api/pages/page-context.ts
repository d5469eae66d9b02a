import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { CommandContext } from '../../events/metadata.ts';
import type { ProfileFields } from '../../events/accounts/user.ts';
import type { PersonDocument } from '../../projections/accounts-people.ts';
import type { Cookie } from '../http/host-cookie.ts';
import type { SentFile } from '../http/sent-file.ts';
import type { Right } from '../../events/teams-rights.ts';
import type { Html } from './html.ts';
import type { BrowserSession } from './interaction.ts';
import type { MemberRole } from '../../events/teams.ts';

/** A team that a person may look at. */
export interface CurrentTeam {
  /** The slug. */
  readonly team: string;
  readonly name: string;
  /** Undefined: an administrator of the installation who is no member. */
  readonly role: MemberRole | undefined;
  /** Nothing can be done in it until it is open again. */
  readonly closed?: boolean;
}

/** The signed-in person, with personal data opened. */
export interface CurrentUser {
  readonly session: BrowserSession;
  readonly person: PersonDocument;
  readonly profile: ProfileFields;
  readonly email: string;
}

/** The request for a page. */
export interface PageContext<Who extends CurrentUser | undefined = CurrentUser | undefined> {
  readonly request: FastifyRequest;
  readonly query: URLSearchParams;
  /** Empty unless a form was posted. */
  readonly form: URLSearchParams;
  /** The file of the form, on a page that takes one. The fields before it are in `form`. */
  readonly file?: SentFile;
  /** Required in every form that posts to us. */
  readonly formToken: string;
  /** Identifies the browser, signed in or not. Only the browser knows it. */
  readonly browser: string;
  readonly currentUser: Who;
  /** The slug of the team that the browser showed last, for a page without a team in its address. */
  readonly lastTeam: string | undefined;
  /**
   * The context of one change: by the signed-in person, or by `user`, who has just authenticated. For commands that may be
   * repeated, such as a revocation: each request is a command of its own, so a page that was open for long still revokes
   * what was granted meanwhile.
   */
  context(user?: string): CommandContext;
  /**
   * The same for commands that make or send something, or that rest on what the form showed: a form that is sent twice
   * with the same content is one command.
   */
  onceContext(): CommandContext;
  /** Correlates the events of all changes that this request makes. */
  readonly correlationId: string;
}

export type SignedInPageContext = PageContext<CurrentUser>;

/** For a page of one team. The person has just been found to have the right that the page asks for. */
export interface TeamPageContext extends SignedInPageContext {
  readonly team: CurrentTeam;
}

/** The content of a page. */
export interface View {
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
  /** `narrow`: for a page with a single task. */
  readonly shape?: 'narrow' | 'wide';
  /** Loads our script for passkeys. */
  readonly passkeys?: boolean;
  /** Shows pages of ours in frames. */
  readonly frames?: boolean;
  /** A script beside those of every page. */
  readonly script?: string;
  /** A style sheet beside those of every page. */
  readonly style?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A redirect to another address. */
export interface Redirect {
  readonly to: string;
  readonly cookies?: readonly Cookie[];
}

/** A file, sent piece by piece. */
export interface Download {
  readonly download: Readable;
  /** ASCII, without quotes. */
  readonly filename: string;
  readonly type: string;
}

/** A part of a page, for the script that shows what is under way (`live`). */
export interface Fragment {
  readonly fragment: Html;
}

export type Answer = View | Redirect | Download | Fragment;

export const redirectTo = (to: string, ...cookies: readonly Cookie[]): Redirect => ({ to, cookies });

/** Thrown to answer at once with something else than the requested page. */
export class EarlyAnswer extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('Another answer is due.');
    this.name = 'EarlyAnswer';
    this.answer = answer;
  }
}

type Handler<Kind> = (pageContext: Kind) => Promise<Answer> | Answer;

/** What a page appends to the log. Forms of signed-in people count towards what a person may change. */
interface Appends {
  /** Seeing the page is an event, so it counts too. */
  readonly recordsViews?: true;
  /** Its form ends a session. That is always possible: sign-ins are limited, so sessions are. */
  readonly endsSessions?: true;
}

/** A page and its form handlers. */
export type Page = Appends & PageOf;

type PageOf =
  /** For everybody. */
  | {
      readonly audience: 'everybody';
      readonly path: string;
      readonly get?: Handler<PageContext>;
      readonly post?: Handler<PageContext>;
    }
  /** For signed-in people. Others are asked to sign in first. */
  | {
      readonly audience: 'signed in' | 'administrators';
      readonly path: string;
      readonly get?: Handler<SignedInPageContext>;
      readonly post?: Handler<SignedInPageContext>;
    }
  /**
   * For members of a team whose role has the right. The team is in the address (`ofTeam`), or the parameter `team` of the
   * address or of the form. Without one, the page leads to itself for the team that the person looked at last.
   */
  | {
      readonly audience: 'team';
      readonly right: Right;
      readonly path: string;
      /** Its form may have a file (`multipart/form-data`). */
      readonly takesFile?: true;
      /** Its form may be so long, in bytes. Default: that of a record. */
      readonly formBytes?: number;
      /** It is shown of a closed team, too. */
      readonly whenClosed?: true;
      readonly get?: Handler<TeamPageContext>;
      readonly post?: Handler<TeamPageContext>;
    };

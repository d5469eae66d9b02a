import type { FastifyRequest } from 'fastify';
import type { Category } from '../../../events/directory/category.ts';
import type { Cookie } from '../../http/host-cookie.ts';
import type { Html } from '../html.ts';
import type { Texts } from './texts.ts';
import type { Language } from './language.ts';

/** The parameter that says from which search a record is opened. It is for one opening: no other link keeps it. */
export const viaParameter = 'via';

/** The request for a public page. */
export interface PublicContext {
  readonly request: FastifyRequest;
  /** The path that was asked for, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Empty unless a form was posted. */
  readonly form: URLSearchParams;
  readonly language: Language;
  readonly texts: Texts;
  readonly now: Date;
  /** The address of the directory, without a path: for links that must be whole. */
  readonly base: string;
}

/** The content of a public page. */
export interface PublicView {
  readonly title: string;
  /** What windows, search engines and previews show in place of the title, which is the heading of the page. */
  readonly windowTitle?: string;
  readonly content: Html;
  readonly status?: number;
  /** For search engines and for previews of a shared link. */
  readonly description?: string;
  /**
   * The path, with its query, under which search engines shall list the page. Absent: they shall not list it.
   */
  readonly canonical?: string;
  /**
   * The categories that the page is about. The line about emergencies and the link to leave quickly follow from
   * them.
   */
  readonly about?: readonly Category[];
  /** Who reads it may be in danger: the line about emergencies is a box. */
  readonly danger?: boolean;
  /** Further elements of the head. */
  readonly head?: Html;
  /** Further scripts in addition to the one of all public pages. */
  readonly scripts?: readonly string[];
  /** A server that images of this page may come from. */
  readonly imagesFrom?: string;
  /** What follows the search for a page, not of it: it must not be kept by the browser. */
  readonly noStore?: true;
  readonly cookies?: readonly Cookie[];
  readonly headers?: Readonly<Record<string, string>>;
}

export type PublicAnswer =
  | PublicView
  | { readonly to: string }
  /** What was here is at another address now. */
  | { readonly movedTo: string };

type Handler = (context: PublicContext) => Promise<PublicAnswer> | PublicAnswer;

/** A page for everybody, with its forms. */
export interface PublicPage {
  /** As the router takes it. */
  readonly path: string;
  readonly get: Handler;
  readonly post?: Handler;
  /** It holds a form that posts to us: the answer has a secret and is not compressed (BREACH). */
  readonly hasForm?: true;
}

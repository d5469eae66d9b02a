import type { FastifyRequest } from 'fastify';
import { languageCodes } from '../../../tables/language-codes.ts';
import type { HostCookie } from '../../http/host-cookie.ts';
import { hostCookie } from '../../http/host-cookie.ts';

/** The languages of the public pages: the folders of src/tables/languages. The first is for everybody else. */
export const languages = languageCodes;
/** The code of one of them. */
export type Language = string;

export const isLanguage = (text: string | null | undefined): text is Language =>
  languages.includes(text ?? '');

/** The cookie that keeps the language that somebody has chosen. */
export const languageCookie = (base: string): HostCookie => hostCookie(base, 'commonweal-language');

/** How the language of an answer was found. */
export interface ChosenLanguage {
  readonly language: Language;
  /** The language that the address asks for. */
  readonly requested: Language | undefined;
  /** The language that the browser keeps from before. */
  readonly kept: Language | undefined;
}

/** `?lang=`, else what was chosen before, else what the browser prefers. */
export function languageOf(
  request: Pick<FastifyRequest, 'headers' | 'cookies'>,
  query: URLSearchParams,
  base: string,
): ChosenLanguage {
  const [requested, kept] = [query.get('lang'), languageCookie(base).read(request)].map((text) =>
    isLanguage(text) ? text : undefined,
  );
  return { language: requested ?? kept ?? preferred(request.headers['accept-language']), requested, kept };
}

/** Of our languages, the one that Accept-Language ranks highest (RFC 9110 section 12.5.4). */
export function preferred(header: string | undefined): Language {
  let best: { readonly language: Language; readonly quality: number } | undefined;
  for (const range of (header ?? '').slice(0, 1_000).split(',')) {
    const [, tag = '', weight = '1'] =
      /^\s*([a-z]+)(?:-[\w-]+)?\s*(?:;\s*q=([\d.]+)\s*)?$/i.exec(range) ?? [];
    const language = tag.toLowerCase();
    const quality = Number(weight);
    if (isLanguage(language) && quality > (best?.quality ?? 0)) best = { language, quality };
  }
  return best?.language ?? 'en';
}

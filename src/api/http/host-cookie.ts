import cookies, { type CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A cookie to be set, as @fastify/cookie takes it. */
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly options: CookieSerializeOptions;
}

export interface HostCookie {
  /** The value. Undefined when the browser has not sent it. */
  read(request: Pick<FastifyRequest, 'cookies'>): string | undefined;
  /** `seconds`: how long the browser keeps it. Default: until the browser is closed. */
  set(value: string, seconds?: number): Cookie;
  /** Removes it from the browser. */
  clear(): Cookie;
}

/** Lets the routes of a scope read and set cookies. */
export function useCookies(scope: FastifyInstance): void {
  void scope.register(cookies);
}

/**
 * A cookie for this host only. The prefix `__Host-` (RFC 6265bis section 4.1.3.2) needs https, and is left out on
 * plain http, for development on localhost. SameSite=Lax: the browser sends it when a site links to us, and never
 * with another site's form or frame.
 */
export function hostCookie(issuer: string, name: string, path = '/'): HostCookie {
  const secure = issuer.startsWith('https:');
  // With the prefix `__Host-` a cookie is for every path.
  const fullName = secure ? `__${path === '/' ? 'Host' : 'Secure'}-${name}` : name;
  const options = { path, httpOnly: true, secure, sameSite: 'lax' } as const;
  return {
    read: (request) => request.cookies[fullName],
    set: (value, seconds) => ({
      name: fullName,
      value,
      options: seconds === undefined ? options : { ...options, maxAge: seconds },
    }),
    clear: () => ({ name: fullName, value: '', options: { ...options, maxAge: 0 } }),
  };
}

/** The cookie that holds a session's token. */
export const sessionCookie = (issuer: string): HostCookie => hostCookie(issuer, 'commonweal');

/** The cookie that identifies a browser from its first form until it is closed. */
export const browserCookie = (issuer: string): HostCookie => hostCookie(issuer, 'commonweal-browser');

/** The cookie with which a browser shows that it has signed in to accounts before. */
export const recognizedBrowserCookie = (issuer: string): HostCookie => hostCookie(issuer, 'commonweal-known');

/**
 * The team that the person looked at last, for pages without a team in their address. It is no secret and gives no
 * right: whoever may not look at the team is shown one of their own.
 */
export const teamCookie = (issuer: string): HostCookie => hostCookie(issuer, 'commonweal-team', '/dash');

export function setCookies(reply: FastifyReply, cookies: readonly Cookie[]): void {
  for (const { name, value, options } of cookies) reply.setCookie(name, value, options);
}

import type { LightMyRequestResponse } from 'fastify';

/** The cookies that an answer sets, as a browser sends them back. */
export const cookieOf = ({ headers }: Pick<LightMyRequestResponse, 'headers'>): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ');

/** The fields of a page by name, with their values. */
export const fieldsIn = (body: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...body.matchAll(/<input[^>]*\bname="([^"]+)"[^>]*\bvalue="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  );

/** Where the form that posts leads. */
export function formIn(body: string): { readonly method: string; readonly action: string } | undefined {
  const [, method, action] = /<form[^>]*method="(post)"[^>]*action="([^"]+)"/.exec(body) ?? [];
  return method === undefined || action === undefined ? undefined : { method, action };
}

import type { PageContext } from '../../pages/page-context.ts';

/** A part of the path that was asked for. */
export const parameterOf = ({ request }: PageContext, name: string): string =>
  (request.params as Readonly<Record<string, string>>)[name] ?? '';

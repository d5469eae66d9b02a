import type { FastifyPluginCallback } from 'fastify';
import { z } from 'zod';
import { problemResponses } from './http/responses/problem-responses.ts';
import type { ServerDependencies } from './dependencies.ts';
import { commonProblem } from './http/responses/errors.ts';

/** /healthz: the process answers. /readyz: it can do its work. */
export const health: FastifyPluginCallback<Pick<ServerDependencies, 'ready' | 'stopping'>> = (
  scope,
  { ready, stopping },
  done,
) => {
  scope.get('/healthz', {
    schema: {
      tags: ['Operations'],
      summary: 'Alive',
      response: { 200: z.object({ status: z.literal('alive') }) },
    },
    handler: () => ({ status: 'alive' }),
  });
  scope.get('/readyz', {
    schema: {
      tags: ['Operations'],
      summary: 'Ready',
      response: {
        200: z.object({ status: z.literal('ready'), warnings: z.array(z.string()).optional() }),
        ...problemResponses(503),
      },
    },
    handler: async () => {
      const state = stopping?.aborted ? { ready: false, reason: 'The service is stopping.' } : await ready();
      if (state.ready) {
        return state.warnings?.length
          ? { status: 'ready' as const, warnings: [...state.warnings] }
          : { status: 'ready' as const };
      }
      throw commonProblem('not_ready', state.reason ?? 'The service is starting.', {
        headers: { 'retry-after': '1' },
      });
    },
  });
  done();
};

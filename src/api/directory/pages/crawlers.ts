import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, matches } from '../../http/responses/etag.ts';
import { commonProblem } from '../../http/responses/errors.ts';
import type { PublicPageDependencies } from '../../pages/frame/serve-public-page.ts';
import { Sitemap } from './sitemap.ts';

const sitemapPath = '/sitemap.xml';

/** How long crawlers and proxies may keep what they were told. */
const cacheControl = 'public, max-age=3600';

/** What search engines ask for: which addresses they may read, and all public records. */
export function serveCrawlers(scope: FastifyInstance, dependencies: PublicPageDependencies): void {
  const { base, gate } = dependencies;
  const sitemap = new Sitemap(dependencies.documents, base);

  scope.get('/robots.txt', {
    schema: { hide: true },
    handler: (_request, reply) =>
      reply.header('cache-control', cacheControl).type('text/plain; charset=utf-8').send(robots(base())),
  });

  scope.get(sitemapPath, {
    schema: { hide: true },
    handler: async (request, reply) => {
      if (!gate.open) await gate.pass();
      const stamp = await sitemap.stamp();
      if (isUnchanged(request, reply, stamp)) return reply;
      return asXml(reply).send(await sitemap.index(stamp));
    },
  });

  for (const [prefix, read] of [
    ['', sitemap.part],
    ['organizations-', sitemap.organizations],
  ] as const)
    scope.get<{ Params: { part: string; parts: string } }>(
      `/sitemap/${prefix}:part(^\\d+)-:parts(^\\d+).xml`,
      {
        schema: { hide: true },
        handler: async (request, reply) => {
          if (!gate.open) await gate.pass();
          const [part, parts] = [Number(request.params.part), Number(request.params.parts)];
          if (!Sitemap.isPart(part, parts))
            throw commonProblem('not_found', 'There is no such part of the sitemap.');
          if (isUnchanged(request, reply, await sitemap.stamp())) return reply;
          return asXml(reply).send(Readable.from(read(part, parts)));
        },
      },
    );
}

/** Answers 304 to whoever has the newest: nothing has changed since while the stamp is the same. */
function isUnchanged(request: FastifyRequest, reply: FastifyReply, stamp: string | undefined): boolean {
  reply.header('cache-control', cacheControl);
  if (stamp === undefined) return false;
  const etag = etagOf(request.url, request.host, stamp);
  reply.header('etag', etag);
  if (!matches(request.headers['if-none-match'], etag)) return false;
  void reply.code(304).send();
  return true;
}

const asXml = (reply: FastifyReply): FastifyReply => reply.type('application/xml; charset=utf-8');

/** RFC 9309. Results of a search are left to people: there are as many as there are filters. */
const robots = (base: string): string => `User-agent: *
Allow: /
Allow: /r/
Allow: /o/
Allow: /dash/assets/
Disallow: /find?
Disallow: /r/*/report
Disallow: /dash/
Disallow: /oauth/
Disallow: /api/
Disallow: /hsds/

Sitemap: ${base}${sitemapPath}
`;

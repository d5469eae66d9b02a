import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** The parts of the style sheet of every page, in the order in which they are joined: later rules win over earlier ones. */
const styleParts = [
  'colours',
  'base',
  'page',
  'navigation',
  'forms',
  'buttons',
  'filters',
  'events',
  'copy',
  'widget-preview',
  'changes',
  'chart',
  'notices',
  'people-and-sites',
  'tables',
  'record',
  'lists',
  'preferences',
].map(styleSheetPart);

/** The parts of what pages of people who are signed in need beside it. Visitors of the directory do not load them. */
const dashboardParts = ['where', 'preview', 'ticked-tables', 'decision-bar', 'first-steps', 'figures'].map(
  styleSheetPart,
);

const all = {
  style: served('style.css', 'text/css; charset=utf-8', styleParts.join('\n')),
  reference: served('reference.css', 'text/css; charset=utf-8', styleSheet('reference.css')),
  dashboardStyle: served('dashboard.css', 'text/css; charset=utf-8', dashboardParts.join('\n')),
  guides: served('guides.css', 'text/css; charset=utf-8', styleSheet('guides.css')),
  people: served('people.css', 'text/css; charset=utf-8', styleSheet('people.css')),
  icon: asset('icon.svg', 'image/svg+xml'),
  dashboard: asset('dashboard.js', 'text/javascript; charset=utf-8'),
  passkeys: asset('passkeys.js', 'text/javascript; charset=utf-8'),
  signature: asset('signature.js', 'text/javascript; charset=utf-8'),
  enhancements: asset('people.js', 'text/javascript; charset=utf-8'),
  formPost: asset('form-post.js', 'text/javascript; charset=utf-8'),
  location: asset('location.js', 'text/javascript; charset=utf-8'),
  map: asset('map.js', 'text/javascript; charset=utf-8'),
  leaflet: served('leaflet.js', 'text/javascript; charset=utf-8', ofPackage('leaflet/dist/leaflet.js')),
  leafletStyle: served('leaflet.css', 'text/css; charset=utf-8', ofPackage('leaflet/dist/leaflet.css')),
} as const;

/** The addresses of what pages load. An address changes with the content, so browsers may cache it forever. */
export const assets = {
  style: all.style.path,
  reference: all.reference.path,
  /** In addition to `style`, for the pages of people who are signed in. */
  dashboardStyle: all.dashboardStyle.path,
  /** In addition to `style`, for the guides. */
  guides: all.guides.path,
  /** In addition to `style`, for the public pages of the directory. */
  people: all.people.path,
  icon: all.icon.path,
  /** What the pages of people who are signed in can do better with JavaScript. */
  dashboard: all.dashboard.path,
  passkeys: all.passkeys.path,
  /** Says why the signature of a webhook is not valid. */
  signature: all.signature.path,
  /** What the public pages can do better with JavaScript. */
  enhancements: all.enhancements.path,
  /** Sends the only form of a page at once. */
  formPost: all.formPost.path,
  /** Fills in where somebody is, when they ask for it. */
  location: all.location.path,
  /** Shows results on a map, when they ask for it. */
  map: all.map.path,
  leaflet: all.leaflet.path,
  leafletStyle: all.leafletStyle.path,
} as const;

export function serveAssets(scope: FastifyInstance): void {
  for (const { path, type, body } of Object.values(all)) {
    scope.get(path, {
      schema: { hide: true },
      handler: (_request, reply) =>
        reply
          .headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' })
          .send(body),
    });
  }
}

function asset(file: string, type: string): Asset {
  return served(file, type, read(file));
}

function styleSheetPart(name: string): string {
  return styleSheet(`style/${name}.css`);
}

/** Without its comments and indentation, which are a fifth of it. */
function styleSheet(file: string): string {
  return read(file)
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/\n\s*/g, '\n')
    .trim();
}

function read(file: string): string {
  return readFileSync(new URL(`./${file}`, import.meta.url), 'utf8');
}

/** A file of a package, without the address of its source map. */
function ofPackage(file: string): string {
  return readFileSync(new URL(import.meta.resolve(file)), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '');
}

function served(file: string, type: string, body: string): Asset {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { path: `/dash/assets/${hash}/${file}`, type, body };
}

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods } from '../methods.ts';

/** Where the pages find what they load. */
export interface Assets {
  readonly style: string;
  readonly icon: string;
  readonly passkeys: string;
}

const files = {
  style: { file: 'style.css', type: 'text/css; charset=utf-8' },
  icon: { file: 'icon.svg', type: 'image/svg+xml' },
  passkeys: { file: 'passkeys.js', type: 'text/javascript; charset=utf-8' },
} as const;

/** Serves the files. Their addresses change with their bytes, so browsers may keep them for good. */
export function serveAssets(scope: FastifyInstance): Assets {
  const serve = ({ file, type }: (typeof files)[keyof typeof files]): string => {
    const body = readFileSync(new URL(`./assets/${file}`, import.meta.url), 'utf8');
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
    const path = `/dash/assets/${hash}/${file}`;
    scope.get(path, {
      schema: { hide: true },
      handler: (_request, reply) =>
        reply
          .headers({ 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' })
          .send(body),
    });
    refuseOtherMethods(scope, path, ['GET', 'HEAD']);
    return path;
  };
  return { style: serve(files.style), icon: serve(files.icon), passkeys: serve(files.passkeys) };
}

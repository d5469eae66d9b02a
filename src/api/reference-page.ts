import { assets } from './pages/assets/assets.ts';
import { html } from './pages/html.ts';
import { mark, name } from './pages/frame/page-frame.ts';
import { docsPath } from './pages/paths.ts';
import { errorsPath } from './http/responses/problem.ts';

/** The path of the reference page and its files. */
export const referencePath = `${docsPath}/api`;

const loaded = `${referencePath}/static`;

/**
 * The reference, rendered by Swagger UI from the OpenAPI description, under our header. It has its own style sheet,
 * because that of our other pages would affect Swagger UI.
 */
export const referencePage = (): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API reference · ${name}</title>
        <link rel="icon" type="image/svg+xml" href="${assets.icon}" />
        <link rel="stylesheet" href="${loaded}/swagger-ui.css" />
        <link rel="stylesheet" href="${assets.reference}" />
      </head>
      <body>
        <header class="home">
          <a class="brand" href="/">${mark} ${name}</a>
          <nav aria-label="Reference">
            <a href="${docsPath}">For developers</a>
            <a href="${errorsPath}">Errors</a>
            <a href="/openapi.json">OpenAPI 3.1</a>
          </nav>
        </header>
        <noscript
          ><p class="home">This page needs JavaScript. What it shows is in /openapi.json.</p></noscript
        >
        <div id="swagger-ui"></div>
        <script src="${loaded}/swagger-ui-bundle.js" charset="utf-8"></script>
        <script src="${loaded}/swagger-ui-standalone-preset.js" charset="utf-8"></script>
        <script src="${loaded}/swagger-initializer.js" charset="utf-8"></script>
      </body>
    </html>`.text;

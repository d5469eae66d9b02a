import { html, type Html } from './html.ts';

/** A whole page around its content. */
export const page = (title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          body {
            font:
              1rem/1.5 system-ui,
              sans-serif;
            max-width: 50rem;
            margin: 2rem auto;
            padding: 0 1rem;
            color: #1d2326;
            background: #fff;
          }
          pre {
            overflow-x: auto;
            padding: 0.75rem;
            background: #f1f4f2;
          }
          a {
            color: #14583f;
          }
          th,
          td {
            text-align: left;
            vertical-align: top;
            padding: 0.25rem 1rem 0.25rem 0;
          }
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.text;

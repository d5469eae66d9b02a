// The style sheet of the shadow tree. No style of the page comes in: what a page says of `*` also applies to the host
// element, but an important rule of the shadow tree is stronger than an important rule of the page.

/* global CSSStyleSheet, document */
export const style = `
:host {
  all: initial !important;
  direction: ltr !important;
  unicode-bidi: isolate !important;
  display: block !important;
  width: 100% !important;
  box-sizing: border-box !important;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif !important;
  -webkit-text-size-adjust: 100% !important;
  text-align: start !important;
  visibility: visible !important;
}
:host::before, :host::after { content: none !important; display: none !important; }
[hidden] { display: none !important; }
* { box-sizing: border-box; }
section {
  --paper: #ffffff;
  --ink: #1a2320;
  --quiet: #55615b;
  --line: #d8ded9;
  --edge: #76827b;
  --accent: #14583f;
  --soft: #e3efe8;
  --warn: #8a3b12;
  --focus: #1b62c4;
  color-scheme: light;
  color: var(--ink);
  background: var(--paper);
  border: 1px solid var(--line);
  border-radius: 12px;
  padding: 16px;
  overflow-wrap: anywhere;
}
section.dark {
  --paper: #181f1c;
  --ink: #e7eeea;
  --quiet: #a4b2ab;
  --line: #2d3833;
  --edge: #7d8b84;
  --accent: #86d6b2;
  --soft: #1d352b;
  --warn: #ffb595;
  --focus: #8ab8ff;
  color-scheme: dark;
}
form { display: flex; flex-wrap: wrap; gap: 12px; margin: 0; }
label { flex: 1 1 220px; display: block; font-size: 14px; font-weight: 600; }
input, select {
  display: block;
  width: 100%;
  min-height: 44px;
  margin: 4px 0 0;
  padding: 8px 12px;
  font: inherit;
  font-size: 16px;
  font-weight: 400;
  color: inherit;
  background: var(--paper);
  border: 1px solid var(--edge);
  border-radius: 8px;
}
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
p, ul { margin: 0; padding: 0; }
.status { margin: 16px 0 0; color: var(--quiet); font-size: 14px; }
.status.wrong { color: var(--ink); font-size: 16px; }
.actions { margin: 12px 0 0; }
ul { list-style: none; }
ul[aria-busy=true] { opacity: 0.6; transition: opacity 0.2s 0.4s; }
li { padding: 16px 0; border-bottom: 1px solid var(--line); }
li:last-child { border-bottom: 0; padding-bottom: 0; }
li > * + * { margin-top: 4px; }
.name { font-size: 18px; line-height: 1.35; font-weight: 600; }
.marks { display: flex; flex-wrap: wrap; gap: 4px 12px; font-size: 14px; color: var(--quiet); }
.open { color: var(--accent); font-weight: 600; }
.alert { color: var(--warn); }
.quiet { color: var(--quiet); }
.links { display: flex; flex-wrap: wrap; gap: 8px; margin-top: 8px; }
a { color: var(--accent); text-underline-offset: 2px; }
.button, button {
  display: inline-flex;
  align-items: center;
  min-height: 44px;
  padding: 8px 14px;
  font: inherit;
  font-weight: 600;
  color: var(--accent);
  background: var(--soft);
  border: 1px solid transparent;
  border-radius: 8px;
  text-decoration: none;
  cursor: pointer;
}
.button:hover, button:hover { border-color: var(--accent); }
button:disabled { color: var(--quiet); background: none; border-color: var(--line); cursor: default; }
.pages { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px; margin-top: 16px; }
.pages span { color: var(--quiet); font-size: 14px; }
@media print { form, .pages, .actions { display: none; } }
`;

/** By way of the object model, so that a policy of the page need not allow inline styles. */
export function addStyle(root) {
  try {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    root.adoptedStyleSheets = [sheet];
  } catch {
    // Safari before 16.4. There a strict policy leaves the widget without style, and all of it works.
    const element = document.createElement('style');
    element.textContent = style;
    root.append(element);
  }
}

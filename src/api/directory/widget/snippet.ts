import { html } from '../../pages/html.ts';
import { legacyPath } from '../../read-api.ts';
import { textsIn } from '../../pages/frame/texts.ts';
import { widgetAddress, widgetPath } from './widget-script.ts';
import { attributesOf, type WidgetOptions } from './widget-options.ts';

/** What the owner of a page pastes into it. `base`: the address of the service. */
export function snippetOf(base: string, key: string, options: WidgetOptions): string {
  const { language, target } = options;
  const container = { id: target, ...(language === undefined ? {} : { lang: language }) };
  const script = {
    src: base + widgetAddress(language, Object.keys(options.colours).length > 0),
    'data-key': key,
    ...attributesOf(options),
  };
  const help = textsIn(language ?? 'en').widget.help;
  return [
    `<div${written(container)}>`,
    `  <noscript><a${written({ href: `${base}/` })}>${help}</a></noscript>`,
    '</div>',
    `<script${written(script)} async></script>`,
  ].join('\n');
}

const written = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${html`${value}`.text}"`)
    .join('');

/** What a Content Security Policy has to allow for the widget. */
export const policyLines = (base: string): string =>
  `script-src ${base}${widgetPath};\nconnect-src ${base}${legacyPath};`;

// Starts the widget that a script tag asks for. Several tags make several widgets.
/* global document, console, MutationObserver */

import { tint } from './script-colours.js';
import { hostName, showDirectory } from './script-directory.js';
import { optionsOf } from './script-options.js';
import { language, otherLanguageOf } from './script-texts.js';

const complain = (message) => console.error(`resources-widget: ${message}`);

start(document.currentScript);

function start(script) {
  if (!script || !script.src) {
    complain('The script needs a <script src="…"> of its own, without type="module".');
    return;
  }
  const options = optionsOf(script, complain);
  /** The address of a script may name its language. Else it is that of the page, whose script is loaded instead. */
  let isInOwn = /[?&]lang=/.test(script.src);
  /** Where nothing else can be loaded, this one is shown. */
  let lacksColours = !tint && options.colours;
  let widget;
  // The container may be further down, be made later by another script, or be taken away and made anew.
  const watcher = new MutationObserver(follow);
  watch();
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => complainUnlessFilled(options));
  } else complainUnlessFilled(options);

  function watch() {
    watcher.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['id'] });
    follow();
  }

  function follow() {
    const target = document.getElementById(options.target);
    if (widget) {
      if (widget.host.isConnected) return widget.run();
      widget.rest();
      // Who takes the script away as well brings another one.
      if (!script.isConnected) return watcher.disconnect();
    }
    if (!target) return;
    const present = target.querySelector(hostName);
    // A copy of a page has the element without what is in it.
    if (present && present.shadowRoot) {
      watcher.disconnect();
      if (!widget)
        complain(`#${options.target} has a widget already: give each script a data-target of its own.`);
      return;
    }
    const other = isInOwn ? undefined : otherLanguageOf(target);
    if (!other && !lacksColours) {
      widget = showDirectory(target, options, complain);
      return;
    }
    watcher.disconnect();
    loadOther(`lang=${other || language}${lacksColours ? '&colours' : ''}`, options, script, () => {
      isInOwn = true;
      lacksColours = false;
      watch();
    });
  }
}

/** Loads the same widget in another language, or with colours. Where the page forbids it, this one is shown. */
function loadOther(query, { base }, script, show) {
  const { dataset, nonce, crossOrigin } = script;
  const other = document.createElement('script');
  Object.assign(other.dataset, dataset);
  try {
    Object.assign(other, {
      nonce,
      crossOrigin,
      onerror: show,
      src: `${base}/resources-widget.js?${query}`,
    });
    script.after(other);
  } catch {
    show();
  }
}

function complainUnlessFilled({ target }) {
  if (document.getElementById(target)) return;
  complain(`There is no element with the id "${target}". The widget appears when there is one.`);
}

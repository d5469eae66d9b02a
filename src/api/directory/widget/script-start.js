// Starts the widget that a script tag asks for. Several tags make several widgets.
/* global document, console, MutationObserver */

import { hostName, showDirectory } from './script-directory.js';
import { optionsOf } from './script-options.js';
import { otherLanguageOf } from './script-texts.js';

const complain = (message) => console.error(`resources-widget: ${message}`);

start(document.currentScript);

function start(script) {
  if (!script || !script.src) {
    complain('The script needs a <script src="…"> of its own, without type="module".');
    return;
  }
  const options = optionsOf(script, complain);
  const fill = () => filled(options, script);
  if (fill()) return;
  // The container may be further down, or be made later by another script.
  const watcher = new MutationObserver(() => {
    if (fill()) watcher.disconnect();
  });
  watcher.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['id'] });
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => complainUnlessFilled(options));
  } else complainUnlessFilled(options);
}

/** Whether the container is there; it then has its widget. */
function filled(options, script) {
  const target = document.getElementById(options.target);
  if (!target) return false;
  if (target.querySelector(hostName)) {
    complain(`#${options.target} has a widget already: give each script a data-target of its own.`);
  } else {
    const show = () => showDirectory(target, options, complain);
    // The address of a script may name its language. Else it is that of the page, whose script is loaded instead.
    const other = /[?&]lang=/.test(script.src) ? undefined : otherLanguageOf(target);
    if (other) loadIn(other, options, script, show);
    else show();
  }
  return true;
}

/** Loads the same widget in another language. Where the page forbids it, this one is shown. */
function loadIn(language, { base }, script, show) {
  const { dataset, nonce, crossOrigin } = script;
  const other = document.createElement('script');
  Object.assign(other.dataset, dataset);
  try {
    Object.assign(other, {
      nonce,
      crossOrigin,
      onerror: show,
      src: `${base}/resources-widget.js?lang=${language}`,
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

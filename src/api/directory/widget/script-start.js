// Starts the widget that a script tag asks for. Several tags make several widgets.
/* global document, console, MutationObserver */

import { hostName, showDirectory } from './script-directory.js';
import { optionsOf } from './script-options.js';

const complain = (message) => console.error(`resources-widget: ${message}`);

start(document.currentScript);

function start(script) {
  if (!script || !script.src) {
    complain('The script needs a <script src="…"> of its own, without type="module".');
    return;
  }
  const options = optionsOf(script, complain);
  if (fill(options)) return;
  // The container may be further down, or be made later by another script.
  const watcher = new MutationObserver(() => {
    if (fill(options)) watcher.disconnect();
  });
  watcher.observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ['id'] });
  if (document.readyState === 'loading') {
    document.addEventListener('DOMContentLoaded', () => complainUnlessFilled(options));
  } else complainUnlessFilled(options);
}

/** Whether the container is there; it then has its widget. */
function fill(options) {
  const target = document.getElementById(options.target);
  if (!target) return false;
  if (target.querySelector(hostName)) {
    complain(`#${options.target} has a widget already: give each script a data-target of its own.`);
  } else showDirectory(target, options, complain);
  return true;
}

function complainUnlessFilled({ target }) {
  if (document.getElementById(target)) return;
  complain(`There is no element with the id "${target}". The widget appears when there is one.`);
}

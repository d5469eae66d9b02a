// Makes elements. Text goes in as text and never as HTML, so that a page may require trusted types.
/* global document */

/** An element with attributes, those of value undefined left out, and with children: elements, texts or nothing. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value !== undefined) element.setAttribute(attribute, value);
  }
  element.append(...children.filter((child) => child !== undefined && child !== ''));
  return element;
}

export const show = (element, shown) => {
  element.hidden = !shown;
};

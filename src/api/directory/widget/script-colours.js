// The colours that the owner of a page asks for, as far as everybody can read them (WCAG 2.2, contrast of 4.5 to 1).
/* global getComputedStyle */

const least = 4.5;
const [black, white] = ['#000000', '#ffffff'];

const partsOf = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** WCAG 2.2, relative luminance. */
const luminance = (colour) =>
  partsOf(colour)
    .map((part) => (part > 10 ? ((part / 255 + 0.055) / 1.055) ** 2.4 : part / 3294.6))
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0.05);

/** From 1 to 21. */
export function contrast(one, other) {
  const ratio = luminance(one) / luminance(other);
  return Math.max(ratio, 1 / ratio);
}

/** So much of the way from one colour to another. */
const mixed = (one, other, share) => {
  const end = partsOf(other);
  const parts = partsOf(one).map((part, at) => Math.round(part + (end[at] - part) * share));
  return `#${parts.map((part) => (part + 256).toString(16).slice(1)).join('')}`;
};

/** The end of the scale that can be read on a colour: one of them always can. */
const endOn = (paper) => (contrast(black, paper) > contrast(white, paper) ? black : white);

/** A colour as it can be read: as near to the one that is asked for as that allows. */
export function readable(colour, paper) {
  let shown = colour;
  for (let step = 1; contrast(shown, paper) < least; step++) shown = mixed(colour, endOn(paper), step / 20);
  return shown;
}

/** Six digits. Undefined where no colour is asked for, or none that is understood. */
function colourOf(name, { [name]: value }, complain) {
  if (!value) return undefined;
  const colour = value.trim().toLowerCase();
  if (/^#([\da-f]{3}){1,2}$/.test(colour)) return colour.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  complain(`data-${name}="${value}" is no colour such as #14583f.`);
  return undefined;
}

/** `complain` tells the owner of the page of a colour that is shown otherwise. */
export function tint(section, colours, complain) {
  const [background, text, accent] = ['background', 'text', 'accent'].map((name) =>
    colourOf(name, colours, complain),
  );
  const shown = (name) => getComputedStyle(section).getPropertyValue(`--${name}`).trim();
  const set = (name, colour) => section.style.setProperty(`--${name}`, colour);
  if (background) {
    section.className = endOn(background) === white ? 'dark' : 'light';
    set('paper', background);
  }
  const paper = shown('paper');
  // What is pressed stands on a shade of its own, where the colour can be read on both.
  let soft = mixed(paper, accent || shown('accent'), 0.1);
  if (contrast(readable(accent || shown('accent'), soft), paper) < least) soft = paper;
  for (const [name, wanted] of Object.entries({
    ink: text,
    accent,
    quiet: '',
    warn: '',
    edge: '',
    focus: '',
  })) {
    const colour = wanted || shown(name);
    const value = readable(colour, name === 'accent' ? soft : paper);
    if (wanted && value !== wanted) complain(`${wanted} cannot be read on ${paper}: ${value} is shown.`);
    set(name, value);
  }
  set('soft', soft);
  set('line', mixed(paper, shown('ink'), 0.2));
}

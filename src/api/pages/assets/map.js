// Results on a map, when somebody asks for it: the code of the map and its tiles are loaded after the button is pressed.
/* global L, document */

const load = (kind, attributes) =>
  new Promise((resolve, reject) => {
    const element = Object.assign(document.createElement(kind), attributes);
    element.addEventListener('load', resolve);
    element.addEventListener('error', reject);
    document.head.append(element);
  });

/** A text as it may stand in HTML. */
const escaped = (text) => Object.assign(document.createElement('span'), { textContent: text }).innerHTML;

function draw(element, { points, tiles, attribution }) {
  const map = L.map(element, { scrollWheelZoom: false });
  map.attributionControl.setPrefix('');
  L.tileLayer(tiles, {
    attribution: escaped(attribution),
    maxZoom: 19,
    referrerPolicy: 'no-referrer',
  }).addTo(map);
  const places = JSON.parse(points);
  for (const [latitude, longitude, name, page] of places) {
    const link = Object.assign(document.createElement('a'), { href: page, textContent: name });
    const icon = L.divIcon({ className: 'map-pin', iconSize: [24, 24] });
    L.marker([latitude, longitude], { icon, alt: name, title: name }).addTo(map).bindPopup(link);
  }
  map.fitBounds(
    places.map(([latitude, longitude]) => [latitude, longitude]),
    { padding: [24, 24], maxZoom: 15 },
  );
}

for (const part of document.querySelectorAll('.map-of-results')) {
  const [button, shown] = part.children;
  const { script, style, hide } = part.dataset;
  const show = button.textContent;
  let drawn;
  part.hidden = false;
  button.addEventListener('click', async () => {
    const opens = shown.hidden;
    shown.hidden = !opens;
    button.setAttribute('aria-expanded', String(opens));
    button.textContent = opens ? hide : show;
    if (!opens) return;
    drawn ??= Promise.all([
      load('link', { rel: 'stylesheet', href: style }),
      load('script', { src: script }),
    ]).then(() => draw(shown.firstElementChild, part.dataset));
    // Without the map the list is still there; the next press tries again.
    await drawn.catch(() => (drawn = undefined));
  });
}

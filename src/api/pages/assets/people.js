// The public pages work without this. With it, leaving quickly leaves no trace of the page in the history of the
// window, and a page can be shared with the apps of the device.
/* global URL, document, history, location, navigator, print */

// From which search a page was opened is counted, and nobody keeps or shares an address with it.
const here = new URL(location.href);
if (here.searchParams.has('via')) {
  here.searchParams.delete('via');
  history.replaceState(history.state, '', here);
}
for (const exit of document.querySelectorAll('a.exit')) {
  exit.addEventListener('click', (event) => {
    event.preventDefault();
    location.replace(exit.href);
  });
}
for (const button of document.querySelectorAll('button.print')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
// The app for maps of the device: Macs with a touch screen are iPads.
const isApple = /iPhone|iPad|iPod/.test(navigator.userAgent) || /Mac/.test(navigator.platform);
const system = isApple ? 'apple' : /Android/.test(navigator.userAgent) ? 'android' : undefined;
for (const link of document.querySelectorAll('a.directions')) {
  const address = system && link.dataset[system];
  if (address) link.href = address;
}
if (navigator.share) {
  for (const button of document.querySelectorAll('button.share-apps')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      // A person who closes the choice of apps has not made a mistake.
      navigator.share({ title: document.title, url: button.dataset.link }).catch(() => undefined);
    });
  }
}
if (navigator.clipboard) {
  for (const button of document.querySelectorAll('button.copy-link')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(button.dataset.link).then(
        () => {
          button.textContent = button.dataset.done;
        },
        () => undefined,
      );
    });
  }
}

// The public pages work without this. With it, leaving quickly leaves no trace of the page in the history of the
// window, and a page can be shared with the apps of the device.
/* global document, location, navigator, print */

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
if (navigator.share) {
  for (const link of document.querySelectorAll('a.share')) {
    link.addEventListener('click', (event) => {
      event.preventDefault();
      // A person who closes the choice of apps has not made a mistake.
      navigator.share({ title: document.title, url: link.href }).catch(() => undefined);
    });
  }
}

// The search works without this. With it, a button fills in where somebody is: only after a click, and only in the form.
/* global document, isSecureContext, navigator */

for (const button of document.querySelectorAll('button.locate')) {
  const field = document.getElementById(button.dataset.field);
  const status = document.getElementById(button.dataset.status);
  if (!navigator.geolocation || !isSecureContext) continue;
  button.hidden = false;
  button.addEventListener('click', () => {
    status.textContent = button.dataset.locating;
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        // A hundred metres are enough to find what is near, and tell less of where somebody lives.
        field.value = `${coords.latitude.toFixed(3)},${coords.longitude.toFixed(3)}`;
        status.textContent = button.dataset.located;
      },
      () => {
        status.textContent = button.dataset.notLocated;
        field.focus();
      },
      { timeout: 15_000, maximumAge: 300_000 },
    );
  });
}

// Signs in with a passkey, or adds one. Without this script, or in a browser that has no passkeys, the part of
// the page that needs it stays hidden.
/* global document, navigator, window */

const part = document.querySelector('[data-passkey]');
const api = window.PublicKeyCredential;

if (part && api && api.parseRequestOptionsFromJSON && api.prototype.toJSON) {
  const form = part.querySelector('form');
  const status = part.querySelector('[role=status]');
  const creates = part.dataset.passkey === 'create';
  part.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    status.textContent = 'Follow your browser.';
    ask().then(
      (credential) => {
        form.elements.namedItem('answer').value = JSON.stringify(credential.toJSON());
        form.submit();
      },
      () => {
        status.textContent = creates ? 'No passkey was added.' : 'No passkey was used. You can try again.';
      },
    );
  });

  const ask = () => {
    const options = JSON.parse(part.dataset.options);
    return creates
      ? navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(options) });
  };
}

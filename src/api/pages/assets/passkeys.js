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
  // The field of another form of the page that goes along.
  const typed = document.getElementById(part.dataset.name ?? '');
  let asking = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (asking) return;
    if (typed) {
      if (typed.value.trim() === '') {
        status.textContent = 'Enter your name first.';
        typed.focus();
        return;
      }
      form.elements.namedItem('name').value = typed.value;
    }
    asking = true;
    status.textContent = 'Follow your browser.';
    ask().then(
      (credential) => {
        form.elements.namedItem('answer').value = JSON.stringify(credential.toJSON());
        form.submit();
      },
      () => {
        asking = false;
        status.textContent = creates ? 'No passkey was added.' : 'No passkey was used. You can try again.';
      },
    );
  });

  const ask = () => {
    const options = JSON.parse(part.dataset.options);
    if (typed) options.user.displayName = typed.value;
    return creates
      ? navigator.credentials.create({ publicKey: api.parseCreationOptionsFromJSON(options) })
      : navigator.credentials.get({ publicKey: api.parseRequestOptionsFromJSON(options) });
  };
}

// The pages of the dashboard work without this. With it, times are in the reader's zone, texts can be copied with one
// press, what is under way is shown as it goes, and a form is sent once, also after Back.
/* global document, fetch, history, location, navigator, sessionStorage, setTimeout, window */

// The server writes times in the zone that this names. Before it has been named, they are written again here.
const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
const zoneCookie = `commonweal-zone=${encodeURIComponent(timeZone)}`;
const zoneIsNew = !document.cookie.split('; ').includes(zoneCookie);
if (zoneIsNew) {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${zoneCookie}; Path=/dash; Max-Age=31536000; SameSite=Lax${secure}`;
}

const styles = {
  day: { dateStyle: 'long' },
  minute: { dateStyle: 'long', timeStyle: 'short' },
  second: { dateStyle: 'long', timeStyle: 'medium' },
};
const region = navigator.languages.find((each) => /^en-/.test(each)) ?? 'en-GB';

function showTimes(root) {
  if (!zoneIsNew) return;
  for (const time of root.querySelectorAll('time[data-style]'))
    time.textContent = new Intl.DateTimeFormat(region, styles[time.dataset.style]).format(
      new Date(time.dateTime),
    );
}

function offerCopies(root) {
  for (const button of root.querySelectorAll('button[data-copy]')) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    const label = button.innerHTML;
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(button.dataset.copy);
        button.textContent = 'Copied';
      } catch {
        button.textContent = 'Select it and copy';
      }
      setTimeout(() => (button.innerHTML = label), 2000);
    });
  }
}

async function follow(part) {
  try {
    const answer = await fetch(part.dataset.live, { headers: { accept: 'text/html' } });
    if (answer.redirected || [401, 403, 404].includes(answer.status)) return location.reload();
    if (answer.ok) {
      part.innerHTML = await answer.text();
      showTimes(part);
      const busy = part.querySelector('[data-busy]');
      // The page around it says more once the work is done.
      if (!busy) return location.reload();
      const announcement = part.nextElementSibling;
      if (announcement.textContent !== busy.dataset.busy) announcement.textContent = busy.dataset.busy;
    }
  } catch {
    // The service is away for a moment. The next try will tell.
  }
  setTimeout(() => follow(part), 2000);
}

showTimes(document);
offerCopies(document);
for (const part of document.querySelectorAll('[data-live]')) setTimeout(() => follow(part), 1000);

// After Back, the browser loads the page anew. A form that was sent from it is then still the same form: sent again as it
// was, it is the same command, and nothing is done twice.
const sentBefore = history.state?.sent ?? {};
for (const form of document.querySelectorAll('form[method="post"]')) {
  const action = form.getAttribute('action');
  const once = form.elements.namedItem('once');
  if (once && sentBefore[action]) once.value = sentBefore[action];
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
    if (once) history.replaceState({ sent: { ...sentBefore, [action]: once.value } }, '');
    setTimeout(() => delete form.dataset.sent, 5000);
  });
}
// A page that the browser brings back is as it was left: its forms can be sent again.
window.addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});

// The list of what waits for a decision is worked through with the keyboard.
const keyed = document.querySelectorAll('[data-key]');
if (keyed.length > 0) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return;
    const found = [...keyed].find((each) => each.dataset.key === event.key);
    if (!found) return;
    event.preventDefault();
    if (found.tagName === 'A') found.click();
    else {
      const details = found.tagName === 'SUMMARY' ? found.parentElement : undefined;
      if (details) details.open = true;
      (details?.querySelector('input:not([type="hidden"]), textarea, button') ?? found).focus();
    }
  });
}

// Ticks of a table stay when another page of it is opened, also sorted otherwise. They are sent from whichever page.
const ticking = document.querySelector('[data-ticking]');
if (ticking) {
  const kept = `ticked ${ticking.dataset.ticking}`;
  const form = ticking.querySelector('form');
  const boxes = [...form.querySelectorAll('input[name="record"]')];
  const [all, page, count] = ['[data-tick-all]', '[data-tick-page]', '[data-ticked]'].map((each) =>
    form.querySelector(each),
  );
  const ticked = new Set(JSON.parse(sessionStorage.getItem(kept) ?? '[]'));
  const show = () => {
    sessionStorage.setItem(kept, JSON.stringify([...ticked]));
    const here = boxes.filter((box) => box.checked).length;
    page.checked = here === boxes.length;
    page.indeterminate = here > 0 && here < boxes.length;
    const elsewhere = ticked.size - here;
    count.textContent =
      all.checked || ticked.size === 0
        ? ''
        : `${ticked.size} ticked${elsewhere > 0 ? `, ${elsewhere} of them on other pages` : ''}`;
    for (const box of [...boxes, page]) box.disabled = all.checked;
  };
  const tick = (box, isTicked) => {
    box.checked = isTicked;
    if (isTicked) ticked.add(box.value);
    else ticked.delete(box.value);
  };
  page.closest('label').hidden = false;
  for (const box of boxes) box.checked = ticked.has(box.value);
  form.addEventListener('change', ({ target }) => {
    if (target === page) for (const box of boxes) tick(box, page.checked);
    else if (boxes.includes(target)) tick(target, target.checked);
    show();
  });
  form.addEventListener('submit', () => {
    if (all.checked) return;
    const here = new Set(boxes.map((box) => box.value));
    for (const value of ticked) {
      if (here.has(value)) continue;
      const field = document.createElement('input');
      Object.assign(field, { type: 'hidden', name: 'record', value });
      form.append(field);
    }
    sessionStorage.removeItem(kept);
  });
  show();
}

// Enhances the pages. Every page also works without script.

const SEARCH_AFTER_MS = 250;
const SEARCH_LENGTH_MIN = 2;
const STATUS_EVERY_MS = 3_000;

const COMBOBOX = {
  role: 'combobox',
  autocomplete: 'off',
  'aria-autocomplete': 'list',
  'aria-controls': 'found',
  'aria-expanded': 'false',
  'aria-haspopup': 'listbox',
};

const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Sends a form once: further clicks are ignored until the next page loads.
for (const form of all('form[method=post]'))
  form.addEventListener('submit', (event) => {
    if (form.dataset.isSent) return event.preventDefault();
    form.dataset.isSent = 'yes';
    for (const button of all('button', form)) button.setAttribute('aria-disabled', 'true');
  });

// Enables the buttons of a page that returns from the back/forward cache.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const form of all('form')) delete form.dataset.isSent;
  for (const button of all('[aria-disabled]')) button.removeAttribute('aria-disabled');
});

// A corrected field loses its error, which keeps its space: nothing moves under the pointer.
addEventListener('input', ({ target: field }) => {
  if (field.getAttribute('aria-invalid') !== 'true' || !field.checkValidity()) return;
  const id = `${field.id}-error`;
  const others = field
    .getAttribute('aria-describedby')
    .split(' ')
    .filter((one) => one !== id);
  field.removeAttribute('aria-invalid');
  field.setAttribute('aria-describedby', others.join(' '));
  field.closest('.bad').classList.remove('bad');
  document.getElementById(id).classList.add('gone');
});

// The last digit of a code sends it. A note beside the field says so, which only this script shows.
for (const field of all('[data-digits]')) {
  field.form.querySelector('[data-digits-note]').hidden = false;
  field.addEventListener('input', () => {
    const digits = field.value.match(/\p{Nd}/gu) ?? [];
    if (digits.length === Number(field.dataset.digits)) field.form.requestSubmit();
  });
}

// Disables the button for another code until it may be used.
for (const form of all('form[data-wait]')) {
  const button = form.querySelector('button');
  button.disabled = true;
  setTimeout(() => {
    button.disabled = false;
    form.querySelector('[data-wait-note]').classList.add('gone');
  }, form.dataset.wait * 1_000);
}

// Polls the status until the outcome changes, and says so.
for (const waiting of all('[data-status]')) {
  for (const part of waiting.querySelectorAll('[data-polled], [data-unpolled]'))
    part.hidden = 'unpolled' in part.dataset;
  const poll = async () => {
    if (!document.hidden)
      try {
        const { outcome } = await (await fetch(waiting.dataset.status)).json();
        if (outcome !== waiting.dataset.outcome) return location.reload();
      } catch {
        // The next poll tries again.
      }
    setTimeout(poll, STATUS_EVERY_MS);
  };
  setTimeout(poll, STATUS_EVERY_MS);
  document.addEventListener('visibilitychange', () => setTimeout(poll, STATUS_EVERY_MS), { once: true });
}

// The company search: an editable combobox with a list, after the ARIA Authoring Practices.
for (const form of all('form[data-search]')) suggest(form);

function suggest(form) {
  const input = form.elements.query;
  const list = createList(input, document.getElementById('found'), document.getElementById('choose'));
  const search = createSearch(form, list);
  let timer;
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(search, SEARCH_AFTER_MS);
  };
  input.addEventListener('input', later);
  form.elements.country.addEventListener('change', later);
  input.addEventListener('blur', () => list.open(false));
  form.addEventListener('submit', () => clearTimeout(timer));
  input.addEventListener('keydown', (event) => {
    // Keys of an input method belong to the word being composed.
    if (!event.isComposing && list.press(event.key)) event.preventDefault();
  });
}

/** Searches for the text of the field. A new search aborts the one before. */
function createSearch(form, list) {
  const count = form.querySelector('[data-found]');
  let pending;
  return async () => {
    const query = form.elements.query.value.trim();
    pending?.abort();
    count.textContent = '';
    if (query.length < SEARCH_LENGTH_MIN) return list.open(false);
    pending = new AbortController();
    const parameters = new URLSearchParams({ country: form.elements.country.value, query });
    try {
      const answer = await fetch(`${form.dataset.search}?${parameters}`, {
        headers: { accept: 'text/html-fragment' },
        signal: pending.signal,
      });
      // The button still opens the page with the results or the error.
      if (!answer.ok || answer.redirected) return list.open(false);
      const part = new DOMParser().parseFromString(await answer.text(), 'text/html');
      list.fill(all('[role=option]', part));
      count.textContent = part.querySelector('p').textContent;
    } catch {
      // The next input searches again.
    }
  };
}

/** The list below the field. The focus stays in the field, and the active option is marked. */
function createList(input, list, choice) {
  let active = -1;
  const options = () => all('[role=option]', list);
  const mark = (index) => {
    active = index;
    for (const [at, option] of options().entries())
      option.setAttribute('aria-selected', String(at === index));
    const option = options()[index];
    option?.scrollIntoView({ block: 'nearest' });
    if (option) input.setAttribute('aria-activedescendant', option.id);
    else input.removeAttribute('aria-activedescendant');
  };
  const open = (isOpen) => {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) mark(-1);
  };
  const choose = (option) => {
    open(false);
    choice.elements.businessId.value = option.dataset.business;
    choice.requestSubmit();
  };
  for (const [name, value] of Object.entries(COMBOBOX)) input.setAttribute(name, value);
  // Otherwise the field loses the focus, and the list closes, before the click.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', ({ target }) => {
    const option = target.closest('[role=option]');
    if (option) choose(option);
  });
  return {
    open,
    fill(found) {
      list.replaceChildren(...found);
      open(found.length > 0 && document.activeElement === input);
    },
    /** Returns whether the list has handled the key. */
    press(key) {
      const found = options();
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step !== undefined && found.length > 0) {
        if (list.hidden) open(true);
        // The field itself is one more position.
        const positions = found.length + 1;
        mark(((active + 1 + step + positions) % positions) - 1);
      } else if (key === 'Enter' && active >= 0) choose(found[active]);
      else if (key === 'Escape' && !list.hidden) open(false);
      else return false;
      return true;
    },
  };
}

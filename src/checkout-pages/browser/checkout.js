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

// Validates a field when it loses the focus, with messages from the server, which validates everything again.
for (const form of all('form[data-check]'))
  form.addEventListener('focusout', ({ target: field }) => {
    if (field.matches?.('input:not([type=radio], [type=hidden]), select')) check(field, form.dataset);
  });

const wasTouched = new WeakSet();
addEventListener('input', ({ target }) => wasTouched.add(target));

function check(field, sentences) {
  const isBad = field.closest('.field, .plain')?.classList.contains('bad') === true;
  const isBlank = field.type === 'checkbox' ? !field.checked : field.value.trim() === '';
  // A field that was never edited gets no error.
  if (isBlank && !isBad && !wasTouched.has(field)) return;
  const missing = field.localName === 'select' ? sentences.choose : sentences.required;
  if (field.required && isBlank) show(field, missing ?? sentences.required);
  else if (field.validity.typeMismatch && sentences[field.type]) show(field, sentences[field.type]);
  else show(field, null);
}

function show(field, sentence) {
  const id = `${field.id}-error`;
  const box = field.closest('.field') ?? field.parentElement;
  const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((one) => one && one !== id);
  document.getElementById(id)?.remove();
  box.classList.toggle('bad', sentence !== null);
  if (sentence !== null) {
    const note = Object.assign(document.createElement('p'), {
      id,
      className: 'error',
      textContent: sentence,
    });
    if (field.type === 'checkbox') field.closest('.pick').after(note);
    else field.after(note);
    others.push(id);
    field.setAttribute('aria-invalid', 'true');
  } else field.removeAttribute('aria-invalid');
  if (others.length > 0) field.setAttribute('aria-describedby', others.join(' '));
  else field.removeAttribute('aria-describedby');
}

// Disables the button for another code until it may be used.
for (const form of all('form[data-wait]')) {
  const button = form.querySelector('button');
  button.disabled = true;
  setTimeout(() => {
    button.disabled = false;
    form.querySelector('[data-wait-note]')?.remove();
  }, form.dataset.wait * 1_000);
}

// Polls the status until the outcome changes.
for (const waiting of all('[data-status]')) {
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

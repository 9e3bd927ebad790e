// What a page does better with script. Without it every page does the same by itself.

const SEARCH_AFTER_MS = 250;
const SEARCH_LENGTH_MIN = 2;
const STATUS_EVERY_MS = 3_000;

const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// One click sends a form once: what comes after it is kept back until the next page is there.
for (const form of all('form[method=post]'))
  form.addEventListener('submit', (event) => {
    if (form.dataset.isSent) return event.preventDefault();
    form.dataset.isSent = 'yes';
    for (const button of all('button', form)) button.setAttribute('aria-disabled', 'true');
  });

// A page out of the browser's memory has its buttons back.
addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  for (const form of all('form')) delete form.dataset.isSent;
  for (const button of all('[aria-disabled]')) button.removeAttribute('aria-disabled');
});

// Tells what is wrong with a field when it is left, in the server's sentences; the server looks at everything again.
for (const form of all('form[data-check]'))
  form.addEventListener('focusout', ({ target: field }) => {
    if (field.matches?.('input:not([type=radio], [type=hidden]), select')) check(field, form.dataset);
  });

function check(field, sentences) {
  const { valueMissing, typeMismatch } = field.validity;
  const isChoice = field.localName === 'select';
  const isBlank = field.required && field.type !== 'checkbox' && field.value.trim() === '';
  const isUntouched = isBlank && !field.closest('.bad') && field.value === field.defaultValue;
  // Whoever only passes through is not told off.
  if (isUntouched && !isChoice) return;
  if (isChoice && isBlank && !field.closest('.bad')) return;
  if (field.type === 'checkbox' && !field.closest('.bad')) return;
  const sentence =
    valueMissing || isBlank
      ? isChoice
        ? (sentences.choose ?? sentences.required)
        : sentences.required
      : typeMismatch && sentences[field.type];
  show(field, sentence || null);
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

// A new code can be asked for after a while.
for (const form of all('form[data-wait]')) {
  const button = form.querySelector('button');
  button.disabled = true;
  setTimeout(() => {
    button.disabled = false;
    form.querySelector('[data-wait-note]')?.remove();
  }, form.dataset.wait * 1_000);
}

// Waits for the outcome.
for (const place of all('[data-status]')) {
  const ask = async () => {
    if (!document.hidden)
      try {
        const { outcome } = await (await fetch(place.dataset.status)).json();
        if (outcome !== place.dataset.outcome) return location.reload();
      } catch {
        // The next time may be better: nothing is lost meanwhile.
      }
    setTimeout(ask, STATUS_EVERY_MS);
  };
  setTimeout(ask, STATUS_EVERY_MS);
  document.addEventListener('visibilitychange', () => setTimeout(ask, STATUS_EVERY_MS), { once: true });
}

// The field that suggests companies: an editable combobox with a list, as the ARIA Authoring Practices describe it.
for (const form of all('form[data-search]')) suggest(form);

function suggest(form) {
  const input = form.elements.query;
  const list = document.getElementById('found');
  const count = form.querySelector('[data-found]');
  const choice = document.getElementById('choose');
  let timer;
  let asking;
  let active = -1;
  const options = () => all('[role=option]', list);
  const attributes = {
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-controls': 'found',
    'aria-expanded': 'false',
    'aria-haspopup': 'listbox',
  };
  for (const [name, value] of Object.entries(attributes)) input.setAttribute(name, value);

  const open = (isOpen) => {
    list.hidden = !isOpen;
    input.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) mark(-1);
  };
  const mark = (index) => {
    active = index;
    for (const [at, option] of options().entries()) {
      option.setAttribute('aria-selected', String(at === index));
      if (at === index) option.scrollIntoView({ block: 'nearest' });
    }
    if (index < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', options()[index].id);
  };
  const choose = (option) => {
    open(false);
    choice.elements.businessId.value = option.dataset.business;
    choice.requestSubmit();
  };
  const search = async () => {
    const query = input.value.trim();
    asking?.abort();
    if (query.length < SEARCH_LENGTH_MIN) {
      count.textContent = '';
      return open(false);
    }
    asking = new AbortController();
    const asked = new URLSearchParams({ country: form.elements.country.value, query });
    try {
      const answer = await fetch(`${form.dataset.search}?${asked}`, {
        headers: { accept: 'text/html-fragment' },
        signal: asking.signal,
      });
      // The button still leads to the page with the results, or to what is the matter.
      if (!answer.ok || answer.redirected) return open(false);
      const part = new DOMParser().parseFromString(await answer.text(), 'text/html');
      list.replaceChildren(...all('[role=option]', part));
      count.textContent = part.querySelector('p').textContent;
      open(options().length > 0);
    } catch {
      // Asked again with the next letter.
    }
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(search, SEARCH_AFTER_MS);
  };
  input.addEventListener('input', later);
  form.elements.country.addEventListener('change', later);
  input.addEventListener('blur', () => open(false));
  // Else the field would lose the focus, and the list close, before the click arrives.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target.closest('[role=option]');
    if (option) choose(option);
  });
  form.addEventListener('submit', () => clearTimeout(timer));
  input.addEventListener('keydown', (event) => {
    const found = options();
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.isComposing) return;
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      if (list.hidden) open(true);
      // One place more than there are options: the field itself.
      mark(((active + 1 + step + found.length + 1) % (found.length + 1)) - 1);
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault();
      choose(found[active]);
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      open(false);
    }
  });
}

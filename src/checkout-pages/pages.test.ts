import { describe, expect, it } from 'vitest';
import { type CheckoutStep, type CheckoutView, STEPS } from '#modules/checkout';
import { COMPANY, SEARCH, VIEWS } from '#test/checkout-views';
import { readHtml } from '#test/html';
import { cancelPage } from './page/cancel-page.ts';
import { companySuggestions } from './page/company-results.ts';
import { sceneOf } from './page/step-page.ts';
import { termsPage } from './page/terms-page.ts';
import { renderStep } from './render-step.ts';

const links = { root: '../', folder: '' };

/** Every page that can be rendered from a view, by name. */
function pagesOf(view: CheckoutView): Record<string, string> {
  const scene = sceneOf(view, links);
  const steps = STEPS.map((step): [CheckoutStep, string] => [step, renderStep({ view, links }, step)]);
  const refused = STEPS.map((step) => [
    `${step} refused`,
    renderStep({ view, links }, step, { refused: { errors: ERRORS, typed: TYPED } }),
  ]);
  return {
    ...Object.fromEntries(steps),
    ...Object.fromEntries(refused),
    found: renderStep({ view, links }, 'company', {
      search: SEARCH,
      searched: { country: 'DE', query: 'x' },
    }),
    terms: termsPage(scene),
    cancel: cancelPage(scene),
  };
}

const FIELDS = ['legalName', 'country', 'email', 'delivery.street', 'to', 'code', 'term', 'consent'];
const ERRORS = [
  { field: null, error: 'error.changed' as const },
  ...FIELDS.map((field) => ({ field, error: 'error.required' as const })),
];
const TYPED = new URLSearchParams({ legalName: 'Typed & kept', street: 'Typed street 1', to: 'OTHER' });

describe.each(Object.entries(VIEWS))('from the state %s', (_, view) => {
  const pages = Object.entries(pagesOf(view));

  it('every page is well-formed', () => {
    for (const [name, page] of pages) expect(readHtml(page).faults, name).toEqual([]);
  });

  it('ids are unique, and every reference to one exists', () => {
    for (const [name, page] of pages) {
      const { elements } = readHtml(page);
      const ids = elements.flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id]));
      expect(new Set(ids).size, name).toBe(ids.length);
      const references = elements.flatMap(({ attributes }) =>
        ['for', 'aria-describedby', 'aria-labelledby']
          .flatMap((reference) => attributes[reference]?.split(' ') ?? [])
          .filter((id) => !ids.includes(id)),
      );
      expect(references, name).toEqual([]);
    }
  });

  it('every field has a label, and every POST form the version', () => {
    for (const [name, page] of pages) {
      const { elements } = readHtml(page);
      const labels = new Set(elements.map(({ attributes }) => attributes.for));
      const fields = elements.filter(
        (element) => /^(input|select)$/.test(element.name) && element.attributes.type !== 'hidden',
      );
      for (const { attributes } of fields)
        expect(labels, `${name}: ${attributes.name}`).toContain(attributes.id);
      const posts = elements.filter(({ attributes }) => attributes.method === 'post').length;
      const versions = elements.filter(({ attributes }) => attributes.name === 'version');
      expect(versions.length, name).toBe(posts);
      for (const { attributes } of versions) expect(attributes.value).toBe(String(view.version));
    }
  });

  it('no style, script or event handler is inline', () => {
    for (const [name, page] of pages) {
      const { elements } = readHtml(page);
      expect(elements.filter(({ name }) => name === 'style')).toEqual([]);
      for (const { name: tag, attributes } of elements) {
        expect(
          Object.keys(attributes).filter((key) => key === 'style' || key.startsWith('on')),
          name,
        ).toEqual([]);
        if (tag === 'script') expect(attributes.src).toMatch(/^\.\.\/assets\/checkout-[0-9a-f]{16}\.js$/);
      }
    }
  });
});

describe('a refused form', () => {
  const page = renderStep({ view: VIEWS.company, links }, 'company', {
    refused: { errors: [{ field: 'legal_name', error: 'error.required' }], typed: TYPED },
  });
  const { elements } = readHtml(page);
  const byId = (id: string) => elements.find(({ attributes }) => attributes.id === id);

  it('keeps the typed values, open for correction', () => {
    expect(byId('f-legalName')?.attributes.value).toBe('Typed &amp; kept');
    expect(byId('f-street')?.attributes.value).toBe('Typed street 1');
    expect(byId('manual')?.attributes).toHaveProperty('open');
  });

  it('shows its errors on top, focuses them, and links to the field', () => {
    expect(byId('wrong')?.attributes).toMatchObject({ autofocus: '', role: 'alert', tabindex: '-1' });
    expect(page).toContain('<a href="#f-legalName">Legal company name: This field is required.</a>');
    expect(byId('f-legalName')?.attributes).toMatchObject({
      'aria-invalid': 'true',
      'aria-describedby': 'f-legalName-hint f-legalName-error',
    });
    expect(page).toContain('<title>Error: Which company are you ordering for? – Markthalle');
  });
});

describe('an incomplete company of the registry', () => {
  it('can be completed by hand', () => {
    const view: CheckoutView = {
      ...VIEWS.company,
      company: { ...COMPANY, legalForm: '', businessId: 'reg_1' },
    };
    const { elements } = readHtml(renderStep({ view, links }, 'company'));
    const named = (name: string) => elements.find(({ attributes }) => attributes.id === name)?.attributes;
    expect(named('manual')).toHaveProperty('open');
    expect(named('f-city')?.value).toBe('Berlin');
  });
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus='alert(1)",
  '</title><svg onload=alert(1)>',
  '<!-- --><!doctype html>',
  '&lt;script&gt;&#x27;&quot;',
  '{{7*7}}<%= 7*7 %>',
  '\u202E\u2066<b>\uF8FF0\uF8FF',
  ']]></style></textarea></noscript><iframe srcdoc="x">',
];

/** The view with the hostile text in every field of foreign text. */
function spoiled<T>(value: T, hostile: string, path = ''): T {
  if (Array.isArray(value)) return value.map((item) => spoiled(item, hostile, path)) as T;
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, OURS.has(key) ? item : spoiled(item, hostile, key)]),
    ) as T;
  return (typeof value === 'string' && value !== '' ? hostile : value) as T;
}

/** Fields with values from a fixed list of ours. */
const OURS = new Set([
  'language',
  'formality',
  'currency',
  'step',
  'steps',
  'legalForm',
  'country',
  'salutation',
  'to',
  'credit',
  'payment_term',
  'term',
  'reason',
  'reasons',
  'review',
  'purpose',
  'choice',
  'outcome',
  'timeZone',
]);

describe('foreign texts', () => {
  it.each(HOSTILE)('are rendered as text only: %s', (hostile) => {
    for (const view of Object.values(VIEWS)) {
      const innocent = pagesOf(view);
      const pages = pagesOf(spoiled(view, hostile));
      for (const [name, page] of Object.entries(pages)) {
        const parsed = readHtml(page);
        expect(parsed.faults, name).toEqual([]);
        // The same elements as with harmless text.
        const names = (text: string) => readHtml(text).elements.map((element) => element.name);
        expect(names(page), name).toEqual(names(innocent[name] as string));
        expect(
          parsed.elements
            .flatMap(({ attributes }) => Object.keys(attributes))
            .filter((key) => /^on|srcdoc/.test(key)),
        ).toEqual([]);
      }
    }
  });

  it.each(HOSTILE)('are rendered as text only in suggestions: %s', (hostile) => {
    const { translator } = sceneOf(VIEWS.company, links);
    const part = companySuggestions(spoiled(SEARCH, hostile), translator);
    const { faults, elements } = readHtml(`<!doctype html>\n${part}`);
    expect(faults).toEqual([]);
    expect(new Set(elements.map(({ name }) => name))).toEqual(new Set(['p', 'ul', 'li', 'span', 'bdi']));
  });
});

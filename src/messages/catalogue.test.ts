import { describe, expect, it } from 'vitest';
import { FORMALITIES, LANGUAGES } from '#kernel/language';
import { catalogueOf, MESSAGE_KEYS, translatorOf } from '#messages';
import { faultsOfCatalogue } from '#test/catalogues';

const COUNTS = [0, 1, 2, 3, 5, 11, 21, 100, 1_000_000];

/** A value for every argument of any message. */
const valuesWith = (count: number) =>
  new Proxy({} as Record<string, string | number>, {
    has: () => true,
    get: (_, name) => (PLURALS.has(String(name)) ? count : `«${String(name)}»`),
    // ICU checks that a value exists before it reads it.
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  });
const PLURALS = new Set([
  'count',
  'max',
  'left',
  'minutes',
  'seconds',
  'days',
  'months',
  'step',
  'steps',
  'quantity',
  'number',
  'points',
]);

describe.each(LANGUAGES)('the catalogue of %s', (language) => {
  it('has every message with its arguments and plurals, and nothing else', () => {
    expect(faultsOfCatalogue(language, catalogueOf(language), catalogueOf('EN'))).toEqual([]);
  });

  it('formats every message in every formality, for any number', () => {
    for (const formality of FORMALITIES) {
      const translator = translatorOf(language, formality);
      for (const key of MESSAGE_KEYS)
        for (const count of COUNTS) {
          const text = translator.text(key, valuesWith(count));
          expect(text, `${key} in ${formality}`).not.toMatch(/[{}#]|undefined/);
        }
    }
  });
});

describe('languages with formalities', () => {
  it.each([
    'DE',
    'FR',
    'ES',
    'IT',
    'PT',
    'NL',
    'PL',
    'CS',
    'SK',
    'SL',
    'HR',
    'HU',
    'RO',
    'BG',
    'RU',
    'UK',
    'EL',
    'TR',
    'ET',
    'FI',
    'LT',
    'LV',
  ] as const)('%s distinguishes them in many messages', (language) => {
    const apart = Object.values(catalogueOf(language)).filter((message) => typeof message === 'object');
    expect(apart.length).toBeGreaterThan(30);
  });
});

describe('the greeting of a mail', () => {
  // After a comma these languages continue in lower case, but the texts begin with a capital.
  it.each(['PL', 'CS', 'SK', 'SL', 'HR'] as const)(
    'ends as the sentence after it begins, in %s',
    (language) => {
      for (const formality of FORMALITIES) {
        const { text } = translatorOf(language, formality);
        expect(text('mail.greeting', { name: 'Ada' })).toMatch(/Ada!$/);
        expect(text('mail.greeting_plain')).toMatch(/\p{L}!$/u);
      }
    },
  );
});

describe('a French text', () => {
  it('breaks no line before the punctuation that a space precedes', () => {
    const texts = Object.entries(catalogueOf('FR')).flatMap(([key, text]) =>
      (typeof text === 'string' ? [text] : Object.values(text)).map((each) => `${key}: ${each}`),
    );
    expect(texts.filter((text) => / [:;?!»]|« /.test(text))).toEqual([]);
  });
});

describe('a dispute that is rejected', () => {
  it('is named by one word in French, on the page and in mails', () => {
    const { text } = translatorOf('FR', 'FORMAL');
    expect(text('dispute.REJECTED')).toBe('Refusée');
    expect(text('mail.dispute_rejected_title')).toBe('Contestation refusée');
    const values = { amount: '1 €', number: '1', merchant: 'M' };
    expect(text('mail.dispute_rejected', values)).toContain('a été refusée');
  });
});

describe('amounts and days', () => {
  it.each([
    ['DE', 123_456, 'EUR', '1.234,56 €'],
    ['EN', 123_456, 'EUR', '€1,234.56'],
    ['FR', 123_456, 'EUR', '1 234,56 €'],
    ['JA', 123_456, 'JPY', '￥123,456'],
    ['HU', 5, 'HUF', '0,05 Ft'],
    ['EN', -5, 'GBP', '-£0.05'],
    ['PL', 1_000_000_000_000, 'PLN', '10 000 000 000,00 zł'],
    ['EN', 999_999_999_999_999_999n, 'EUR', '€9,999,999,999,999,999.99'],
    ['EN', -1n, 'EUR', '-€0.01'],
  ] as const)('%s writes %s of %s exactly', (language, minor, currency, text) => {
    const written = translatorOf(language, 'NEUTRAL').money(minor, currency);
    expect(written.replaceAll(/[\u00a0\u202f]/g, ' ')).toBe(text);
  });

  it('rates keep their decimals', () => {
    expect(translatorOf('EN', 'FORMAL').percent(1_215)).toBe('12.15%');
  });

  it.each([
    ['BG', 1, '1 процентен пункт.'],
    ['CS', 3, '3 procentní body.'],
    ['CS', 8, '8 procentních bodů.'],
    ['DE', 9.2, '9,2 Prozentpunkten über'],
    ['FR', 10, '10 points de pourcentage.'],
    ['HR', 2, '2 postotna boda.'],
    ['HR', 8, '8 postotnih bodova.'],
    ['LT', 8, '8 procentiniais punktais.'],
    ['LT', 9.2, '9,2 procentinio punkto.'],
    ['LT', 10, '10 procentinių punktų.'],
    ['LT', 21, '21 procentiniu punktu.'],
    ['LV', 1, 'pieskaitīts 1 procentpunkts.'],
    ['LV', 10, 'pieskaitīti 10 procentpunkti.'],
    ['PL', 3, '3 punkty procentowe w skali'],
    ['PL', 8, '8 punktów procentowych w skali'],
    ['PL', 9.2, '9,2 punktu procentowego w skali'],
    ['RU', 3, '3 процентных пункта.'],
    ['RU', 10, '10 процентных пунктов.'],
    ['SK', 9.2, '9,2 percentuálneho bodu ročne.'],
    ['SL', 2, '2 odstotni točki.'],
    ['SL', 8, '8 odstotnih točk.'],
    ['UK', 3, '3 процентні пункти.'],
    ['UK', 10, '10 процентних пунктів.'],
  ] as const)('points of a rate in %s: %s', (language, points, text) => {
    expect(translatorOf(language, 'FORMAL').text('late.interest_ecb', { points })).toContain(text);
  });

  it('are formatted in the language, with days in UTC', () => {
    expect(translatorOf('DE', 'FORMAL').day(1_798_761_599)).toBe('31. Dezember 2026');
    expect(translatorOf('FR', 'FORMAL').day(1_761_955_200)).toBe('1er novembre 2025');
    expect(translatorOf('IT', 'FORMAL').day(1_761_955_200)).toBe('1º novembre 2025');
    expect(translatorOf('FR', 'FORMAL').day(1_762_819_200)).toBe('11 novembre 2025');
    expect(translatorOf('AR', 'FORMAL').direction).toBe('rtl');
  });

  it.each(['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Pacific/Kiritimati'])(
    'a day without a time is the same day in %s',
    (timeZone) => {
      expect(translatorOf('EN', 'NEUTRAL', timeZone).dayOn('2026-01-31')).toBe('31 January 2026');
      expect(translatorOf('FR', 'FORMAL', timeZone).dayOn('2026-02-01')).toBe('1er février 2026');
    },
  );
});

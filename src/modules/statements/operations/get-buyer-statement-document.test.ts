import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#kernel/language';
import { translatorOf } from '#messages';
import { invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { addLateCharge } from '#test/late-charges';
import { hasWords, plainOf, readPdf } from '#test/pdf';

const DAY = 86_400;
const { create, world } = useInvoicing();

async function documentOf(query = `from=${NOW - DAY}`, buyer = 'buyer'): Promise<Buffer> {
  const { baseUrl, apiKey } = world();
  const reply = await fetch(`${baseUrl}/v1/buyers/${buyer}/statement/document?${query}`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const bytes = Buffer.from(await reply.arrayBuffer());
  expect(`${reply.status} ${reply.headers.get('content-type')}`, bytes.toString('latin1', 0, 500)).toBe(
    '200 application/pdf',
  );
  return bytes;
}

const speak = (language: string, formality = 'NEUTRAL') =>
  world().sql("update buyers set language = $1, formality = $2 where external_id = 'buyer'", [
    language,
    formality,
  ]);

describe('GET /v1/buyers/{external_id}/statement/document', () => {
  it.each(LANGUAGES)('200: says in %s what the statement says, tagged and small', async (language) => {
    if (language === LANGUAGES[0]) {
      await create(
        invoiceBody({ external_id: 'a', buyer_external_id: 'buyer', due_at: NOW + DAY, ...grossOf(123_456) }),
      );
      await addLateCharge(world(), 'a', { amountMinor: 258 });
      await world().post('/v1/invoices/a/payments', { amount: 23_456, received_by: 'PLATFORM' });
      world().clock.set(NOW + 10 * DAY);
    }
    await speak(language);
    const bytes = await documentOf();
    const { text, money, shortDay, percent, locale } = translatorOf(language, 'NEUTRAL');
    const pdf = await readPdf(bytes, { withQrCodes: false });
    const said = plainOf(pdf.text);
    const expected = [
      ...(
        [
          'opening_balance',
          'closing_balance',
          'open_invoices',
          'due_date',
          'days_overdue',
          'outstanding',
        ] as const
      ).map((key) => text(`document.${key}`)),
      ...(
        [
          'customer_number',
          'description',
          'amount',
          'balance',
          'late_charges',
          'rate',
          'calculation',
        ] as const
      ).map((key) => text(`document.${key}`)),
      text('document.INVOICE', { number: 'a' }),
      text('document.PAYMENT', { number: 'a' }),
      text('document.INTEREST', { number: 'a' }),
      money(123_456, 'EUR'),
      money(-23_456, 'EUR'),
      money(100_258, 'EUR'),
      shortDay(NOW),
      percent(1_027),
    ];
    const missing = expected.filter((each) =>
      language === 'AR' ? !hasWords(pdf.text, each) : !said.includes(plainOf(each)),
    );
    expect(missing).toEqual([]);
    expect(said).not.toContain('�');
    expect(pdf).toMatchObject({ title: text('document.statement_title'), isTagged: true });
    expect(`${pdf.language}`.split('-')[0]).toBe(locale.split('-')[0]);
    expect(pdf.roles).toMatchObject({ Document: 1, Table: 3 });
    expect(bytes.length / pdf.pages).toBeLessThan(200_000);
  });

  it('200: is the same bytes for the same statement, also later', async () => {
    await speak('DE', 'FORMAL');
    const query = `from=${NOW - DAY}&at=${NOW + DAY}`;
    const before = await documentOf(query);
    world().clock.set(NOW + 30 * DAY);
    expect((await documentOf(query)).equals(before)).toBe(true);
    expect((await documentOf()).equals(before)).toBe(false);
  });

  it('200: names the amount that a dispute contests', async () => {
    await world().post('/v1/invoices/a/disputes', { external_id: 'part', reason: 'DAMAGED', amount: 4_321 });
    const { text, money } = translatorOf('DE', 'FORMAL');
    const said = plainOf((await readPdf(await documentOf())).text);
    expect(said).toContain(plainOf(`${text('dispute.title')} · a${money(4_321, 'EUR')}`));
  });

  it('200: of a buyer that owes nothing says so', async () => {
    await world().sql("update buyers set language = 'EN' where external_id = 'stranger'");
    const { text } = await readPdf(await documentOf('', 'stranger'));
    expect(text).toContain(translatorOf('EN', 'NEUTRAL').text('document.nothing_open'));
  });

  it('400 and 404: as the statement', async () => {
    const status = async (path: string) => (await world().get(path)).status;
    expect(await status(`/v1/buyers/buyer/statement/document?at=${NOW + 900 * DAY}`)).toBe(400);
    expect(await status('/v1/buyers/nobody/statement/document')).toBe(404);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { translatorOf } from '#messages';
import { listLateChargesOfInvoice } from '#modules/invoices';
import { sealedSettings } from '#modules/platforms';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import { type MailServer, startMailServer } from '#test/mail-server';
import { mailsOf } from '#test/mails';
import { plainOf, readPdf } from '#test/pdf';
import { sendMails } from '#test/send-mails';

const IBAN = 'DE89370400440532013000';
const { text, money, percent } = translatorOf('DE', 'FORMAL');
const { debtor, invoice, mailsAbout, show, until, world } = useDunning();
let server: MailServer;
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1_000;
const SENT_IN = noonOf('2026-05-01');
const due = (day: string) => ({ invoiced_at: SENT_IN, due_at: noonOf(day) });

beforeAll(async () => {
  server = await startMailServer();
  const { code, data_key_wrapped } = world().platform;
  const vault = world().installation.vault.forPlatform(code, data_key_wrapped);
  await world().sql('update platforms set iban_sealed = $1, account_holder = $2, bic = $3', [
    sealedSettings(vault, { iban: IBAN }).iban_sealed,
    'Markthalle GmbH',
    'COBADEFFXXX',
  ]);
});
afterAll(() => server.close());

const sendAll = () => sendMails(world(), server);

const inGerman = (buyer: string) =>
  world().sql("update buyers set language = 'DE', formality = 'FORMAL' where external_id = $1", [buyer]);

async function listed(invoiceExternalId: string) {
  const { platform_id: platformId } = world().platform;
  const key = { platformId, externalId: invoiceExternalId };
  return listLateChargesOfInvoice(world().installation.db, key);
}

const says = (said: string, ...expected: string[]) =>
  expect(expected.filter((each) => !plainOf(said).includes(plainOf(each)))).toEqual([]);

describe('a reminder', () => {
  it('has a document attached: its words, each charge with its computation, and how to pay', async () => {
    world().clock.set(INVOICING_NOW);
    const buyer = await debtor();
    await inGerman(buyer);
    const contact = { external_id: 'second', buyer_external_id: buyer, email: 'second@cafe.example' };
    await world().put(`/v1/contacts/of-${buyer}`, {
      ...{ external_id: `of-${buyer}`, buyer_external_id: buyer, email: 'bills@cafe.example' },
      assign_to_all_invoices: true,
    });
    await world().post('/v1/contacts', { ...contact, assign_to_all_invoices: true });
    const late = await invoice(buyer);
    await until('2025-12-12');
    // The two courtesies, each to two people.
    expect((await sendAll()).map(({ files }) => files)).toEqual([[], [], [], []]);
    await until('2025-12-29');
    const { late_charges: charged, outstanding_amount, payment_reference } = await show(late);
    const sent = await sendAll();
    const firm = sent.filter(({ files }) => files[0]?.filename === 'reminder-2025-12-29.pdf');
    expect(firm.map(({ to }) => to).toSorted()).toEqual(['bills@cafe.example', 'second@cafe.example']);
    const [bytes = Buffer.of(), others] = firm.map(({ files }) => files[0]?.bytes);
    expect(bytes).toEqual(others);
    const pdf = await readPdf(new Uint8Array(bytes));
    const owed = outstanding_amount + charged.outstanding_amount;
    const interest = (await listed(late)).find(({ kind }) => kind === 'INTEREST');
    const [line] = interest?.computation.lines ?? [];
    says(
      pdf.text,
      text('reminder.firm_title'),
      text('reminder.firm', { creditor: 'Nordlicht Kaffeerösterei GmbH' }),
      text('reminder.compensation', { number: late }),
      money(4_000, 'EUR'),
      text('order.to_pay'),
      money(owed, 'EUR'),
      text('document.calculation'),
      percent(line?.rate_basis_points ?? 0),
      money(line?.interest ?? 0, 'EUR'),
      text('reminder.paid'),
    );
    expect(pdf).toMatchObject({ isTagged: true, title: text('reminder.firm_title'), language: 'de' });
    expect(pdf.qrTexts).toEqual([
      `BCD\n002\n1\nSCT\nCOBADEFFXXX\nMarkthalle GmbH\n${IBAN}\nEUR${(owed / 100).toFixed(2)}\n\n${payment_reference}`,
    ]);
  });

  it('of several invoices has one table of them, and a code for each', async () => {
    world().clock.set(SENT_IN);
    const buyer = await debtor();
    await inGerman(buyer);
    const older = await invoice(buyer, due('2026-05-28'));
    const younger = await invoice(buyer, due('2026-05-29'));
    for (const day of ['2026-06-02', '2026-06-03']) await until(day);
    const [mail] = (await mailsAbout(younger)).slice(-1);
    expect(mail?.kind).toBe('reminder_overdue');
    const name = 'reminder-2026-06-03.pdf';
    const files = (await sendAll()).flatMap((each) => each.files);
    const attached = files.find(({ filename }) => filename === name);
    const pdf = await readPdf(new Uint8Array(attached?.bytes ?? []));
    expect(plainOf(pdf.text).indexOf(plainOf(older))).toBeLessThan(
      plainOf(pdf.text).indexOf(plainOf(younger)),
    );
    expect(pdf.roles).toMatchObject({ Table: 1, Figure: 2 });
    says(pdf.text, money(200_000, 'EUR'), (await show(older)).payment_reference);
  });

  it('is no copy in the mail, and personal data in it is sealed', async () => {
    const mails = (await mailsOf(world())).filter(({ kind }) => kind === 'reminder_overdue');
    for (const { files } of mails)
      expect(files).toEqual([{ documentId: expect.any(String), name: expect.stringMatching(/^reminder-/) }]);
    const rows = await world().sql<{ body_sealed: Buffer | null; kind: string }>(
      `select f.body_sealed, l.kind from dunning_mailings l
       left join filed_documents f on f.platform_id = l.platform_id and f.document_id = l.mailing_id`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { body_sealed, kind } of rows) {
      expect(body_sealed === null).toBe(kind === 'BEFORE_DUE' || kind === 'DUE');
      expect(body_sealed?.includes(Buffer.from('dunned-')) ?? false).toBe(false);
    }
  });
});

/** A buyer with an example of everything that its page shows. */
import { buyerBody, merchantBody } from './bodies.ts';
import { grantFacility } from './credit.ts';
import { addFiledDocument } from './filed-documents.ts';
import { FILES } from './files.ts';
import { addLateCharge } from './late-charges.ts';
import { createWorld, type World } from './world.ts';

export const STORY_NOW = 1_763_640_000;
const DAY = 86_400;
export const STORY_EMAIL = 'einkauf@morgenrot.example';

export interface StoryNames {
  company?: string;
  merchant?: string;
  item?: string;
  invoiceNumber?: string;
  file?: string;
}

export interface AccountStory {
  world: World;
  buyer: string;
  /** An invoice twelve days overdue, with late charges. */
  overdue: string;
  /** An invoice in three instalments. */
  split: string;
  paid: string;
  close(): Promise<void>;
}

/** Creates the buyer. Afterwards, the platform's clock is 22 days ahead of STORY_NOW. */
export async function tellAccountStory(names: StoryNames = {}, language = 'EN'): Promise<AccountStory> {
  const {
    company = 'Café Morgenrot eG',
    merchant = 'Nordlicht Kaffeerösterei GmbH',
    item = 'Espresso “Polar”, 1 kg',
    invoiceNumber = 'RE-2025-1009',
    file = 'Rechnung RE-2025-1009.pdf',
  } = names;
  const world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: {
      ...{ name: 'Markthalle', support_emails: ['hilfe@markthalle.example'] },
      ...{ account_holder: 'Markthalle GmbH', iban: 'DE89370400440532013000' },
    },
  });
  world.clock.set(STORY_NOW);
  const made = async (path: string, body: object) => {
    const { status, text } = await world.post(path, body);
    if (status !== 201) throw new Error(`${path}: ${status} ${text}`);
  };
  await made('/v1/merchants', merchantBody({ legal_name: merchant }));
  const buyer = buyerBody({ legal_name: company, contact_email: STORY_EMAIL });
  await made('/v1/buyers', buyer);
  await made('/v1/contacts', {
    ...{ external_id: 'amina', buyer_external_id: 'buyer', first_name: 'Amina', last_name: 'Yılmaz' },
    email: 'amina@morgenrot.example',
  });
  await world.put('/v1/buyers/buyer/settings', { language, formality: null });
  await grantFacility(world, { buyer: 'buyer', totalMinor: 2_500_000 });
  const lines = [
    { name: item, category: 'COFFEE', quantity: 4, price: 2_450, description: 'Light roast' },
    { name: 'Filter papers', category: 'SUPPLIES', quantity: 1, price: 200, description: null },
  ];
  const order = async (external_id: string, payment_term: string) =>
    made('/v1/orders', {
      ...{ external_id, buyer_external_id: 'buyer', merchant_external_id: 'merchant' },
      ...{ amount: { net: 10_000, tax: 1_900, gross: 11_900 }, payment_method: 'TRANSFER', payment_term },
    });
  const invoice = (external_id: string, more: object) =>
    made('/v1/invoices', {
      ...{ external_id, amount: { net: 10_000, tax: 1_900, gross: 11_900 } },
      ...more,
    });
  const alone = { buyer_external_id: 'buyer', merchant_external_id: 'merchant', payment_method: 'TRANSFER' };
  await invoice('overdue', {
    ...{ ...alone, due_at: STORY_NOW + 10 * DAY, invoice_number: invoiceNumber, line_items: lines },
  });
  await order('order-split', 'SPLIT_3M');
  await invoice('split', { order_external_ids: ['order-split'], invoice_number: 'RE-2025-1010' });
  await invoice('paid', { ...alone, due_at: STORY_NOW + 20 * DAY, invoice_number: 'RE-2025-0988' });
  await made('/v1/invoices/paid/payments', {
    ...{ external_id: 'payment', amount: 11_900, received_by: 'PLATFORM', paid_at: STORY_NOW },
  });
  await made('/v1/credit_notes', {
    ...{ external_id: 'credit-1', invoice_external_id: 'overdue', reason_code: 'RETURN' },
    amount: { net: 1_000, tax: 190, gross: 1_190 },
  });
  await order('order-reserved', 'DEFER_30D');
  await upload(world, 'overdue', { id: 'invoice-pdf', kind: 'INVOICE', name: file });
  await upload(world, 'overdue', { id: 'contract', kind: 'CONTRACT', name: 'Contract.pdf' });
  const notice = { documentId: 'notice', invoice: 'overdue', buyer: 'buyer' };
  await addFiledDocument(world, world.platform.platform_id, notice);
  await world.post('/v1/sandbox/clock', { advance_seconds: 22 * DAY });
  await addLateCharge(world, 'overdue');
  await addLateCharge(world, 'overdue', { kind: 'COMPENSATION', amountMinor: 4_000 });
  return {
    ...{ world, buyer: 'buyer', overdue: 'overdue', split: 'split', paid: 'paid' },
    close: () => world.close(),
  };
}

async function upload(
  world: World,
  invoice: string,
  { id, kind, name }: { id: string; kind: string; name: string },
): Promise<void> {
  const query = new URLSearchParams({ file_external_id: id, kind, name });
  const answer = await fetch(`${world.baseUrl}/v1/invoices/${invoice}/files?${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.apiKey}`, 'content-type': 'application/pdf' },
    body: new Uint8Array(FILES['application/pdf']),
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
}

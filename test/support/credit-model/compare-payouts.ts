/** Compares services, the merchant's accounts and payouts. Each function throws at the first difference, with both values. */
import { deepStrictEqual } from 'node:assert';
import { transactionStatuses } from './bank-rows.ts';
import type { Payout, Service } from './merchant-state.ts';
import type { Reality } from './reality.ts';
import { servicesOf } from './service-status.ts';
import { DAY_SECONDS, type Invoice, type Model } from './state.ts';

const shownService = (service: Service) => ({
  id: service.id,
  type: service.type,
  status: service.status,
  requirements: service.requirements.toSorted(),
  base: service.base,
  fee: { net: service.feeNet, tax: service.feeTax },
  set_off: service.setOff,
  advance: service.advance,
});

// biome-ignore lint/suspicious/noExplicitAny: a service as the service shows it.
const seenService = (item: any) => ({
  id: item.external_id,
  type: item.service_type,
  status: item.status,
  requirements: item.requirements.map(({ code }: { code: string }) => code).sort(),
  base: item.base_amount,
  fee: { net: item.fee.net, tax: item.fee.tax },
  set_off: item.set_off_amount,
  advance: item.advance.value,
});

/** The services of an invoice, in the order in which they were requested. */
export const shownServices = (model: Model, invoice: Invoice) => servicesOf(model, invoice).map(shownService);

export async function compareServices(model: Model, invoice: Invoice, reality: Reality): Promise<void> {
  const services = shownServices(model, invoice);
  if (services.length === 0) return;
  const { body } = await reality.get(`/v1/invoices/${invoice.id}/services?limit=100`);
  deepStrictEqual(body.items.map(seenService), services);
}

const dayText = (day: number) => new Date(day * DAY_SECONDS * 1_000).toISOString().slice(0, 10);

const shownPayout = ({ id, status, amount, payee, day, paidAt }: Payout) => ({
  ...{ id, status, amount, payee: payee.id, day: dayText(day), paidAt },
});

// biome-ignore lint/suspicious/noExplicitAny: a payout as the service shows it.
const seenPayout = (item: any) => ({
  ...{ id: item.external_id, status: item.status, amount: item.amount, paidAt: item.paid_at },
  ...{ payee: item.payout_instruction_external_id, day: item.scheduled_on },
});

const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);

export const shownBankEntries = ({ bankEntries }: Model) =>
  Object.fromEntries(bankEntries.map(({ id, status }) => [id, status]));

export async function compareBankEntries(model: Model, reality: Reality): Promise<void> {
  if (model.bankEntries.length === 0) return;
  deepStrictEqual(await transactionStatuses(reality), shownBankEntries(model));
}

/** Deleted accounts are not shown. */
export const shownPayouts = ({ merchant }: Model) => ({
  payees: merchant.payees
    .filter(({ status }) => status !== 'DELETED')
    .map(({ id, status }) => ({ id, status }))
    .sort(byId),
  payouts: merchant.payouts.map(shownPayout).sort(byId),
});

/** Compares the merchant's accounts and payouts. */
export async function comparePayouts(model: Model, reality: Reality): Promise<void> {
  if (model.merchant.payees.length === 0) return;
  const { body: accounts } = await reality.get('/v1/payout_instructions?limit=100');
  const payees = accounts.items.map((item: Record<string, string>) => ({
    id: item.external_id,
    status: item.status,
  }));
  const { body } = await reality.get('/v1/payouts?limit=100');
  const payouts = body.items.map(seenPayout).sort(byId);
  deepStrictEqual({ payees: payees.sort(byId), payouts }, shownPayouts(model));
}

/** The requests that arrive at a receiver match the webhooks section of openapi.json. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EVENT_TYPES, type EventType } from '#kernel/event';
import { freezeFacility, overrideLimit, unfreezeFacility } from '#modules/facilities';
import { waiveLateCharge } from '#modules/invoices';
import { retryPayout } from '#modules/payouts';
import { serviceEvents } from '#modules/services';
import { type Json, readApiDocument } from '#test/api-document';
import { buyerBody, invoiceBody, merchantBody } from '#test/bodies';
import { act } from '#test/credit';
import { creditNoteBody } from '#test/credit-notes';
import { addFacility, decide, makeDueOfFacilities, onFacility } from '#test/facilities';
import { FILES } from '#test/files';
import { addLateCharge } from '#test/late-charges';
import { operate } from '#test/operator';
import { addParties, STATES, type State } from '#test/order-statuses';
import { decidePayee, sepaBody } from '#test/payees';
import { namePayout } from '#test/payout-rows';
import { type Receiver, startReceiver } from '#test/receiver';
import { changeReminders } from '#test/reminders';
import { addService } from '#test/services';
import { createWorld, type World } from '#test/world';
import type { InvoiceTrigger } from '../../src/modules/invoices/invoice.lifecycle.ts';
import { type InvoiceRow, lockInvoice } from '../../src/modules/invoices/invoice.queries.ts';
import { type InvoiceChanges, transitionInvoice } from '../../src/modules/invoices/transition-invoice.ts';
import type { ServiceStatus, ServiceType } from '../../src/modules/services/service-status.rules.ts';

const { document, faultsOf, follow } = readApiDocument();

let world: World;
let receiver: Receiver;
beforeAll(async () => {
  [world, receiver] = await Promise.all([createWorld(), startReceiver()]);
  for (const type of new Set(EVENT_TYPES.map((name) => name.split('.')[0])))
    expect((await world.post('/v1/webhooks', { type, url: receiver.url })).status).toBe(201);
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const ofBuyer = (buyer: string) => ({ params: { external_id: buyer }, body: { reason: 'It is so.' } });

/** A buyer that the sandbox refers to a person for every request, granted credit by a person. */
async function granted(buyer: string): Promise<void> {
  await addFacility(world, buyer);
  await decide(world, buyer, 'CREATION', 'ACCEPT');
}

let parties: Promise<void> | undefined;
async function orderThatIs(state: State): Promise<void> {
  parties ??= addParties(world);
  await parties;
  await STATES[state](world, `order-${state}`);
}

const PAID = { paid_amount: 11_900, paid_at: 1 };
let invoicesMade = 0;
let payeesMade = 0;
/** An invoice without orders, after these transitions. */
async function invoiceAfter(...steps: [InvoiceTrigger, InvoiceChanges][]): Promise<string> {
  parties ??= addParties(world);
  await parties;
  const externalId = `invoice-${++invoicesMade}`;
  const made = await world.post(
    '/v1/invoices',
    invoiceBody({ external_id: externalId, buyer_external_id: 'prompt' }),
  );
  expect(made.status).toBe(201);
  for (const [trigger, changes] of steps)
    await act(world, async (context) => {
      const invoice = await lockInvoice(context.db, { platformId: context.platformId, externalId });
      await transitionInvoice(context, invoice as InvoiceRow, trigger, changes);
    });
  return externalId;
}

/** The path of a file of a new invoice. */
async function addInvoiceFile(): Promise<string> {
  const path = `/v1/invoices/${await invoiceAfter()}/files`;
  const added = await world.post(
    `${path}?file_external_id=f1&kind=INVOICE&name=x.pdf`,
    FILES['application/pdf'],
  );
  return added.headers.get('location') as string;
}

/** A payment on a new invoice; returns its path. */
async function payment(): Promise<string> {
  await invoiceAfter();
  const path = `/v1/invoices/invoice-${invoicesMade}/payments`;
  const { body } = await world.post(path, { amount: 5_000, received_by: 'PLATFORM' });
  return `${path}/${body.external_id}`;
}

/** A payment on a new invoice that settles its late charge too; returns its path. */
async function paidCharge(): Promise<string> {
  const invoice = await invoiceAfter();
  await addLateCharge(world, invoice);
  const path = `/v1/invoices/${invoice}/payments`;
  const { body } = await world.post(path, { amount: 11_900 + 258, received_by: 'PLATFORM' });
  return `${path}/${body.external_id}`;
}

/** A dispute of a new invoice; returns its path. */
async function dispute(): Promise<string> {
  const invoice = await invoiceAfter();
  const body = { external_id: `dispute-of-${invoice}`, reason: 'DAMAGED', amount: 1_190 };
  return (await world.post(`/v1/invoices/${invoice}/disputes`, body)).headers.get('location') as string;
}

/** A payout instruction of a new merchant; returns its path. */
async function payoutInstruction(): Promise<string> {
  const external_id = `payee-${++payeesMade}`;
  await world.post('/v1/merchants', merchantBody({ external_id }));
  const body = sepaBody({ external_id, merchant_external_id: external_id });
  return (await world.post('/v1/payout_instructions', body)).headers.get('location') as string;
}

/** Each event of services: a service in its status, on a new invoice. */
const OF_SERVICES = Object.fromEntries(
  Object.keys(serviceEvents).map((name) => [
    name,
    async () => {
      const [, type, status] = name.split('.') as [string, ServiceType, ServiceStatus];
      await addService(world, { invoice: await invoiceAfter(), type, status });
    },
  ]),
) as Record<keyof typeof serviceEvents, () => Promise<void>>;

/** A payout to a new account, and the change to make to it. */
async function payoutFor(trigger: string, status: 'SCHEDULED' | 'PAID' = 'PAID') {
  const merchant = (await payoutInstruction()).split('/').at(-1) as string;
  await decidePayee(world, merchant, 'verify');
  const external_id = `payout-of-${merchant}`;
  const payout = { externalId: external_id, merchant, instruction: merchant, status };
  await namePayout(world, world.platform.platform_id, payout);
  return { external_id, trigger };
}

/** How each event is caused. */
const CAUSES: Record<EventType, () => Promise<unknown>> = {
  'BUYER.CREATED': () => world.post('/v1/buyers', buyerBody({ external_id: 'made' })),
  'BUYER.UPDATED': async () => {
    await world.post('/v1/buyers', buyerBody({ external_id: 'changed' }));
    await world.put('/v1/buyers/changed/settings', { language: 'DE' });
  },
  'CREDIT_NOTE.CREATED': async () => {
    await invoiceAfter();
    const external_id = `credit-note-${invoicesMade}`;
    await world.post(
      '/v1/credit_notes',
      creditNoteBody({ external_id, invoice_external_id: `invoice-${invoicesMade}` }),
    );
  },
  'DISPUTE.OPENED': () => dispute(),
  'DISPUTE.RESOLVED': async () => world.post(`${await dispute()}/withdraw`),
  'FACILITY.CREATION.ACCEPTED': () => addFacility(world, 'granted'),
  'FACILITY.CREATION.IN_REVIEW': () => addFacility(world, 'asked-in-review'),
  'FACILITY.CREATION.REJECTED': () => addFacility(world, 'asked-rejected'),
  'FACILITY.EXPIRED': async () => {
    await addFacility(world, 'ended');
    await world.sql(`update facilities set expires_at = 1 where buyer_external_id = 'ended'`);
    await makeDueOfFacilities(world, 1);
  },
  'FACILITY.FROZEN': async () => {
    await addFacility(world, 'frozen');
    await operate(world, freezeFacility, ofBuyer('frozen'));
  },
  'FACILITY.INCREASE.ACCEPTED': async () => {
    await addFacility(world, 'increased', { requested_amount: 1_000 });
    await world.post('/v1/buyers/increased/facility/increase', { requested_amount: 2_000 });
  },
  'FACILITY.INCREASE.IN_REVIEW': async () => {
    await granted('increase-in-review');
    await world.post('/v1/buyers/increase-in-review/facility/increase', { requested_amount: 9_000_000 });
  },
  'FACILITY.INCREASE.REJECTED': async () => {
    await addFacility(world, 'full');
    await decide(world, 'full', 'INCREASE', 'REJECT');
  },
  'FACILITY.LIMIT.CHANGED': async () => {
    await addFacility(world, 'overridden');
    await onFacility(world, 'overridden', (context, facility) =>
      overrideLimit(context, facility, {
        limitMinor: 1_000,
        decisionId: randomUUID(),
        buyerReasons: ['LIMIT_RAISED'],
      }),
    );
  },
  'FACILITY.RENEWAL.ACCEPTED': async () => {
    await addFacility(world, 'renewed');
    await world.post('/v1/buyers/renewed/facility/renew');
  },
  'FACILITY.RENEWAL.IN_REVIEW': async () => {
    await granted('renewal-in-review');
    await world.post('/v1/buyers/renewal-in-review/facility/renew');
  },
  'FACILITY.RENEWAL.REJECTED': async () => {
    await addFacility(world, 'not-renewed');
    await decide(world, 'not-renewed', 'RENEWAL', 'REJECT');
  },
  'FACILITY.UNFROZEN': async () => {
    await addFacility(world, 'thawed');
    await operate(world, freezeFacility, ofBuyer('thawed'));
    await operate(world, unfreezeFacility, ofBuyer('thawed'));
  },
  'INVOICE.CANCELLED': () => invoiceAfter(['refund', {}]),
  'INVOICE.CLOSED': () => invoiceAfter(['pay', PAID]),
  'INVOICE.CREATED': () => invoiceAfter(),
  'INVOICE.DUE': () => invoiceAfter(['become_due', {}]),
  'INVOICE.FILE.CREATED': () => addInvoiceFile(),
  'INVOICE.FILE.DELETED': async () => {
    const path = await addInvoiceFile();
    return world.delete(path);
  },
  'INVOICE.DUNNING.ENDED': async () => {
    const invoice = await invoiceAfter();
    await changeReminders(world, invoice, ['begin', 'step']);
    await changeReminders(world, invoice, ['end']);
  },
  'INVOICE.DUNNING.PAUSED': async () => changeReminders(world, await invoiceAfter(), ['begin', 'pause']),
  'INVOICE.DUNNING.RESUMED': async () =>
    changeReminders(world, await invoiceAfter(), ['begin', 'pause', 'resume']),
  'INVOICE.DUNNING.STEP': async () => changeReminders(world, await invoiceAfter(), ['begin', 'step']),
  'INVOICE.LATE_CHARGE.CLAIMED': async () => addLateCharge(world, await invoiceAfter()),
  'INVOICE.LATE_CHARGE.PAID': paidCharge,
  'INVOICE.LATE_CHARGE.REOPENED': async () =>
    world.post(`${await paidCharge()}/reverse`, { reason: 'The direct debit was returned.' }),
  'INVOICE.LATE_CHARGE.WAIVED': async () => {
    const charge = await addLateCharge(world, await invoiceAfter());
    await act(world, (context) => waiveLateCharge(context, charge, 'Goodwill.'));
  },
  'INVOICE.PAYMENT.RECORDED': payment,
  'INVOICE.PAYMENT.REVERSED': async () =>
    world.post(`${await payment()}/reverse`, { reason: 'The direct debit was returned.' }),
  'INVOICE.REOPENED': () => invoiceAfter(['pay', PAID], ['reopen_due', { paid_amount: 0, paid_at: null }]),
  'INVOICE.UPDATED': () => invoiceAfter(['become_due', {}], ['postpone', { falls_due_at: 4_000_000_000 }]),
  ...OF_SERVICES,
  'MERCHANT.ENROLLED': () => world.post('/v1/merchants', merchantBody({})),
  'ORDER.CANCELLED': () => orderThatIs('CANCELLED'),
  'ORDER.CLOSED': () => orderThatIs('CLOSED'),
  'ORDER.CONFIRMED': () => orderThatIs('CONFIRMED'),
  'ORDER.DISBURSED': () => orderThatIs('DISBURSED'),
  'ORDER.EXPIRED': () => orderThatIs('EXPIRED'),
  'ORDER.PENDING_CONFIRMATION': () => orderThatIs('PENDING_CONFIRMATION'),
  'PAYOUT.FAILED': async () => world.post('/v1/sandbox/payouts', await payoutFor('return')),
  'PAYOUT.PAID': async () => {
    const payout = await payoutFor('confirm', 'SCHEDULED');
    await world.post('/v1/sandbox/payouts', { ...payout, trigger: 'instruct' });
    return world.post('/v1/sandbox/payouts', payout);
  },
  'PAYOUT.SCHEDULED': async () => {
    const { external_id } = await payoutFor('return');
    await world.post('/v1/sandbox/payouts', { external_id, trigger: 'return' });
    return act(world, (context) => retryPayout(context, external_id, {}));
  },
  'PAYOUT_INSTRUCTION.UNVERIFIED': async () => {
    const path = await payoutInstruction();
    await world.put(path, sepaBody());
  },
  'PAYOUT_INSTRUCTION.VERIFIED': async () => {
    const path = await payoutInstruction();
    await decidePayee(world, path.split('/').at(-1) as string, 'verify');
  },
  'WEBHOOK.TEST': () => world.post('/v1/webhooks/BUYER/test'),
};

it.each(Object.entries(CAUSES))('%s is delivered as described', async (type, cause) => {
  await cause();
  const [received] = await receiver.waitFor(1, ({ event }) => event.type === type);
  const { requestBody, parameters }: Json = document.webhooks[type].post;
  const { schema } = requestBody.content['application/json'];
  expect(faultsOf(schema, received?.event)).toBe('');
  for (const { name, required, schema } of parameters.map(follow)) {
    const value = received?.headers[name.toLowerCase()];
    expect(required).toBe(true);
    expect(faultsOf(schema, schema.type === 'integer' ? Number(value) : value), name).toBe('');
  }
  expect(received?.headers['webhook-id']).toBe(received?.event.id);
  // The example has exactly the fields that arrive.
  const { example } = requestBody.content['application/json'];
  expect(Object.keys(example)).toEqual(Object.keys(received?.event));
  expect(Object.keys(example.data)).toEqual(Object.keys(received?.event.data));
});

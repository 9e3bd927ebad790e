import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody, merchantBody } from '#test/bodies';
import { act, addDebtor } from '#test/credit';
import { addService, changeService, triggersTo } from '#test/services';
import { createWorld, type World } from '#test/world';
import { lockServices, type ServiceRow } from './service.queries.ts';
import {
  hasClaim,
  isActiveService,
  lifecycleOf,
  SERVICE_TYPES,
  type ServiceStatus,
  type ServiceType,
} from './service-status.rules.ts';
import { transitionServices } from './transition-services.ts';

let world: World;
let invoicesMade = 0;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(1_763_640_000);
  await world.post('/v1/merchants', merchantBody({}));
  await addDebtor(world, { buyer: 'buyer', totalMinor: 100_000_000 });
});
afterAll(() => world.close());

async function addInvoice(): Promise<string> {
  const external_id = `invoice-${++invoicesMade}`;
  const { status } = await world.post('/v1/invoices', invoiceBody({ external_id }));
  expect(status).toBe(201);
  return external_id;
}
const shownBy = async (invoice: string) => {
  const [row] = await world.sql(
    `select active_services, is_financed, financing_status, insurance_status, collection_status
     from invoices where external_id = $1`,
    [invoice],
  );
  return row;
};
const statusColumn = (type: ServiceType) => `${type.toLowerCase()}_status`;

const every = SERVICE_TYPES.flatMap((type) =>
  lifecycleOf(type).states.map((status) => [type, status] as [ServiceType, ServiceStatus]),
);

describe.each(every)('a service %s in %s', (type, status) => {
  it('takes the transitions of its lifecycle and no others, and is shown by its invoice', async () => {
    const { transitions } = lifecycleOf(type);
    for (const trigger of new Set(transitions.map((each) => each.trigger))) {
      const invoice = await addInvoice();
      const { external_id } = await addService(world, { invoice, type, status });
      const allowed = transitions.find((each) => each.from === status && each.trigger === trigger);
      if (!allowed) {
        await expect(changeService(world, external_id, trigger)).rejects.toMatchObject({
          reason: 'INVALID_STATUS_TRANSITION',
        });
        continue;
      }
      const changed = await changeService(world, external_id, trigger);
      expect(changed).toMatchObject({ status: allowed.to, version: triggersTo(type, status).length + 1 });
      expect(await shownBy(invoice)).toMatchObject({
        [statusColumn(type)]: allowed.to,
        active_services: isActiveService(allowed.to) ? 1 : 0,
        is_financed: type === 'FINANCING' && hasClaim(allowed.to),
      });
    }
  });

  it('is active in the program as in the database', async () => {
    const { external_id } = await addService(world, { invoice: await addInvoice(), type, status });
    const [row] = await world.sql('select is_active from invoice_services where external_id = $1', [
      external_id,
    ]);
    expect(row).toEqual({ is_active: isActiveService(status) });
  });
});

describe('a transition', () => {
  it('writes the history and the event with the version that it makes', async () => {
    const invoice = await addInvoice();
    const { external_id } = await addService(world, { invoice, status: 'DEFAULTED' });
    const history = await world.sql(
      `select version, from_status, trigger, to_status, actor from invoice_service_transitions
       where external_id = $1 order by version`,
      [external_id],
    );
    const actor = 'operator:ada';
    expect(history).toEqual([
      { version: 1, from_status: null, trigger: 'request', to_status: 'IN_REVIEW', actor },
      { version: 2, from_status: 'IN_REVIEW', trigger: 'accept', to_status: 'ACCEPTED', actor },
      { version: 3, from_status: 'ACCEPTED', trigger: 'pay_out', to_status: 'PAID_OUT', actor },
      { version: 4, from_status: 'PAID_OUT', trigger: 'default', to_status: 'DEFAULTED', actor },
    ]);
    const events = await world.sql<{ type: string; sequence: number; from: string | null }>(
      `select type, (body::json #>> '{data,sequence}')::int as sequence, body::json #>> '{data,previous_status}' as "from"
       from events where resource_external_id = $1 order by sequence`,
      [external_id],
    );
    expect(events).toEqual([
      { type: 'INVOICE.FINANCING.IN_REVIEW', sequence: 1, from: null },
      { type: 'INVOICE.FINANCING.ACCEPTED', sequence: 2, from: 'IN_REVIEW' },
      { type: 'INVOICE.FINANCING.PAID_OUT', sequence: 3, from: 'ACCEPTED' },
      { type: 'INVOICE.FINANCING.DEFAULTED', sequence: 4, from: 'PAID_OUT' },
    ]);
  });

  it('is made of many at once, or of none', async () => {
    const services = [];
    for (const status of ['ACCEPTED', 'ACCEPTED', 'IN_REVIEW'] as const)
      services.push(await addService(world, { invoice: await addInvoice(), status }));
    const payOut = (rows: ServiceRow[]) =>
      act(world, async (context) => {
        const ids = rows.map(({ external_id }) => external_id);
        const locked = await lockServices(context.db, context.platformId, ids);
        return transitionServices(
          context,
          locked.map((each) => ({ ...each, changes: { paid_out_at: context.now } })),
          'pay_out',
        );
      });
    await expect(payOut(services)).rejects.toMatchObject({ reason: 'INVALID_STATUS_TRANSITION' });
    const paidOut = await payOut(services.slice(0, 2));
    expect(paidOut.map(({ status, paid_out_at }) => [status, paid_out_at])).toEqual(
      Array(2).fill(['PAID_OUT', world.clock.now()]),
    );
    expect(await payOut([])).toEqual([]);
  });
});

describe('a request', () => {
  it('is refused while a service of the type is active, also if two race', async () => {
    const invoice = await addInvoice();
    const request = (type: ServiceType) =>
      world.post(`/v1/invoices/${invoice}/services/${type}`, { terms_accepted_at: world.clock.now() });
    const both = await Promise.all([request('COLLECTION'), request('COLLECTION')]);
    expect(both.map(({ status, body }) => [status, body.reason]).sort()).toEqual([
      [201, undefined],
      [409, 'INVOICE_HAS_ACTIVE_SERVICE'],
    ]);
    await request('INSURANCE');
    await expect(addService(world, { invoice, type: 'INSURANCE' })).rejects.toThrow(
      /invoice_services_active/,
    );
    expect(await shownBy(invoice)).toMatchObject({ active_services: 2 });
  });

  it('is a further service after an inactive one, and the invoice shows the last one', async () => {
    const invoice = await addInvoice();
    await addService(world, { invoice, status: 'REJECTED' });
    await addService(world, { invoice, status: 'CANCELLED' });
    await addService(world, { invoice, type: 'COLLECTION', status: 'UNCOLLECTIBLE' });
    await addService(world, { invoice });
    const { body } = await world.get(`/v1/invoices/${invoice}?expand=services`);
    const shown = body.services.map((each: { service_type: string; status: string }) => [
      each.service_type,
      each.status,
    ]);
    expect(shown.sort()).toEqual([
      ['COLLECTION', 'UNCOLLECTIBLE'],
      ['FINANCING', 'CANCELLED'],
      ['FINANCING', 'IN_REVIEW'],
      ['FINANCING', 'REJECTED'],
    ]);
    expect(await shownBy(invoice)).toEqual({
      active_services: 1,
      is_financed: false,
      financing_status: 'IN_REVIEW',
      insurance_status: null,
      collection_status: 'UNCOLLECTIBLE',
    });
  });
});

describe('the financing of an invoice', () => {
  const paid = (invoice: string) =>
    world.post(`/v1/invoices/${invoice}/payments`, { external_id: `p-${invoice}`, amount: 11_900 });
  const statusOf = async (invoice: string) => (await shownBy(invoice))?.financing_status;

  it.each(['PAID_OUT', 'DEFAULTED'] as const)(
    'is settled from %s when the invoice is paid, and open again when the payment is reversed',
    async (status) => {
      const invoice = await addInvoice();
      await addService(world, { invoice, status });
      expect((await paid(invoice)).status).toBe(201);
      expect(await shownBy(invoice)).toMatchObject({ financing_status: 'SETTLED', active_services: 0 });
      const reversed = await world.post(`/v1/invoices/${invoice}/payments/p-${invoice}/reverse`, {
        reason: 'It bounced.',
      });
      expect(reversed.status).toBe(200);
      expect(await shownBy(invoice)).toMatchObject({
        financing_status: 'PAID_OUT',
        active_services: 1,
        is_financed: true,
      });
      expect((await world.post(`/v1/invoices/${invoice}/refund`)).body.reason).toBe(
        'INVOICE_HAS_ACTIVE_SERVICE',
      );
    },
  );

  it('stays as it is before its payout, and while something is owed', async () => {
    const [accepted, partly] = [await addInvoice(), await addInvoice()];
    await addService(world, { invoice: accepted, status: 'ACCEPTED' });
    await addService(world, { invoice: partly, status: 'PAID_OUT' });
    await paid(accepted);
    await world.post(`/v1/invoices/${partly}/payments`, { amount: 11_899 });
    expect([await statusOf(accepted), await statusOf(partly)]).toEqual(['ACCEPTED', 'PAID_OUT']);
  });
});

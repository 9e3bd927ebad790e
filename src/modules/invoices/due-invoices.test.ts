import { describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { grossOf, INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { recordedEvents } from '#test/stored';

const DAY = 86_400;
const { create, order, invoiceOf, world } = useInvoicing();

const advance = (seconds: number) => world().post('/v1/sandbox/clock', { advance_seconds: seconds });
const read = async (externalId: string) => (await world().get(`/v1/invoices/${externalId}`)).body;

describe('an invoice falls due', () => {
  it('at the end of its due day, once, and the buyer is in arrears with what is due then', async () => {
    await create(invoiceBody({ external_id: 'soon', buyer_external_id: 'stranger', due_at: NOW + DAY }));
    const { body: split } = await invoiceOf([await order({ payment_term: 'SPLIT_3M' })], {
      external_id: 'split',
      ...grossOf(9_000),
    });
    // Noon: the due day ends after a day and a half.
    const early = await advance(1.5 * DAY - 10);
    expect(early.body.transitions).toEqual([]);
    expect(await read('soon')).toMatchObject({ status: 'OPEN' });
    const { body } = await advance(10);
    const at = NOW + 1.5 * DAY;
    expect(body.transitions).toEqual([
      { at, resource: 'invoice', external_id: 'soon', trigger: 'become_due' },
    ]);
    expect(await read('soon')).toMatchObject({ status: 'DUE', days_past_due: 1, updated_at: at });
    expect((await recordedEvents(world(), 'soon')).map(({ type }) => type)).toEqual([
      'INVOICE.CREATED',
      'INVOICE.DUE',
    ]);
    expect((await advance(DAY)).body.transitions).toEqual([]);
    expect(await read('soon')).toMatchObject({ days_past_due: 2 });
    const { body: stranger } = await world().get('/v1/buyers/stranger');
    expect(stranger.max_days_past_due).not.toBeNull();

    await advance(32 * DAY);
    expect(await read('split')).toMatchObject({ status: 'DUE', due_at: split.due_at });
    const [overdue] = await world().sql(
      `select outstanding_amount::int as amount from overdue_invoices where invoice_external_id = 'split'`,
    );
    expect(overdue).toEqual({ amount: split.installments[0].outstanding_amount });
  });

  it('at once if its due day was over when it was created, dated with its creation', async () => {
    const { body: clock } = await world().get('/v1/sandbox/clock');
    const past = { due_at: clock.now - 5 * DAY, invoiced_at: clock.now - 9 * DAY };
    const { body } = await create(
      invoiceBody({ external_id: 'late', buyer_external_id: 'stranger', ...past }),
    );
    expect(body.status).toBe('OPEN');
    const { body: clockAnswer } = await advance(1);
    expect(clockAnswer.transitions).toMatchObject([{ at: body.created_at, external_id: 'late' }]);
    expect(await read('late')).toMatchObject({ status: 'DUE', days_past_due: 5 });
  });
});

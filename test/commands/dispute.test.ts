/** `tradeline dispute`: the amounts of invoices that buyers contest. */
import { beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { runHere, settingsOf } from '#test/command';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { ensureOperator } from '#test/operators';

const WHY = ['--reason', 'As agreed.'];
const { create, world } = useInvoicing();

let env: Record<string, string>;
let viewer: Record<string, string>;
beforeAll(async () => {
  const settings = await settingsOf(world());
  const keyOf = (id: string, role: 'VIEW' | 'FINANCE') => ensureOperator(world(), id, { role });
  env = { ...settings, TRADELINE_OPERATOR_KEY: await keyOf('fin', 'FINANCE') };
  viewer = { ...settings, TRADELINE_OPERATOR_KEY: await keyOf('vera', 'VIEW') };
});

const run = (args: string[], as = env) => runHere(['dispute', ...args], as);

let made = 0;
/** A dispute over 59.50 of an invoice over 119.00; returns both external_ids. */
async function disputed(more: object = {}): Promise<{ invoice: string; id: string }> {
  const [invoice, id] = [`invoice-${++made}`, `dispute-${made}`];
  await create(invoiceBody({ external_id: invoice, buyer_external_id: 'buyer', due_at: NOW + 86_400 }));
  const body = { external_id: id, reason: 'DAMAGED', amount: 5_950, comment: 'A bag was torn.', ...more };
  expect((await world().post(`/v1/invoices/${invoice}/disputes`, body)).status).toBe(201);
  return { invoice, id };
}
const audits = async () =>
  (
    await world().sql<{ action: string }>('select action from audit_entries order by position desc limit 1')
  )[0];

describe('tradeline dispute list and show', () => {
  it('list the open ones, those of a status, and all of an invoice', async () => {
    const [open, other] = [await disputed(), await disputed()];
    await run(['withdraw', other.id, ...WHY]);
    const ids = async (...args: string[]) =>
      JSON.parse((await run(['list', '--json', ...args])).stdout).map(
        ({ external_id }: { external_id: string }) => external_id,
      );
    expect(await ids()).toContain(open.id);
    expect(await ids()).not.toContain(other.id);
    expect(await ids('--status', 'WITHDRAWN,REJECTED')).toContain(other.id);
    expect(await ids('--invoice', other.invoice)).toEqual([other.id]);
    expect((await run(['list'])).stdout).toMatch(
      new RegExp(`${open.id} +OPEN +DAMAGED +${open.invoice} .* 59.50`),
    );
    expect((await run(['list', '--invoice', 'none'])).stdout).toBe('There are no disputes.\n');
    expect((await run(['list', '--status', 'LOST'])).code).toBe(2);
  });

  it('show one with the words of the buyer and of the decision', async () => {
    const { id } = await disputed();
    expect((await run(['show', id])).stdout).toMatch(
      /status: OPEN\n[\s\S]*paused of the invoice: 59.50\n[\s\S]*comment: A bag/,
    );
    await run(['reject', id, '--comment', 'All were whole.', ...WHY]);
    const { stdout } = await run(['show', id]);
    expect(stdout).toMatch(
      /paused of the invoice: 0.00\n[\s\S]*decided by: operator:fin\ndecision: All were whole./,
    );
    expect(await run(['show', 'unknown'])).toMatchObject({
      ...{ code: 1, stderr: 'There is no dispute unknown: see tradeline dispute list.\n' },
    });
    expect((await run(['show'])).code).toBe(2);
  });
});

describe('tradeline dispute accept', () => {
  it('credits all of it, or a part with tax in proportion', async () => {
    const [all, part] = [await disputed(), await disputed()];
    const { stdout } = await run(['accept', all.id, '--credit-note', 'by-hand', ...WHY]);
    expect(stdout).toBe(`59.50 EUR of the dispute ${all.id} are accepted, with the credit note by-hand.\n`);
    expect((await world().get('/v1/credit_notes/by-hand')).body.amount).toMatchObject({
      net: 5_000,
      tax: 950,
    });
    expect(await audits()).toEqual({ action: 'DISPUTE_ACCEPTED' });
    const accepted = JSON.parse(
      (await run(['accept', part.id, '--amount', '11.90', '--json', ...WHY])).stdout,
    );
    expect(accepted).toMatchObject({ status: 'ACCEPTED', accepted_amount: 1_190 });
    const note = (await world().get(`/v1/credit_notes/${accepted.credit_note_external_id}`)).body;
    expect(note.amount).toMatchObject({ net: 1_000, tax: 190, gross: 1_190 });
  });

  it('makes no credit note where the payment is recorded', async () => {
    const { invoice, id } = await disputed({ reason: 'PAID_ALREADY' });
    expect((await run(['accept', id, ...WHY])).stderr).toContain('The payment is not recorded in full');
    await world().post(`/v1/invoices/${invoice}/payments`, { amount: 5_950, received_by: 'PLATFORM' });
    expect((await run(['accept', id, ...WHY])).stdout).toContain('no credit note was made');
  });

  it('refuses more than is disputed, a second decision, no reason, and who may not', async () => {
    const { id } = await disputed();
    expect((await run(['accept', id, '--amount', '59.51', ...WHY])).code).toBe(1);
    expect((await run(['accept', id, '--amount', '0.00', ...WHY])).code).toBe(2);
    expect((await run(['accept', id, '--amount', '5950', ...WHY])).code).toBe(2);
    expect((await run(['accept', id])).code).toBe(2);
    expect((await run(['accept', id, ...WHY], viewer)).code).toBe(1);
    expect((await run(['accept', id, ...WHY])).code).toBe(0);
    expect((await run(['accept', id, ...WHY])).code).toBe(1);
  });
});

describe('tradeline dispute reject and withdraw', () => {
  it('say that the amount counts again', async () => {
    const [one, other] = [await disputed(), await disputed()];
    expect((await run(['reject', one.id, ...WHY])).stdout).toBe(
      `The dispute ${one.id} is REJECTED: 59.50 EUR of the invoice ${one.invoice} count again.\n`,
    );
    expect(await audits()).toEqual({ action: 'DISPUTE_REJECTED' });
    expect((await run(['withdraw', other.id, '--comment', 'Found.', ...WHY])).stdout).toContain(
      'is WITHDRAWN',
    );
    expect((await run(['reject', one.id, ...WHY])).code).toBe(1);
  });
});

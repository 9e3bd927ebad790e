import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DisputeForm,
  type FormField,
  fieldErrors,
  PDF_FILE,
  PNG_FILE,
  pageText,
  tellDisputeForm,
  WHOLE,
} from '#test/dispute-form';
import { recordedEvents, tablesHolding } from '#test/stored';

let form: DisputeForm;
beforeAll(async () => {
  form = await tellDisputeForm();
});
afterAll(() => form.close());
beforeEach(() => form.newInvoice());

describe('a dispute by its buyer', () => {
  it('is of the whole invoice, with reason, comment and files, which the platform reads', async () => {
    const { status, headers } = await form.send([...WHOLE, ['files', PNG_FILE], ['files', PDF_FILE]]);
    expect([status, headers.get('location')]).toEqual([303, `../../invoices/${form.invoice()}?disputed`]);
    const [dispute, ...others] = await form.disputes();
    expect(others).toEqual([]);
    expect(dispute).toMatchObject({
      ...{ status: 'OPEN', reason: 'DAMAGED', amount: 11_900, line_number: null, opened_by: 'buyer' },
      ...{ comment: 'Two bags were torn open.', is_pausing: true },
    });
    const held = await form.files();
    expect(held.map(({ name, media_type }) => [name, media_type])).toEqual(
      expect.arrayContaining([
        ['torn bags.png', 'image/png'],
        ['delivery note.pdf', 'application/pdf'],
      ]),
    );
    expect(held.map(({ external_id }) => external_id).toSorted()).toEqual(
      dispute?.file_external_ids.toSorted(),
    );
    const png = held.find(({ media_type }) => media_type === 'image/png');
    const content = await form.world.get(`/v1/invoices/${form.invoice()}/files/${png?.external_id}`);
    expect(content.headers.get('content-type')).toBe('image/png');
    expect(content.headers.get('etag')).toBe(`"${png?.sha256}"`);
    const events = await recordedEvents(form.world, form.invoice());
    expect(events.filter(({ type }) => type === 'INVOICE.FILE.CREATED').map(({ data }) => data.kind)).toEqual(
      ['DISPUTE', 'DISPUTE'],
    );
    expect(await tablesHolding(form.world, ['Two bags were torn', 'torn bags'])).toEqual([]);
    expect(await form.kept()).toBe(0);
  });

  it('is of lines, each with its amount and tax', async () => {
    const text = (await form.page.get(`invoices/${form.invoice()}/dispute`)).text;
    // 98.00 and 2.00 of the net 100.00, with tax added.
    expect(text).toContain('value="€116.62"');
    expect(text).toContain('value="€2.38"');
    await form.send([
      ...([
        ['about', 'LINES'],
        ['lines', '1'],
        ['lines', '2'],
        ['amount1', '50,00'],
        ['amount2', '€2.38'],
      ] as FormField[]),
      ['reason', 'NOT_DELIVERED'],
    ]);
    expect((await form.disputes()).map((each) => [each.line_number, each.amount])).toEqual([
      [1, 5_000],
      [2, 238],
    ]);
  });

  it('is of an amount', async () => {
    await form.send([
      ['about', 'AMOUNT'],
      ['amount', '1.00'],
      ['reason', 'WRONG_PRICE'],
    ]);
    expect(await form.disputes()).toMatchObject([{ amount: 100, comment: null, line_number: null }]);
  });

  it('is one, however often the form is sent', async () => {
    const id = await form.formId();
    const replies = await Promise.all([1, 2, 3].map(() => form.send([...WHOLE, ['files', PNG_FILE]], id)));
    expect(replies.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await form.send([...WHOLE, ['files', PNG_FILE]], id)).status).toBe(303);
    expect(await form.disputes()).toHaveLength(1);
    expect(await form.files()).toHaveLength(1);
  });

  it('tells a second window what the first has left', async () => {
    const [first, second] = [await form.formId(), await form.formId()];
    await form.send(
      [
        ['about', 'LINES'],
        ['lines', '1'],
        ['amount1', '100'],
        ['reason', 'DAMAGED'],
      ],
      first,
    );
    const again = await form.send(
      [
        ['about', 'LINES'],
        ['lines', '1'],
        ['amount1', '5'],
        ['reason', 'OTHER'],
        ['comment', 'x'],
      ],
      second,
    );
    expect(fieldErrors(again)).toEqual(['f-amount1-error']);
    expect(pageText(again)).toContain('Already disputed.');
    const more = await form.send(
      [
        ['about', 'AMOUNT'],
        ['amount', '19.01'],
        ['reason', 'DAMAGED'],
      ],
      second,
    );
    expect(pageText(more)).toContain('At most €19.00, including tax.');
    await form.send(
      [
        ['about', 'INVOICE'],
        ['reason', 'DAMAGED'],
      ],
      second,
    );
    expect((await form.disputes()).map(({ amount }) => amount)).toEqual([10_000, 1_900]);
    const late = await form.send(WHOLE);
    expect([late.status, pageText(late)]).toEqual([422, expect.stringContaining('nothing left to dispute')]);
    const { status, headers } = await form.page.get(`invoices/${form.invoice()}/dispute`);
    expect([status, headers.get('location')]).toEqual([303, `../../invoices/${form.invoice()}`]);
  });
});

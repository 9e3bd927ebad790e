import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DisputeForm,
  type FormField,
  fieldErrors,
  hiddenForm,
  keptIds,
  PDF_FILE,
  PNG_FILE,
  pageText,
  tellDisputeForm,
  WHOLE,
} from '#test/dispute-form';

let form: DisputeForm;
beforeAll(async () => {
  form = await tellDisputeForm();
});
afterAll(() => form.close());
beforeEach(() => form.newInvoice());

describe('a refused form', () => {
  it('names each field, and keeps what was typed and sent', async () => {
    const comment = 'Zeile 1\r\n<script>alert(1)</script> \u202eRTL\u202c "quoted"';
    const id = await form.formId();
    const refused = await form.send(
      [
        ['about', 'AMOUNT'],
        ['amount', '12,345,6'],
        ['reason', ''],
        ['comment', comment],
        ['files', PNG_FILE],
      ],
      id,
    );
    expect(fieldErrors(refused)).toEqual(['f-amount-error', 'f-reason-error']);
    expect(refused.text).toContain('<title>Error: Dispute this invoice');
    expect(refused.text).toContain('href="#f-amount"');
    expect(refused.text).toContain('value="12,345,6"');
    expect(refused.text).toContain('value="AMOUNT" checked');
    expect(refused.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(hiddenForm(refused)).toBe(id);
    expect(pageText(refused)).toContain('Already uploaded torn bags.png');
    const [file = ''] = keptIds(refused);
    expect(await form.files()).toEqual([]);
    const sent = await form.send(
      [
        ['about', 'AMOUNT'],
        ['amount', '12'],
        ['reason', 'OTHER'],
        ['comment', comment],
        ['held', file],
        ['kept', file],
      ],
      id,
    );
    expect(sent.status).toBe(303);
    expect(await form.files()).toMatchObject([{ external_id: file, name: 'torn bags.png' }]);
    expect(await form.disputes()).toMatchObject([
      { comment: comment.replaceAll('\r\n', '\n'), amount: 1_200 },
    ]);
    const shown = (await form.page.get(`invoices/${form.invoice()}?disputed`)).text;
    expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(shown).not.toContain('<script>alert');
  });

  it('deletes a kept file that is not marked any more, and takes the same one again once', async () => {
    const id = await form.formId();
    const first = await form.send(
      [
        ['about', ''],
        ['files', PNG_FILE],
        ['files', PDF_FILE],
      ],
      id,
    );
    const [png = '', pdf = ''] = keptIds(first);
    await form.send(
      [
        ['about', ''],
        ['held', png],
        ['held', pdf],
        ['kept', pdf],
      ],
      id,
    );
    const [{ count } = { count: 0 }] = await form.world.sql<{ count: number }>(
      `select count(*)::int from files where file_id = '${png}'`,
    );
    expect(count).toBe(0);
    await form.send(
      [
        ['about', ''],
        ['held', pdf],
        ['kept', pdf],
        ['files', PDF_FILE],
        ['files', PNG_FILE],
      ],
      id,
    );
    expect(await form.kept()).toBe(2);
    await form.send(WHOLE, id);
    expect((await form.files()).map(({ name }) => name).sort()).toEqual([
      'delivery note.pdf',
      'torn bags.png',
    ]);
  });

  it.each([
    ['no choice', [['reason', 'DAMAGED']], ['f-about-error']],
    [
      'an unknown choice',
      [
        ['about', 'ALL'],
        ['reason', 'DAMAGED'],
      ],
      ['f-about-error'],
    ],
    [
      'an unknown reason',
      [
        ['about', 'INVOICE'],
        ['reason', 'BORED'],
      ],
      ['f-reason-error'],
    ],
    [
      'no line',
      [
        ['about', 'LINES'],
        ['reason', 'DAMAGED'],
      ],
      ['f-lines-error'],
    ],
    [
      'a line that is none',
      [
        ['about', 'LINES'],
        ['lines', '3'],
        ['reason', 'DAMAGED'],
      ],
      ['f-lines-error'],
    ],
    [
      'a line without an amount',
      [
        ['about', 'LINES'],
        ['lines', '2'],
        ['amount2', ''],
        ['reason', 'DAMAGED'],
      ],
      ['f-amount2-error'],
    ],
    [
      'lines beyond what is open',
      [
        ['about', 'LINES'],
        ['lines', '1'],
        ['lines', '2'],
        ['amount1', '119'],
        ['amount2', '1'],
        ['reason', 'DAMAGED'],
      ],
      ['f-lines-error'],
    ],
    [
      'an amount beyond it',
      [
        ['about', 'AMOUNT'],
        ['amount', '119.01'],
        ['reason', 'DAMAGED'],
      ],
      ['f-amount-error'],
    ],
    [
      'nothing',
      [
        ['about', 'AMOUNT'],
        ['amount', '0'],
        ['reason', 'DAMAGED'],
      ],
      ['f-amount-error'],
    ],
    [
      'another reason without words',
      [
        ['about', 'INVOICE'],
        ['reason', 'OTHER'],
        ['comment', ' \u200b '],
      ],
      ['f-comment-error'],
    ],
    [
      'huge words',
      [
        ['about', 'INVOICE'],
        ['reason', 'DAMAGED'],
        ['comment', 'wé'.repeat(1_001)],
      ],
      ['f-comment-error'],
    ],
    [
      'a control character',
      [
        ['about', 'INVOICE'],
        ['reason', 'DAMAGED'],
        ['comment', 'a\u0007'],
      ],
      ['f-comment-error'],
    ],
  ] as [string, FormField[], string[]][])('is one with %s', async (_, fields, errors) => {
    expect(fieldErrors(await form.send(fields))).toEqual(errors);
    expect(await form.disputes()).toEqual([]);
  });
});

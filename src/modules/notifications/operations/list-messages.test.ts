import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MailKind } from '#kernel/mail-kind';
import { mailExamples } from '#modules/notifications';
import { buyerBody } from '#test/bodies';
import { mailsOf, queueMailFor } from '#test/mails';
import { expectSamePages } from '#test/paging';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: { name: 'Markthalle', communication_bcc_email: 'archive@m.example' },
  });
  for (const external_id of ['b1', 'b2']) await world.post('/v1/buyers', buyerBody({ external_id }));
  await queue('order_pending', NOW);
  await queue('order_cancelled', NOW + 1);
  await queue('credit_refused', NOW + 2);
  await queue('order_confirmed', NOW + 3, 'b2');
  await queue('page_code', NOW + 4);
  await queue('page_code', NOW + 4, 'b2');
  await world.sql("update mails set status = 'SENT', sent_at = $1 where kind = 'order_cancelled'", [NOW + 9]);
});
afterAll(() => world.close());

const queue = (kind: MailKind, now: number, buyer = 'b1') =>
  queueMailFor(world, world.platform.platform_id, {
    ...{ cause: `${kind}/${buyer}`, kind, content: mailExamples[kind], buyer, now },
    ...{ to: 'jane@secret.example', language: 'DE', formality: 'FORMAL' },
  });

describe('GET /v1/buyers/{external_id}/messages', () => {
  const path = '/v1/buyers/b1/messages';

  it('200: lists what was sent to the buyer, newest first, in pages, without copies, texts and addresses', async () => {
    const { body, text } = await world.get(`${path}?limit=2`);
    expect(body).toMatchObject({
      items: [
        { kind: 'credit_refused', language: 'DE', status: 'PENDING', created_at: NOW + 2, sent_at: null },
        { kind: 'order_cancelled', status: 'SENT', sent_at: NOW + 9 },
      ],
      ...{ total: 3, limit: 2, offset: 0 },
    });
    expect(body.items[1].subject).toContain('Markthalle');
    expect(text).not.toContain('secret.example');
    expect((await world.get(`${path}?offset=2`)).body.items).toMatchObject([{ kind: 'order_pending' }]);
    expect((await world.get('/v1/buyers/b2/messages')).body).toMatchObject({ total: 1 });
    await expectSamePages((parameters) => world.get(`${path}?${parameters}`));
  });

  it('200: shows no one-time code, by which the reader could act as the buyer', async () => {
    const { code } = mailExamples.page_code;
    const mails = await mailsOf(world, { to: 'jane@secret.example' });
    expect(mails.filter(({ subject }) => subject.includes(code))).toHaveLength(2);
    for (const buyer of ['b1', 'b2']) {
      const { body, text } = await world.get(`/v1/buyers/${buyer}/messages`);
      expect(text).not.toContain(code);
      expect(body.items).toHaveLength(body.total);
    }
  });

  it('403: refuses a key of one merchant', async () => {
    const key = await world.addKey({ merchantExternalId: 'm1' });
    expect((await world.get(path, { key })).body.reason).toBe('MERCHANT_NOT_ALLOWED');
  });

  it('404: for an unknown buyer and for one of another platform', async () => {
    const { apiKey: key } = await world.addPlatform();
    const replies = [await world.get('/v1/buyers/nobody/messages'), await world.get(path, { key })];
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
  });
});

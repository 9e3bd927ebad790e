/** Sentences of the service description about messages that earlier versions violated, each quoted above its test. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { positionEvents } from '#infra/database/outbox.queries';
import { inviteBuyers, orderNotifier } from '#modules/checkout';
import { notifyOfEvents } from '#modules/notifications';
import { expireOrder } from '#modules/orders';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { act } from '#test/credit';
import { addFacility } from '#test/facilities';
import { mailsOf } from '#test/mails';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';
import { queueSupportMails } from '../../src/worker/support-mails.ts';

const NOW = 1_763_640_000;
const DAY = 86_400;
const SUPPORT = ['help@m.example', 'ops@m.example', 'risk@m.example'];

let world: World;
let worker: Awaited<ReturnType<typeof openWorkerProcess>>;
beforeAll(async () => {
  world = await createWorld({
    settings: { TRADELINE_WORKER: 'off' },
    platform: {
      ...{ name: 'Markthalle', language: null, country: 'DE', sends_checkout_invitations: true },
      ...{ support_emails: SUPPORT, communication_bcc_email: 'archive@m.example' },
    },
  });
  world.clock.set(NOW);
  worker = await openWorkerProcess(world);
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(async () => {
  await worker.close();
  await world.close();
});

const POSTCODES: Record<string, string> = { DE: '10115', FR: '75001', GB: 'SW1A 1AA', KR: '03051' };

/** Invites a buyer of the country, and returns the mail. */
async function invitationTo(buyer: string, country: string, settings: object = {}) {
  const business_address = { postcode: POSTCODES[country] ?? '1000', city: 'There', country };
  const email = `${buyer}@example.com`;
  await world.post('/v1/buyers', buyerBody({ external_id: buyer, business_address, contact_email: email }));
  await world.put(`/v1/buyers/${buyer}/settings`, settings);
  await world.post('/v1/orders/draft', draftOrderBody({ external_id: buyer, buyer_external_id: buyer }));
  await inviteBuyers(worker, 10);
  return (await mailsOf(world, { to: email }))[0];
}

// service.md §2, Platform: "support_emails: all receive notifications".
it('support_emails each hear of a disabled subscription, waiting deliveries, a failed mail and a review that waits for more than a day', async () => {
  await world.post('/v1/webhooks', { type: 'ORDER', url: 'http://127.0.0.1:9/' });
  await world.sql("update webhook_subscriptions set status = 'DISABLED'");
  await world.post('/v1/webhooks', { type: 'BUYER', url: 'http://127.0.0.1:9/' });
  await invitationTo('lost', 'DE');
  await world.sql("update mails set status = 'FAILED'");
  await world.sql("update webhook_subscriptions set last_outcome = 'FAILED' where type = 'BUYER'");
  await world.sql("update webhook_deliveries set waiting_since = now() - interval '2 hours'");
  await addFacility(world, 'hotel-in-review');
  world.clock.set(NOW + DAY + 1);
  await queueSupportMails(worker);
  for (const to of SUPPORT) {
    const kinds = (await mailsOf(world, { to })).map(({ kind }) => kind);
    expect([to, ...kinds.sort()]).toEqual([
      to,
      'support_deliveries_waiting',
      'support_mails_failed',
      'support_reviews_waiting',
      'support_webhook_disabled',
    ]);
  }
  expect(await queueSupportMails(worker)).toBe(0);
});

// service.md §2, Buyer settings: "language: preferred communication language; null clears", with §4: "match language to the
// buyer's business address country", and §2, Platform: "language: communication language".
describe('the language of a mail', () => {
  it.each([
    ["is the buyer's", 'own', 'FR', { language: 'PL' }, 'pl'],
    ["is that of the buyer's country if the buyer has none", 'of-country', 'FR', {}, 'fr'],
    ["is that of the platform's country if it is none of ours", 'elsewhere', 'KR', {}, 'de'],
  ])('%s', async (_, buyer, country, settings, locale) => {
    expect((await invitationTo(buyer, country, settings))?.locale).toBe(locale);
  });

  it("is the one that the buyer chose in the checkout before that of its country, and the platform's after it", async () => {
    await world.sql("update platforms set language = 'IT'");
    expect((await invitationTo('of-france', 'FR'))?.locale).toBe('fr');
    expect((await invitationTo('of-korea', 'KR'))?.locale).toBe('it');
    await world.sql("update buyers set checkout_language = 'SV' where external_id = 'of-france'");
    const body = { external_id: 'of-france-2', buyer_external_id: 'of-france' };
    await world.post('/v1/orders/draft', draftOrderBody(body));
    await inviteBuyers(worker, 10);
    const mails = await mailsOf(world, { to: 'of-france@example.com' });
    expect(mails.map(({ locale }) => locale)).toEqual(['fr', 'sv']);
    await world.sql('update platforms set language = null');
  });
});

/** In a text that addresses its reader. */
const ADDRESS = /\b(Sie|Ihre?[nmrs]?|du|dich|dein\w*)\b/;

// service.md §2, Buyer settings: "formality: NEUTRAL, FORMAL or INFORMAL; null clears", and Platform: "formality: default NEUTRAL".
it('the formality of a mail is that of the buyer, else of the platform', async () => {
  expect((await world.get('/v1/platform')).body.formality).toBe('NEUTRAL');
  expect((await invitationTo('neutral', 'DE', { language: 'DE' }))?.text).not.toMatch(ADDRESS);
  const settings = { language: 'DE', formality: 'INFORMAL' };
  expect((await invitationTo('informal', 'DE', settings))?.text).toMatch(/\bd(u|ich|ein\w*)\b/i);
  await world.sql("update platforms set formality = 'FORMAL'");
  expect((await invitationTo('formal', 'DE', { language: 'DE' }))?.text).toMatch(/\b(Sie|Ihre?n?)\b/);
  await world.sql("update platforms set formality = 'NEUTRAL'");
});

// service.md §2, Platform: "communication_email: string".
it('mails come from communication_email, and answers go there', async () => {
  await world.sql("update platforms set communication_email = 'hello@m.example'");
  const mail = await invitationTo('answered', 'DE');
  expect(mail).toMatchObject({
    from: { name: 'Markthalle', address: 'hello@m.example' },
    replyTo: 'hello@m.example',
  });
  await world.sql('update platforms set communication_email = null');
});

// service.md §2, Platform: "communication_bcc_email: optional address blind-copied on all outgoing buyer communication".
it('the copy of an invitation has no checkout link', async () => {
  const mail = await invitationTo('copied', 'GB');
  const url = /http\S+\/checkout\/[\w-]{48}/;
  expect(mail?.text).toMatch(url);
  const copies = await mailsOf(world, { to: 'archive@m.example' });
  const copy = copies.find(({ cause }) => cause === `${mail?.cause}/copy`);
  expect(copy?.subject).toBe(mail?.subject);
  for (const each of copies) expect(each.text + each.html).not.toMatch(url);
});

// service.md §2, Order: "status: DRAFT, CANCELLED, CLOSED, PENDING_CONFIRMATION, CONFIRMED, EXPIRED, DISBURSED", and
// lifecycles.md: "PENDING_CONFIRMATION | confirmation time limit (14 days) | EXPIRED".
it('the buyer is told that a pending order expired', async () => {
  const email = 'in-review@expired.example';
  await addFacility(world, 'late');
  const body = draftOrderBody({ external_id: 'late', buyer_external_id: 'late', contact_email: email });
  const placed = await world.post('/v1/orders', {
    ...body,
    ...{ payment_method: 'TRANSFER', payment_term: 'DEFER_30D' },
  });
  expect(placed.body.status).toBe('PENDING_CONFIRMATION');
  // As if the checkout had placed it.
  await world.sql(
    `insert into checkout_consents (platform_id, order_external_id, consented_at, terms_version, language, formality,
      terms_sha256, payment_term) values ($1, 'late', $2, '1', 'NL', 'FORMAL', '\\x00', 'DEFER_30D')`,
    [world.platform.platform_id, NOW],
  );
  world.clock.set(NOW + 16 * DAY);
  await act(world, (context) => expireOrder(context, 'late'));
  await positionEvents(world.installation.db, 1_000);
  await notifyOfEvents(worker, [orderNotifier]);
  const mails = await mailsOf(world, { to: email });
  expect(mails.map(({ subject }) => subject)).toContain('Markthalle: bestelling late is verlopen');
});

/** A credit limit that was refused, or will not be renewed, on the page of its buyer: the reasons, and a review by a person. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerReviews } from '#modules/checkout';
import { approveOverride, decideReview, listReviews, proposeOverride } from '#modules/reviews';
import { englishBuyer, openedPage, type PageBrowser } from '#test/buyer-page';
import { mailsOf } from '#test/mails';
import { operate } from '#test/operator';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld, type World } from '#test/world';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

/** The mail with the answer to a review that was requested on the page. */
async function answerTo(email: string) {
  const worker = await openWorkerProcess(world);
  await answerReviews(worker, 10);
  await worker.close();
  const mails = (await mailsOf(world, { to: email })).filter(({ cause }) => cause.startsWith('review/'));
  expect(mails.map(({ kind }) => kind)).toEqual(['facility_review_refused']);
  return mails[0];
}

/** The page of a buyer with a limit that the policy does not renew. */
async function refuseRenewal(id: string, email: string): Promise<PageBrowser> {
  const accepted = `accepted@${email.split('@')[1]}`;
  await world.post('/v1/buyers', englishBuyer({ external_id: id, contact_email: accepted }));
  expect((await world.post(`/v1/buyers/${id}/facility`, {})).body.status).toBe('ACTIVE');
  const nothing = { trading_name: null, registered_at: null, incorporated_at: null, delivery_address: null };
  const body = { ...nothing, business_identifiers: [], custom_data: null, contact_email: email };
  const { external_id: _, ...buyer } = englishBuyer(body);
  expect((await world.put(`/v1/buyers/${id}`, buyer)).status).toBe(200);
  const page = await openedPage(world, id, email);
  expect((await page.get('credit')).text).not.toContain('Ask for a human review');
  expect((await world.post(`/v1/buyers/${id}/facility/renew`)).status).toBeLessThan(300);
  return page;
}

describe('a credit limit', () => {
  it('that was refused shows the reasons, and a person looks again, once', async () => {
    const email = 'einkauf@refused.example';
    await world.post('/v1/buyers', englishBuyer({ external_id: 'cafe-rejected', contact_email: email }));
    await world.post('/v1/buyers/cafe-rejected/facility', {});
    const refused = await openedPage(world, 'cafe-rejected', email);
    const reviews = async () =>
      (await operate(world, listReviews, { query: { buyer_external_id: ['cafe-rejected'] } })).items;
    const { text } = await refused.get('credit');
    expect(text.match(/We can’t offer a credit limit/g)).toHaveLength(1);
    expect(text).toContain('Ask for a human review');
    expect(await reviews()).toEqual([]);
    const answers = await Promise.all([1, 2, 3].map(() => refused.post('credit/review')));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect((await refused.get('credit')).text).toContain(`We’ll email the answer to ${email}.`);
    expect((await refused.get('credit')).text).not.toContain('Ask for a human review');
    const [review] = await reviews();
    expect(review).toMatchObject({ status: 'OPEN' });
    const rejection = { outcome: 'REJECT', reason: 'As the policy.' };
    await operate(world, decideReview, { params: { review_id: review.review_id }, body: rejection });
    const mail = await answerTo(email);
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(
      'It stays the same: we can’t offer Café Morgenrot eG pay later at the moment.',
    );
    expect((await refused.get('credit')).text).toContain('A member of our team has reviewed this decision.');
  });

  it('whose renewal was refused shows the reasons before and after it has expired, and a person looks again', async () => {
    const email = 'rejected@renewal.example';
    const id = 'cafe-renewal';
    const page = await refuseRenewal(id, email);
    const { text } = await page.get('credit');
    expect(text).toContain('Credit limit expires soon');
    expect(text).toContain('We can’t offer a credit limit, or a higher one, at the moment.');
    expect(text).toContain('Ask for a human review');
    const expired = { buyer_external_id: id, trigger: 'expire' };
    expect((await world.post('/v1/sandbox/facilities', expired)).status).toBeLessThan(300);
    const { text: afterwards } = await page.get('credit');
    expect(afterwards).toContain('Ask for a human review');
    expect(afterwards).toContain('credit limit has expired');
    expect(afterwards).not.toMatch(/is being renewed|Valid until/);
    expect((await page.post('credit/review')).status).toBe(303);
    const [review, ...more] = (await operate(world, listReviews, { query: { buyer_external_id: [id] } }))
      .items;
    expect(more).toEqual([]);
    expect(review).toMatchObject({ status: 'OPEN', subject: 'FACILITY_RENEWAL' });
    // Two operators renew the expired limit.
    const params = { review_id: review.review_id };
    const reason = 'Called the owner.';
    await operate(world, proposeOverride, { params, body: { limit_amount: 70_000, reason } });
    await operate(world, approveOverride, { params, body: { reason } }, 'jan');
    expect((await world.get(`/v1/buyers/${id}/facility`)).body).toMatchObject({
      ...{ status: 'ACTIVE', total_amount: 70_000 },
    });
    expect((await page.get('credit')).text).not.toContain('Ask for a human review');
  });

  it('whose renewal a person does not grant either is told so, with its last day', async () => {
    const id = 'cafe-stays';
    const email = 'rejected@stays.example';
    const page = await refuseRenewal(id, email);
    await page.post('credit/review');
    const [review] = (await operate(world, listReviews, { query: { buyer_external_id: [id] } })).items;
    const rejection = { outcome: 'REJECT', reason: 'As the policy.' };
    await operate(world, decideReview, { params: { review_id: review.review_id }, body: rejection });
    const mail = await answerTo(email);
    expect(mail?.subject).toContain('Our decision stays the same');
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toMatch(
      /expires on \d+ \w+ 20\d\d\..*A member of our team has reviewed this decision\./,
    );
  });
});

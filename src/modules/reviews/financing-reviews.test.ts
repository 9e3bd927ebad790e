/** Financings that a person decides. */
import { beforeEach, describe, expect, it } from 'vitest';
import { Problem } from '#kernel/problem';
import { invoiceBody, merchantBody } from '#test/bodies';
import { ublInvoice } from '#test/e-invoices';
import { facilityOf } from '#test/facilities';
import { FILES } from '#test/files';
import { addVerifiedAccount, DAY, FINANCING_STARTS, requestFinancing } from '#test/financing';
import { FIRST_A_PERSON, financingReviews, REVIEWED_GROSS } from '#test/financing-reviews';
import { recordedEvents } from '#test/stored';

const room = financingReviews('ALWAYS');

async function addFile(invoice: string, name: string): Promise<void> {
  const path = `/v1/invoices/${invoice}/files?file_external_id=${name}&kind=INVOICE&name=${name}.pdf`;
  expect((await room.world.post(path, FILES['application/pdf'])).status).toBe(201);
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Problem);
  return (error as Problem).reason as string;
}

describe('a financing that a person decides', () => {
  it('waits, and its review says for what', async () => {
    const { invoice, service, body } = await room.request();
    expect(body).toMatchObject({ status: 'IN_REVIEW', requirements: [FIRST_A_PERSON] });
    expect(await room.reviewsOf(service)).toMatchObject([
      {
        status: 'OPEN',
        subject: 'FINANCING',
        buyer_external_id: 'buyer',
        order_external_id: null,
        service_external_id: service,
        currency: 'EUR',
        requested_amount: REVIEWED_GROSS,
        proposed_amount: null,
        reasons: ['FINANCING_REVIEWED'],
        scripted_at: null,
      },
    ]);
    expect((await recordedEvents(room.world, service)).map(({ type }) => type)).toEqual([
      'INVOICE.FINANCING.IN_REVIEW',
    ]);
    const dryRun = await room.world.get(`/v1/invoices/${invoice}/services/FINANCING/requirements`);
    expect(dryRun.body.requirements).toEqual([FIRST_A_PERSON]);
  });

  it('is accepted with its review', async () => {
    const { used_amount } = await facilityOf(room.world, 'buyer');
    const { invoice, service } = await room.request();
    const decided = await room.decide(await room.reviewOf(service), 'ACCEPT');
    expect(decided).toMatchObject({ status: 'DECIDED', outcome: 'ACCEPT', decided_amount: REVIEWED_GROSS });
    expect(await room.financingOf(invoice)).toMatchObject({ status: 'ACCEPTED', requirements: [] });
    expect((await facilityOf(room.world, 'buyer')).used_amount).toBe(used_amount + REVIEWED_GROSS);
    expect((await recordedEvents(room.world, service)).map(({ type }) => type)).toEqual([
      'INVOICE.FINANCING.IN_REVIEW',
      'INVOICE.FINANCING.ACCEPTED',
    ]);
    const history = await room.world.sql(
      'select actor from invoice_service_transitions where external_id = $1 and version = 2',
      [service],
    );
    expect(history).toEqual([{ actor: 'operator:ada' }]);
  });

  it('is rejected with the reason, and can be requested again', async () => {
    const { invoice, service } = await room.request();
    await room.decide(await room.reviewOf(service), 'REJECT');
    expect((await room.financingOf(invoice)).status).toBe('REJECTED');
    const history = await room.world.sql(
      'select actor, reason from invoice_service_transitions where external_id = $1 and version = 2',
      [service],
    );
    expect(history).toEqual([{ actor: 'operator:ada', reason: 'Called the buyer.' }]);
    const { body } = await requestFinancing(room.world, invoice);
    expect(body).toMatchObject({ status: 'IN_REVIEW', requirements: [FIRST_A_PERSON] });
    await room.decide(await room.reviewOf(body.external_id), 'ACCEPT');
    expect((await room.financingOf(invoice)).status).toBe('ACCEPTED');
  });

  it('waits on for what else is missing, and for no person again', async () => {
    await room.world.post('/v1/merchants', merchantBody({ external_id: 'late' }));
    const { invoice, service, body } = await room.request({ merchant_external_id: 'late' });
    const codesOf = ({ requirements }: { requirements: { code: string }[] }) =>
      requirements.map(({ code }) => code);
    expect(codesOf(body)).toEqual(['NO_VERIFIED_PAYOUT_INSTRUCTION', 'INVOICE_INELIGIBLE']);
    await room.decide(await room.reviewOf(service), 'ACCEPT');
    expect(codesOf(await room.financingOf(invoice))).toEqual(['NO_VERIFIED_PAYOUT_INSTRUCTION']);
    await addVerifiedAccount(room.world, 'late');
    await room.pass(1);
    expect((await room.financingOf(invoice)).status).toBe('ACCEPTED');
    expect(await room.statusesOf(service)).toEqual(['DECIDED']);
  });

  it('takes two operators beyond its amount', async () => {
    const { invoice, service } = await room.request();
    const review_id = await room.reviewOf(service);
    const beyond = { limit_amount: REVIEWED_GROSS + 1 };
    expect(await reasonOf(room.decide(review_id, 'ACCEPT', beyond))).toBe('OVERRIDE_REQUIRED');
    await room.propose(review_id, beyond.limit_amount);
    expect(await reasonOf(room.approve(review_id, 'ada'))).toBe('SECOND_PERSON_REQUIRED');
    expect((await room.financingOf(invoice)).status).toBe('IN_REVIEW');
    await room.approve(review_id, 'ben');
    expect(await room.financingOf(invoice)).toMatchObject({
      status: 'ACCEPTED',
      base_amount: REVIEWED_GROSS,
    });
  });

  it('is accepted with all of its amount or not at all', async () => {
    const { service } = await room.request();
    const review_id = await room.reviewOf(service);
    const part = { limit_amount: REVIEWED_GROSS - 1 };
    const refused = { status: 400, issues: [{ code: 'TOO_SMALL', path: 'body.limit' }] };
    await expect(room.decide(review_id, 'ACCEPT', part)).rejects.toMatchObject(refused);
    await expect(room.propose(review_id, part.limit_amount)).rejects.toMatchObject(refused);
    expect(await room.statusesOf(service)).toEqual(['OPEN']);
  });

  it('is reviewed again with another file of its invoice', async () => {
    const { invoice, service } = await room.request();
    await addFile(invoice, 'second');
    await room.pass(1);
    expect(await room.statusesOf(service)).toEqual(['OPEN', 'WITHDRAWN']);
    // Added after the last examination by the schedule, so no person has seen it.
    await addFile(invoice, 'third');
    await room.decide(await room.reviewOf(service), 'ACCEPT');
    expect(await room.financingOf(invoice)).toMatchObject({
      status: 'IN_REVIEW',
      requirements: [FIRST_A_PERSON],
    });
    expect(await room.statusesOf(service)).toEqual(['DECIDED', 'OPEN', 'WITHDRAWN']);
    await room.decide(await room.reviewOf(service), 'ACCEPT');
    expect((await room.financingOf(invoice)).status).toBe('ACCEPTED');
  });

  it('is accepted by the simulator, which stands for the person', async () => {
    const { invoice, service } = await room.request();
    const accept = { invoice_external_id: invoice, service_type: 'FINANCING', trigger: 'accept' };
    expect((await room.world.post('/v1/sandbox/services', accept)).status).toBe(200);
    expect((await room.financingOf(invoice)).status).toBe('ACCEPTED');
    expect(await room.statusesOf(service)).toEqual(['WITHDRAWN']);
  });
});

describe('the review of a financing', () => {
  it('is withdrawn when the service is cancelled', async () => {
    const { invoice, service } = await room.request();
    const review = await room.reviewOf(service);
    expect((await room.world.post(`/v1/invoices/${invoice}/services/FINANCING/cancel`)).status).toBe(200);
    expect(await room.statusesOf(service)).toEqual(['WITHDRAWN']);
    expect(await reasonOf(room.decide(review, 'ACCEPT'))).toBe('INVALID_STATUS_TRANSITION');
  });

  it('is withdrawn when the service is refused after 30 days', async () => {
    await room.world.post('/v1/merchants', merchantBody({ external_id: 'never' }));
    const { invoice, service } = await room.request({ merchant_external_id: 'never' });
    await room.pass(30 * DAY);
    expect((await room.financingOf(invoice)).status).toBe('REJECTED');
    expect(await room.statusesOf(service)).toEqual(['WITHDRAWN']);
  });

  it('is withdrawn when the platform has no financing reviewed any more', async () => {
    const { invoice, service } = await room.request();
    await room.review('NEVER');
    await room.pass(DAY);
    expect((await room.financingOf(invoice)).status).toBe('ACCEPTED');
    expect(await room.statusesOf(service)).toEqual(['WITHDRAWN']);
  });

  it('leaves a decision that says nothing of the buyer, and that no other merchant sees', async () => {
    const { service } = await room.request();
    await room.decide(await room.reviewOf(service), 'ACCEPT');
    const decisionsBy = async (apiKey: string) =>
      (await room.world.get('/v1/buyers/buyer/decisions', { key: apiKey })).body.items.filter(
        (each: { service_external_id: string | null }) => each.service_external_id === service,
      );
    expect(await decisionsBy(room.world.apiKey)).toMatchObject([
      {
        subject: 'FINANCING',
        outcome: 'ACCEPT',
        order_external_id: null,
        requested_amount: REVIEWED_GROSS,
        limit_amount: REVIEWED_GROSS,
        reasons: [],
        internal: { risk_band: null, decided_by: 'operator:ada', comment: 'Called the buyer.' },
      },
    ]);
    const own = await room.world.addKey({ merchantExternalId: 'merchant' });
    expect(await decisionsBy(own)).toMatchObject([{ requested_amount: REVIEWED_GROSS, internal: null }]);
    await room.world.post('/v1/merchants', merchantBody({ external_id: 'stranger' }));
    expect(await decisionsBy(await room.world.addKey({ merchantExternalId: 'stranger' }))).toEqual([]);
    // The person vouched for the invoice, not for the company.
    expect((await room.world.post('/v1/buyers/buyer/facility/renew')).status).toBeLessThan(300);
    const [renewal] = (await room.world.get('/v1/buyers/buyer/decisions')).body.items;
    expect(renewal).toMatchObject({
      subject: 'FACILITY_RENEWAL',
      internal: { inputs: { vouched_by: 'NOBODY' } },
    });
  });
});

describe('UNREADABLE_FILES', () => {
  beforeEach(() => room.review('UNREADABLE_FILES'));

  it('has a person compare a PDF with its invoice', async () => {
    const { service, body } = await room.request();
    expect(body).toMatchObject({ status: 'IN_REVIEW', requirements: [FIRST_A_PERSON] });
    expect(await room.reviewsOf(service)).toMatchObject([{ reasons: ['INVOICE_FILE_UNREADABLE'] }]);
  });

  it('needs nobody for an electronic invoice, and nobody while there is no file', async () => {
    const business_identifiers = [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }];
    const merchant = merchantBody({ external_id: 'read', business_identifiers });
    expect((await room.world.post('/v1/merchants', merchant)).status).toBe(201);
    await addVerifiedAccount(room.world, 'read');
    const external_id = room.nextInvoice();
    const body = invoiceBody({
      ...{ external_id, merchant_external_id: 'read', invoice_number: 'R-2025-1' },
      ...{ invoiced_at: FINANCING_STARTS, due_at: (await room.now()) + 30 * DAY },
    });
    expect((await room.world.post('/v1/invoices', body)).status).toBe(201);
    const waiting = await requestFinancing(room.world, external_id);
    expect(waiting.body.requirements).toMatchObject([{ code: 'NO_INVOICE_FILE_FOUND' }]);
    const path = `/v1/invoices/${external_id}/files?file_external_id=xml&kind=INVOICE&name=x.xml`;
    const headers = { 'content-type': 'application/xml' };
    expect((await room.world.post(path, ublInvoice(), { headers })).status).toBe(201);
    await room.pass(1);
    expect(await room.financingOf(external_id)).toMatchObject({ status: 'ACCEPTED', requirements: [] });
    expect(await room.reviewsOf(waiting.body.external_id)).toEqual([]);
  });
});

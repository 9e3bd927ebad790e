/** A credit decision at the same moment as the buyer's order or cancellation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RiskSource } from '#kernel/risk-source';
import { RiskSourceFailed } from '#modules/underwriting';
import { type CheckoutWorld, createCheckout, visit } from '#test/checkout';
import { auditCredit, facilityOf } from '#test/credit';
import { recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const ROUNDS = 12;

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  // Without a sandbox script, which would send the order itself to review too.
  checkout = await createCheckout(world, { risk: silent, onRiskFailure: 'refer' });
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

/** A risk source that does not answer: every application goes to review. */
const silent: RiskSource = { name: 'AGENCY', assess: () => Promise.reject(new RiskSourceFailed('TIMEOUT')) };

async function underReview() {
  const drafted = await checkout.draft();
  const visitor = await visit(checkout, drafted.token);
  await visitor.enterCompany();
  await visitor.enterDetails();
  await visitor.choosePayment('DEFER_14D');
  const { credit, step, termsVersion } = await visitor.view();
  expect([credit, step]).toEqual(['UNDER_REVIEW', 'review']);
  return { drafted, visitor, consent: { isGiven: true, termsVersion } };
}

const rounds = Array.from({ length: ROUNDS }, (_, nth) => nth);
const statusOf = async (id: string) => (await world.get(`/v1/orders/${id}`)).body.status;
const decide = (buyer: string, trigger: 'grant' | 'reject') =>
  world.post('/v1/sandbox/facilities', { buyer_external_id: buyer, trigger });

describe('a decision and a form at the same time', () => {
  it('a grant confirms the order in either sequence', async () => {
    for (const nth of rounds) {
      const { drafted, visitor, consent } = await underReview();
      const sender = visitor.sender();
      const [sent, decided] = await Promise.all([
        checkout.forms.placeOrder(sender, consent),
        // Alternates which request comes first.
        nth % 2 === 0
          ? decide(drafted.buyer, 'grant')
          : checkout.forms.statusOf(drafted.token).then(() => decide(drafted.buyer, 'grant')),
      ]);
      expect([sent.kind, decided.status]).toEqual(['DONE', 200]);
      expect(await statusOf(drafted.id)).toBe('CONFIRMED');
      expect(await facilityOf(world, drafted.buyer)).toMatchObject({ status: 'ACTIVE', pending: 11_900 });
    }
  });

  it('a rejection cancels the order or prevents it', async () => {
    for (const _ of rounds) {
      const { drafted, visitor, consent } = await underReview();
      const [sent] = await Promise.all([
        checkout.forms.placeOrder(visitor.sender(), consent),
        decide(drafted.buyer, 'reject'),
      ]);
      const status = await statusOf(drafted.id);
      expect([sent.kind, status]).toEqual(
        sent.kind === 'DONE' ? ['DONE', 'CANCELLED'] : ['REFUSED', 'DRAFT'],
      );
      expect((await visitor.view()).outcome).toBe(status === 'DRAFT' ? null : 'REFUSED');
    }
  });

  it('a grant and a cancellation: exactly one decides the order', async () => {
    for (const _ of rounds) {
      const { drafted, visitor, consent } = await underReview();
      await checkout.forms.placeOrder(visitor.sender(), consent);
      const [sent] = await Promise.all([
        checkout.forms.cancelOrder(visitor.sender()),
        decide(drafted.buyer, 'grant'),
      ]);
      const status = await statusOf(drafted.id);
      expect([sent.kind, status]).toEqual(
        sent.kind === 'DONE' ? ['DONE', 'CANCELLED'] : ['STALE', 'CONFIRMED'],
      );
      const types = (await recordedEvents(world, drafted.id)).map(({ type }) => type);
      expect(types).toEqual(['ORDER.PENDING_CONFIRMATION', `ORDER.${status}`]);
    }
  });
});

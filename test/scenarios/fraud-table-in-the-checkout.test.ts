/** The fraud table through the pages of the checkout: no buyer gets credit for a name alone, and honest companies get it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeCompanies } from '#modules/registry';
import { type CheckoutWorld, createCheckout } from '#test/checkout';
import { type Answer, type CheckoutPages, openPages } from '#test/checkout-pages';
import { type Claim, type CreditCase, FRAUD_CASES, firstOrderNearLimit } from '#test/fraud-cases';
import { HONEST_COMPANIES } from '#test/honest-companies';
import { createWorld, type World } from '#test/world';

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  // Companies of the table share names, which the limit of codes per company would count together.
  const settings = { TRADELINE_WORKER: 'off', TRADELINE_COMPANY_APPLICATIONS_PER_HOUR: '0' };
  world = await createWorld({ settings, platform: { language: 'EN' } });
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

const learn = ({ known }: CreditCase) => writeCompanies(world.installation.db, known, world.clock.now());

const ORDER_MINOR = 119_000;
/** At the website of the company that the frauds claim to be: a person with this mailbox does speak for it. */
const OWN_ADDRESS = 'office@nordlicht.example';
let houses = 0;
/** A separate street for each, because applications to one address are counted. */
const street = () => ({ street: 'Deich', house: `${++houses}` });

interface Walked {
  /** The error of the company form; null if it was accepted. */
  refusedAt: string | null;
  /** The status of the facility; null if none was requested. */
  facility: string | null;
  /** The first reason of the decision; null without one. */
  reason: string | null;
  /** The status of the order, after the buyer tried to place it on credit. */
  order: string;
}

const draft = (claim: Claim, buyer: Record<string, unknown>) => {
  const gross = claim.requested_amount ?? ORDER_MINOR;
  return checkout.draft({ buyer, order: { amount: { net: gross, gross } } });
};

/** An invited buyer, which types its company. */
async function typed(claim: Claim): Promise<Walked> {
  const drafted = await draft(claim, {});
  const pages = await openPages(world, drafted);
  const entered = await pages.fill('company', companyFields(claim));
  if (entered.status !== 303) return { ...(await resultOf(drafted)), refusedAt: 'company' };
  return walked(pages, drafted, claim, claim.contact_email ?? OWN_ADDRESS);
}

/** A buyer that the platform registered with this address, to which the code is sent. */
async function registered(claim: Claim): Promise<Walked> {
  const { requested_amount: _, delivery_address: __, ...company } = claim;
  const email = claim.contact_email ?? `einkauf-${++houses}@betrieb.example`;
  const drafted = await draft(claim, { ...company, contact_email: email });
  const pages = await openPages(world, drafted);
  expect(await pages.openFile()).toMatchObject({ status: 303 });
  return walked(pages, drafted, claim, email);
}

/** From the details to the order: on credit if it is offered, at a price that the page shows. */
async function walked(
  pages: CheckoutPages,
  drafted: { id: string; buyer: string },
  claim: Claim,
  email: string,
): Promise<Walked> {
  let sent = await pages.fill('details', detailsFields(claim, email));
  if (sent.step === 'code') sent = await pages.enterCode();
  expect(sent).toMatchObject({ status: 303, step: 'payment' });
  if (isOffered(await pages.page('payment'))) {
    await pages.fill('payment', { term: 'DEFER_30D' });
    expect(await pages.fill('review', { consent: 'yes' })).toMatchObject({ status: 303, step: 'outcome' });
  }
  return resultOf(drafted);
}

const isOffered = ({ text }: Answer) => text.includes('value="DEFER_30D"');

async function resultOf({ id, buyer }: { id: string; buyer: string }): Promise<Walked> {
  const [row] = await world.sql<Omit<Walked, 'refusedAt'>>(
    `select o.status as order, f.status as facility, (
      select reasons[1] from credit_decisions where platform_id = $3 and buyer_external_id = $2 order by decided_at limit 1
    ) as reason
    from orders o left join facilities f on f.platform_id = $3 and f.buyer_external_id = $2
    where o.platform_id = $3 and o.external_id = $1`,
    [id, buyer, world.platform.platform_id],
  );
  return { refusedAt: null, ...(row as Omit<Walked, 'refusedAt'>) };
}

function companyFields({ legal_name, legal_form, business_identifiers, business_address }: Claim) {
  const numberOf = (type: string) => business_identifiers.find((each) => each.type === type)?.value ?? '';
  return {
    legalName: legal_name,
    legalForm: legal_form,
    ...business_address,
    ...street(),
    vatId: numberOf('VAT_ID'),
    registerId: numberOf('REGISTER_ID'),
  };
}

function detailsFields({ delivery_address: delivery }: Claim, email: string): Record<string, string> {
  return {
    firstName: 'Kim',
    lastName: 'Sommer',
    phone: '+493012345678',
    email,
    ...(delivery ? { to: 'OTHER', ...delivery, ...street() } : { to: 'COMPANY' }),
  };
}

/**
 * In the checkout every applicant confirms an address, and an address that does not belong to the company is one reason, regardless
 * of its owner. A second invited buyer with another buyer's company is a stranger there, from any domain.
 */
function reasonInCheckout({ because = '' }: CreditCase): string {
  const others: Record<string, string> = {
    FREE_MAIL_ADDRESS: 'UNKNOWN_EMAIL_DOMAIN',
    SEVERAL_EMAIL_DOMAINS: 'SAME_ENTITY',
  };
  return others[because] ?? because;
}

/** Entries that the company form refuses never get a decision. The form accepts only numbers of the company's own country. */
function isRefusedAtOnce({ because = '', claims }: CreditCase): boolean {
  const isForeign = claims.some(({ business_identifiers, business_address }) =>
    business_identifiers.some(({ country }) => country !== business_address.country),
  );
  return isForeign || because === 'INVALID_VALUE' || because === 'LEGAL_FORM_MISMATCH';
}

describe('without a person, no buyer of the checkout gets credit as', () => {
  it.each(FRAUD_CASES.map((each) => [each.name, each] as const))('%s', async (_name, fraud) => {
    await learn(fraud);
    for (const honest of fraud.before ?? [])
      expect(await typed(honest)).toMatchObject({ facility: 'ACTIVE', order: 'CONFIRMED' });
    const results: Walked[] = [];
    for (const claim of fraud.claims) results.push(await typed(claim));
    for (const { facility, order } of results) {
      expect([null, 'PENDING', 'REJECTED']).toContain(facility);
      expect(['DRAFT', 'PENDING_CONFIRMATION']).toContain(order);
    }
    expect(results[0]).toMatchObject(
      isRefusedAtOnce(fraud)
        ? { refusedAt: 'company', facility: null, reason: null, order: 'DRAFT' }
        : { refusedAt: null, reason: reasonInCheckout(fraud) },
    );
  });
});

describe('a buyer of the checkout gets credit at once as', () => {
  /** If the registry has a website, the buyer confirms an address there, otherwise the one that the platform has. */
  const isShownByWebsite = ({ known }: CreditCase) => known.some(({ website }) => website !== null);

  it.each(HONEST_COMPANIES.map((each) => [each.name, each] as const))('%s', async (_name, honest) => {
    await learn(honest);
    for (const claim of honest.claims) {
      const result = isShownByWebsite(honest) ? await typed(claim) : await registered(claim);
      expect(result).toMatchObject({ facility: 'ACTIVE', order: 'CONFIRMED' });
    }
  });
});

describe('a first order near the limit', () => {
  it('is reviewed if its delivery is changed after the decision', async () => {
    const story = firstOrderNearLimit();
    await learn(story);
    const [claim] = story.claims as [Claim];
    const { delivery_address: _, ...toTheCompany } = claim;
    const drafted = await draft(claim, {});
    const pages = await openPages(world, drafted);
    await pages.fill('company', companyFields(claim));
    await pages.fill('details', detailsFields(toTheCompany, OWN_ADDRESS));
    await pages.enterCode();
    expect(await resultOf(drafted)).toMatchObject({ facility: 'ACTIVE' });
    await pages.fill('details', detailsFields(claim, OWN_ADDRESS));
    await pages.fill('payment', { term: 'DEFER_30D' });
    await pages.fill('review', { consent: 'yes' });
    expect(await resultOf(drafted)).toMatchObject({ facility: 'ACTIVE', order: 'PENDING_CONFIRMATION' });
    const decisions = await world.sql<{ subject: string; reason: string }>(
      'select subject, reasons[1] as reason from credit_decisions where buyer_external_id = $1 order by subject',
      [drafted.buyer],
    );
    expect(decisions).toContainEqual({ subject: 'ORDER', reason: 'FIRST_ORDER_NEAR_LIMIT' });
  });
});

import { futureIssues } from '#kernel/clock-skew';
import { invalidRequest, notFound } from '#kernel/problem';
import { findBuyerName } from '#modules/buyers';
import { assertMerchantEnrolled, findMerchantStatus, unknownMerchant } from '#modules/merchants';
import { assertCurrencyEnabled, findPlatform } from '#modules/platforms';
import { assertMerchantAllowed } from '#operation/caller';
import { operation } from '#operation/operation';
import { findStanding } from '../credit-settings.queries.ts';
import { hasMandateFor } from '../debit-mandate.ts';
import { FacilityParams } from '../facility.schemas.ts';
import { findFacilityView, toFacility } from '../facility-view.queries.ts';
import { answerOf, judge, METHOD_OFFERED, merchantFeeOf, sortedTerms } from '../payment-terms.rules.ts';
import { PaymentTerms, PurchaseQuery } from '../payment-terms.schemas.ts';
import { placementRefusal } from '../term-placement.rules.ts';

export const listPaymentTerms = operation({
  id: 'listPaymentTerms',
  summary: 'List the payment terms for a buyer',
  description:
    'For a purchase of `gross_amount`: every offered term with its fee and instalments, and every other term with the ' +
    'reason. The offer reserves nothing: an order with an offered term is accepted as long as nothing else changes.',
  tag: 'Facilities',
  scope: 'read',
  effect: 'read',
  params: FacilityParams,
  query: PurchaseQuery,
  status: 200,
  response: PaymentTerms,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'REFERENCED_ENTITY_NOT_FOUND',
    'MERCHANT_NOT_ENROLLED',
    'CURRENCY_NOT_ENABLED',
  ],
  example: { params: { external_id: 'cafe-morgenrot' }, query: { gross_amount: '119000' } },
  async run({ db, platformId, caller, now }, { params, query }) {
    const key = { platformId, buyerExternalId: params.external_id };
    const { merchant_external_id: merchant, gross_amount: grossMinor, ordered_at: orderedAt = now } = query;
    const { payment_method: paymentMethod = METHOD_OFFERED } = query;
    const issues = futureIssues(orderedAt, now, 'query.ordered_at');
    if (issues.length > 0) throw invalidRequest(issues);
    const [platform, buyerName, merchantStatus, standing, facility, hasMandate] = await Promise.all([
      findPlatform(db, platformId),
      findBuyerName(db, { platformId, externalId: params.external_id }),
      merchant === undefined ? undefined : findMerchantStatus(db, { platformId, externalId: merchant }),
      findStanding(db, { ...key, at: now }),
      findFacilityView(db, key),
      hasMandateFor(db, key, paymentMethod),
    ]);
    if (!platform || buyerName === undefined) throw notFound();
    if (merchant !== undefined) {
      assertMerchantAllowed(caller, merchant);
      if (merchantStatus === undefined) throw unknownMerchant('query.merchant_external_id', merchant);
      assertMerchantEnrolled(merchant, merchantStatus);
    }
    const currency = query.currency ?? platform.currency;
    assertCurrencyEnabled(currency, platform);
    const purchase = { grossMinor, currency, orderedAt };
    const placement = { paymentMethod, hasMandate, orderedAt };
    const judgement = judge(standing, purchase, now);
    const { offers, unavailable } = sortedTerms(
      (term) =>
        placementRefusal(term, placement, standing.timeZone, now) ??
        answerOf(term, standing, platform, purchase, judgement),
    );
    return {
      body: {
        payment_terms: offers.map((offer) => ({
          ...offer,
          merchant_fee: merchantFeeOf(offer),
          payment_method: paymentMethod,
        })),
        unavailable_terms: unavailable.map(({ term, reason }) => ({ payment_term: term, reason })),
        facility: facility ? toFacility(facility) : null,
      },
    };
  },
});

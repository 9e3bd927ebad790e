import { localDayOf } from '#kernel/local-day';
import { namedNotFound } from '#kernel/missing-entity';
import { notFound, refusal } from '#kernel/problem';
import { findBuyerName, missingBuyer } from '#modules/buyers';
import { findFacility } from '#modules/facilities';
import { findMerchant, unknownMerchant } from '#modules/merchants';
import { findPlatform } from '#modules/platforms';
import { assertMerchantAllowed } from '#operation/caller';
import { operation } from '#operation/operation';
import { CalculatedFees, FeeCalculation } from '../financing.schemas.ts';
import { bandOf } from '../requirements.rules.ts';
import { feePayerOf } from '../service-facts.ts';
import { findServiceFees } from '../service-fee.queries.ts';
import { feeRangeOf } from '../service-fee.rules.ts';
import { toServiceFee } from '../shown-fee.ts';

export const calculateFees = operation({
  id: 'calculateFees',
  summary: 'Calculate the fee of financing an invoice',
  description:
    'The cost of a request now, computed in the same way, for an invoice that need not exist. For a buyer without a risk band ' +
    'the fee is between two amounts. Nothing is stored.',
  tag: 'Invoices',
  scope: 'read',
  effect: 'read',
  body: FeeCalculation,
  status: 200,
  response: CalculatedFees,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'REFERENCED_ENTITY_NOT_FOUND', 'SERVICE_NOT_OFFERED'],
  example: {
    body: {
      merchant_external_id: 'roastery-north',
      buyer_external_id: 'cafe-morgenrot',
      gross_amount: 119000,
      due_at: 1_769_000_000,
    },
  },
  async run({ db, platformId, caller, now, timeZone }, { body }) {
    const { merchant_external_id: merchantId, buyer_external_id: buyerId, gross_amount: amountMinor } = body;
    assertMerchantAllowed(caller, merchantId);
    const [platform, merchant, buyerName] = await Promise.all([
      findPlatform(db, platformId),
      findMerchant(db, { platformId, externalId: merchantId }),
      buyerId === undefined ? null : findBuyerName(db, { platformId, externalId: buyerId }),
    ]);
    if (!platform) throw notFound();
    if (!merchant) throw unknownMerchant('body.merchant_external_id', merchantId);
    if (buyerId !== undefined && buyerName === undefined)
      throw namedNotFound(missingBuyer('body.buyer_external_id', buyerId));
    const facility =
      buyerId === undefined
        ? null
        : ((await findFacility(db, { platformId, buyerExternalId: buyerId })) ?? null);
    const payer = feePayerOf(merchant);
    const range = feeRangeOf(await findServiceFees(db, platform, now), payer, {
      parts: [{ amountMinor, dueOn: localDayOf(body.due_at, timeZone) }],
      band: bandOf(facility),
      today: localDayOf(now, timeZone),
    });
    if (!range)
      throw refusal(
        'SERVICE_NOT_OFFERED',
        `The service is not offered to merchants of ${payer.country}: no tax is set for its fee`,
        { country: payer.country },
      );
    const currency = body.currency ?? platform.currency;
    const [lowest, highest] = [range.lowest, range.highest].map((fee) => toServiceFee(fee, currency)) as [
      ReturnType<typeof toServiceFee>,
      ReturnType<typeof toServiceFee>,
    ];
    return {
      body: {
        base_amount: amountMinor,
        is_exact: lowest.net === highest.net,
        lowest_fee: lowest,
        highest_fee: highest,
        lowest_advance: Math.max(0, amountMinor - highest.gross),
        highest_advance: Math.max(0, amountMinor - lowest.gross),
      },
    };
  },
});

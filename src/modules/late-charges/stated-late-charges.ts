/** The statements about late payment that the law of the merchant's country requires on an invoice as a condition of the claim. */
import type { Db } from '#infra/database/database';
import { type Language, languageOfCountry } from '#kernel/language';
import { localDayOf } from '#kernel/local-day';
import { type MessageKey, type Translator, translatorOf } from '#messages';
import type { BuyerRow } from '#modules/buyers';
import type { InvoiceRow } from '#modules/invoices';
import type { MerchantRow } from '#modules/merchants';
import type { PlatformRow } from '#modules/platforms';
import { contractRateOf, type InterestTerms, lawfulInterestOn, lawfulRate } from './late-interest.rules.ts';
import { findLateInterestAgreement } from './late-interest-agreement.queries.ts';
import type { LatePaymentLaw } from './late-payment-law.schemas.ts';
import { latePaymentLawOf } from './late-payment-laws.ts';
import { findReferenceRates } from './reference-rate.queries.ts';
import { MissingReferenceRate, valueOn } from './reference-rate.rules.ts';

/** Sentences that the law requires. */
export interface StatedLateCharges {
  /** The language of the merchant's country, which the law requires regardless of the buyer's language. */
  language: Language;
  /** At least one. */
  sentences: string[];
}

/** An invoice with its platform, merchant and buyer. */
export interface InvoiceParties {
  platform: PlatformRow;
  merchant: Pick<MerchantRow, 'business_address'>;
  buyer: Pick<BuyerRow, 'external_id' | 'legal_form'>;
  invoice: Pick<InvoiceRow, 'invoiced_at' | 'amount_gross' | 'term_fee_gross'>;
}

type Stated = LatePaymentLaw['invoice_must_state'][number]['value'][number];

interface StatedFacts {
  /** The day of the invoice. */
  day: string;
  totalMinor: number;
  terms: InterestTerms;
  translator: Translator;
}

/** Returns null if the law of the merchant's country requires no statement on the day of the invoice, or the country has no law. */
export async function statedLateCharges(
  db: Db,
  { platform, merchant, buyer, invoice }: InvoiceParties,
): Promise<StatedLateCharges | null> {
  const { platform_id: platformId, time_zone: timeZone } = platform;
  const { country } = merchant.business_address as { country: string };
  const law = latePaymentLawOf(country);
  const day = localDayOf(invoice.invoiced_at, timeZone);
  const stated = law ? (valueOn(law.invoice_must_state, day) ?? []) : [];
  if (!law || stated.length === 0) return null;
  const agreement = await findLateInterestAgreement(db, platformId, {
    buyerExternalId: buyer.external_id,
    day,
  });
  const language = languageOfCountry(country) ?? 'EN';
  const facts: StatedFacts = {
    ...{ day, totalMinor: invoice.amount_gross + invoice.term_fee_gross },
    terms: {
      law,
      rates: await findReferenceRates(db, platformId),
      isPublicBody: buyer.legal_form === 'GOVERNMENT',
      contract: {
        basisPoints: platform.late_interest_basis_points,
        agreedBasisPoints: agreement?.basis_points ?? null,
      },
    },
    translator: translatorOf(language, 'FORMAL', timeZone),
  };
  const sentences = stated.flatMap((each) => SENTENCE_OF[each](facts) ?? []);
  return sentences.length === 0 ? null : { language, sentences };
}

/** Laws with a separate rate for public bodies have separate wording for it: in France, that of the Code de la commande publique. */
type Debtor = 'company' | 'publicBody';

const TEXTS: Record<Debtor, MessageKey> = { company: 'late.interest', publicBody: 'late.interest_public' };

/** The texts about a reference rate plus a margin. A law that requires its rate to be stated needs a line here. */
const TEXTS_OF_RATES: Record<string, Record<Debtor, MessageKey>> = {
  ECB_MRO: { company: 'late.interest_ecb', publicBody: 'late.interest_ecb_public' },
};

/** The text of each statement; null if the law gives nothing to state. */
const SENTENCE_OF: Record<Stated, (facts: StatedFacts) => string | null> = {
  LATE_INTEREST_RATE({ day, terms, translator: { text, percent } }) {
    const own = ownRateOn(terms, day);
    const debtor = terms.isPublicBody ? 'publicBody' : 'company';
    if (own !== null) return text(TEXTS[debtor], { rate: percent(own) });
    const interest = lawfulInterestOn(terms, day);
    if (!interest) return null;
    const { reference_rate: code, margin_basis_points: margin } = interest;
    if (code === null) return text(TEXTS[debtor], { rate: percent(margin) });
    const key = TEXTS_OF_RATES[code]?.[debtor];
    if (key === undefined) throw new Error(`There is no text about the reference rate ${code}.`);
    // Named without its value, because the rate of the delay is not known yet.
    return text(key, { points: Number(`${margin}e-2`) });
  },
  FIXED_COMPENSATION({ day, totalMinor, terms: { law }, translator: { text, money } }) {
    const fixed = valueOn(law.compensation, day);
    const tier = fixed?.tiers.findLast(({ from_minor }) => from_minor <= totalMinor);
    if (!fixed || !tier) return null;
    const currency = fixed.conversion?.amount_currency ?? fixed.currency;
    return text('late.compensation', { amount: money(tier.amount_minor, currency) });
  },
};

/** The platform's own rate, in basis points, if it is charged on the day instead of the law's; null if the law's is charged or unknown. */
function ownRateOn(terms: InterestTerms, day: string): number | null {
  if (terms.contract.basisPoints === null) return null;
  try {
    const lawful = lawfulRate(terms, day, day);
    const rate = contractRateOf(lawful, terms.contract);
    return rate === lawful ? null : rate;
  } catch (error) {
    if (!(error instanceof MissingReferenceRate)) throw error;
    return null;
  }
}

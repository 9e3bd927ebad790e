import { afterEach, describe, expect, it } from 'vitest';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { insertLateInterestAgreement } from './late-interest-agreement.queries.ts';
import { LAW_COUNTRIES, latePaymentLawOf } from './late-payment-laws.ts';
import { statedLateCharges } from './stated-late-charges.ts';

const { world } = useInvoicing();
const YEAR = 31_536_000;

interface Stating {
  country?: string;
  legalForm?: 'LIMITED_COMPANY' | 'GOVERNMENT';
  invoicedAt?: number;
  basisPoints?: number | null;
}

/** The statement on an invoice of EUR 119.00. */
async function stated({ country = 'FR', legalForm, invoicedAt = NOW, basisPoints = null }: Stating = {}) {
  const { platform, installation } = world();
  const found = (await findPlatform(installation.db, platform.platform_id)) as PlatformRow;
  return statedLateCharges(installation.db, {
    platform: { ...found, late_interest_basis_points: basisPoints },
    merchant: { business_address: { country } } as never,
    buyer: { external_id: 'buyer', legal_form: legalForm ?? 'LIMITED_COMPANY' },
    invoice: { invoiced_at: invoicedAt, amount_gross: 11_900, term_fee_gross: 0 },
  });
}
const agree = (basis_points: number) =>
  insertLateInterestAgreement(world().installation.db, world().platform.platform_id, {
    ...{ buyer_external_id: 'buyer', basis_points, agreed_on: '2025-01-01' },
    ...{ source: 'Accord', recorded_at: NOW, recorded_by: 'operator:fin' },
  });
afterEach(() => world().sql('delete from late_interest_agreements'));

const BY_LAW = (points: number) =>
  'En cas de retard de paiement, des pénalités de retard sont exigibles dès le lendemain de la date d’échéance, au taux d’intérêt appliqué par la ' +
  `Banque centrale européenne à son opération de refinancement la plus récente, majoré de ${points} points de pourcentage.`;
const AT = (rate: string) =>
  `En cas de retard de paiement, des pénalités de retard sont exigibles dès le lendemain de la date d’échéance, au taux annuel de ${rate}.`;
/** Code de la commande publique, articles L2192-13 and R2192-31. */
const PUBLIC_BY_LAW =
  'En cas de retard de paiement, des intérêts moratoires courent de plein droit dès le lendemain de l’expiration du délai de paiement, au taux d’intérêt ' +
  'appliqué par la Banque centrale européenne à ses opérations principales de refinancement les plus récentes, en vigueur au premier jour du semestre au ' +
  'cours duquel ils ont commencé à courir, majoré de 8 points de pourcentage.';
const PUBLIC_AT = (rate: string) =>
  `En cas de retard de paiement, des intérêts moratoires courent de plein droit dès le lendemain de l’expiration du délai de paiement, au taux annuel de ${rate}.`;
const plain = (text: string | undefined) => text?.replaceAll(/[\u00a0\u202f]/g, ' ');
const rateOf = async (stating: Stating) => plain((await stated(stating))?.sentences[0]);

describe('an invoice of a merchant in France', () => {
  it('says the rate of the law and the compensation, in French', async () => {
    const { language, sentences } = (await stated()) ?? { sentences: [] };
    expect(language).toBe('FR');
    expect(sentences.map(plain)).toEqual([
      BY_LAW(10),
      'Une indemnité forfaitaire pour frais de recouvrement de 40,00 € est également due.',
    ]);
  });

  it('says it in the words of the law of public contracts to a public body', async () => {
    expect((await stated({ legalForm: 'GOVERNMENT' }))?.sentences.map(plain)).toEqual([
      PUBLIC_BY_LAW,
      'Une indemnité forfaitaire pour frais de recouvrement de 40,00 € est également due.',
    ]);
    expect(await rateOf({ legalForm: 'GOVERNMENT', basisPoints: 500 })).toBe(PUBLIC_AT('5,00 %'));
  });

  // On 20 November 2025 the law gives 2.15 + 10 = 12.15 %.
  it('says the rate of the platform where that is charged, else the law’s', async () => {
    expect(await rateOf({ basisPoints: 500 })).toBe(AT('5,00 %'));
    expect(await rateOf({ basisPoints: 2_000 })).toBe(BY_LAW(10));
    // The reference rate of that day is unknown; claims stop too.
    expect(await rateOf({ basisPoints: 500, invoicedAt: NOW + 2 * YEAR })).toBe(BY_LAW(10));
    await agree(1_500);
    expect(await rateOf({ basisPoints: 2_000 })).toBe(AT('15,00 %'));
  });

  it('says nothing before the law wanted it', async () => {
    expect(await stated({ invoicedAt: Date.parse('2019-09-30T12:00:00Z') / 1_000 })).toBeNull();
    expect(await stated({ invoicedAt: Date.parse('2019-10-01T12:00:00Z') / 1_000 })).not.toBeNull();
  });
});

describe('an invoice of another country', () => {
  it.each(LAW_COUNTRIES)('says in %s each of what the law wants', async (country) => {
    const wanted = latePaymentLawOf(country)?.invoice_must_state.at(-1)?.value ?? [];
    expect((await stated({ country }))?.sentences.length ?? 0).toBe(wanted.length);
  });

  it('says nothing where there is no law', async () => {
    expect(await stated({ country: 'BR' })).toBeNull();
  });
});

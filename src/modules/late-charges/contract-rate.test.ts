import { describe, expect, it } from 'vitest';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { chargeLateInvoice, lateInvoiceBody } from '#test/late-charges';
import { insertLateInterestAgreement } from './late-interest-agreement.queries.ts';

const { create, world } = useInvoicing();
let made = 0;

// 1 to 19 November 2025: 19 days at 1.27 + 9 = 10.27 %: 1,000,000 × 0.1027 × 19 / 365 = 5,346.03, so EUR 53.46.
const INTEREST = 5_346;

describe('the rate of the platform', () => {
  const interestAt = async (basisPoints: number) => {
    const set = (value: number | null) =>
      world().sql('update platforms set late_interest_basis_points = $1', [value]);
    const invoice = `late-${++made}`;
    await create(lateInvoiceBody(invoice));
    await set(basisPoints);
    const { charges } = await chargeLateInvoice(world(), invoice, { kinds: ['INTEREST'] });
    await set(null);
    return charges;
  };
  const agree = (basis_points: number, agreed_on: string, buyer_external_id = 'buyer') =>
    insertLateInterestAgreement(world().installation.db, world().platform.platform_id, {
      ...{ buyer_external_id, basis_points, agreed_on },
      ...{ source: 'Terms of 2025, section 9', recorded_at: NOW, recorded_by: 'operator:fin' },
    });

  // 19 days: 1,000,000 × 0.05 × 19 / 365 = 2,602.74, so EUR 26.03.
  it.each([
    ['replaces a higher one of the law', 500, 2_603],
    ['is not charged above that of the law', 2_000, INTEREST],
    ['can be none', 0, undefined],
  ])('%s', async (_, basisPoints, interest) => {
    const charges = await interestAt(basisPoints);
    expect(charges[0]?.amount).toBe(interest);
    expect(charges[0]?.computation.lines[0]?.rate_basis_points).toBe(
      interest && Math.min(basisPoints, 1_027),
    );
  });

  // The invoice is dated 1 October 2025.
  it.each<[string, number, [number, string, string?][], number, boolean]>([
    // 1,000,000 × 0.12 × 19 / 365 = 6,246.58, so EUR 62.47.
    ['is charged above it where the buyer has agreed to it', 1_200, [[1_200, '2025-10-01']], 6_247, true],
    ['is charged up to what the buyer has agreed to', 2_000, [[1_200, '2025-03-01']], 6_247, true],
    [
      'is the law’s where the agreement is later than the invoice',
      1_200,
      [[1_200, '2025-10-02']],
      INTEREST,
      false,
    ],
    ['is the law’s where another buyer has agreed', 1_200, [[1_200, '2025-10-01', 'other']], INTEREST, false],
    [
      'is what was agreed last',
      2_000,
      [
        [1_500, '2025-01-01'],
        [1_200, '2025-02-01'],
      ],
      6_247,
      true,
    ],
    [
      'is what was recorded last for a day',
      2_000,
      [
        [1_500, '2025-01-01'],
        [1_200, '2025-01-01'],
      ],
      6_247,
      true,
    ],
    [
      'is the law’s once nothing more is agreed',
      2_000,
      [
        [1_500, '2025-01-01'],
        [0, '2025-02-01'],
      ],
      INTEREST,
      false,
    ],
  ])('%s', async (_, basisPoints, agreements, interest, isCited) => {
    for (const agreement of agreements) await agree(...agreement);
    const [charge] = await interestAt(basisPoints);
    await world().sql('delete from late_interest_agreements');
    expect(charge?.amount).toBe(interest);
    expect(charge?.computation.source).toBe(
      isCited ? 'BGB, section 288(2); Terms of 2025, section 9' : 'BGB, section 288(2)',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { translatorOf } from '#messages';
import { mailExamples } from './mail-examples.ts';
import { renderMail } from './render-mail.ts';

const branding = { name: 'Markthalle', logoUrl: null, color: null, reviewDays: 1 };

describe('a payout of more invoices than are shown', () => {
  it('sums the rest as amounts, not as articles of an order', async () => {
    const lines = Array.from({ length: 25 }, (_, index) => ({ invoice: `R${index}`, amountMinor: 464 }));
    const payout = { ...mailExamples.merchant_payout_paid, lines, deductedMinor: 0 };
    const { text } = await renderMail('merchant_payout_paid', payout, translatorOf('FR', 'FORMAL'), branding);
    expect(text.replaceAll(/[\u00a0\u202f]/g, ' ')).toContain(
      'Facture R19 : 4,64 €\n  Autres montants (5) : 23,20 €\n',
    );
    expect(text).not.toContain('articles');
  });
});

import { describe, expect, it } from 'vitest';
import { translatorOf } from '#messages';
import { mailExamples } from './mail-examples.ts';
import { renderMail } from './render-mail.ts';

const branding = { name: 'Markthalle', logoUrl: null, color: null, reviewDays: 1 };

describe('a refused credit limit', () => {
  it('is told in small letters after a German greeting, and once', async () => {
    const translator = translatorOf('DE', 'FORMAL');
    const reasons = [translator.text('reason.NOT_POSSIBLE_NOW'), translator.text('reason.OVERDUE_INVOICES')];
    const refused = { ...mailExamples.facility_refused, reasons };
    const { text } = await renderMail('facility_refused', refused, translator, branding);
    expect(text).toMatch(/Guten Tag.*,\n\neinen \(höheren\) Kreditrahmen/);
    expect(text).not.toContain('Einen Kreditrahmen');
    expect(text).toContain('Es gibt überfällige Rechnungen.');
  });
});

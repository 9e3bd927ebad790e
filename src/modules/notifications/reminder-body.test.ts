import { describe, expect, it } from 'vitest';
import { translatorOf } from '#messages';
import { mailExamples } from './mail-examples.ts';
import { renderMail } from './render-mail.ts';

const branding = { name: 'Markthalle', logoUrl: null, color: null, reviewDays: 1 };

describe('a reminder', () => {
  it.each(['Pacific/Auckland', 'America/Los_Angeles', 'UTC'])(
    'names the day until which it asks for payment, and that of the interest, in %s',
    async (timeZone) => {
      const translator = translatorOf('EN', 'NEUTRAL', timeZone);
      const last = {
        ...mailExamples.reminder_overdue,
        wording: 'LAST_REMINDER',
        payByOn: '2026-01-31',
      } as const;
      const mail = await renderMail('reminder_overdue', last, translator, branding);
      const text = mail.text.replaceAll(/\s+/g, ' ');
      expect(text).toContain('by 31 January 2026');
      expect(text).toContain('interest until 19 January 2026');
      expect(text).not.toMatch(/1 February|30 January|20 January|18 January/);
    },
  );
});

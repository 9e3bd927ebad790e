import { describe, expect, it } from 'vitest';
import { FORMALITIES, LANGUAGES } from '#kernel/language';
import { translatorOf } from '#messages';
import { MAIL_CASES } from '#test/mail-variants';
import { mailExamples } from './mail-examples.ts';
import { renderMail } from './render-mail.ts';

const branding = { name: 'Markthalle', logoUrl: null, color: null, reviewDays: 1 };

describe('after a German greeting with a comma', () => {
  const CAPITAL = /^(D(er|ie|as)|Ein(e[nmrs]?)?|Wir|Diese[mnrs]?|Unser|Es|Für|Vielen|Danke|Deine?|Zurzeit)\b/;

  it.each(MAIL_CASES)('$name goes on in small letters', async ({ kind, contents }) => {
    for (const formality of FORMALITIES) {
      const german = translatorOf('DE', formality);
      const notice = [german.text('assignment.notice', { merchant: 'M', assignee: 'A' })];
      const { text } = await renderMail(kind, { ...contents, notice } as never, german, branding);
      const [, opening] = /^(?:Guten Tag|Hallo).*,\n\n(.*)/m.exec(text) ?? [];
      expect(opening).not.toMatch(CAPITAL);
    }
  });
});

describe.each(['order_refused', 'credit_refused', 'facility_refused'] as const)('%s', (kind) => {
  it.each(LANGUAGES)('says in %s how to have a person review the decision', async (language) => {
    const translator = translatorOf(language, 'NEUTRAL');
    const mail = await renderMail(kind, mailExamples[kind], translator, branding);
    const [text, ...offers] = [
      mail.text,
      translator.text('mail.refused_review'),
      translator.text('refused.person', { days: branding.reviewDays }),
    ].map((each) => each.replaceAll(/\s+/g, ''));
    expect(offers.some((offer) => text?.includes(offer))).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { FORMALITIES } from '#kernel/language';
import { MAIL_KIND_NAMES } from '#kernel/mail-kind';
import { translatorOf } from '#messages';
import { mailExamples } from './mail-examples.ts';
import { renderMail } from './render-mail.ts';

const branding = { name: 'Markthalle', logoUrl: null, color: null, reviewDays: 1 };

describe('after a German greeting with a comma', () => {
  const CAPITAL = /^(D(er|ie|as)|Ein(e[nmrs]?)?|Wir|Diese[mnrs]?|Unser|Es|Für|Vielen|Danke|Deine?|Zurzeit)\b/;

  it.each(MAIL_KIND_NAMES)('%s goes on in small letters', async (kind) => {
    for (const formality of FORMALITIES) {
      const german = translatorOf('DE', formality);
      const notice = [german.text('assignment.notice', { merchant: 'M', assignee: 'A' })];
      const { text } = await renderMail(kind, { ...mailExamples[kind], notice }, german, branding);
      const [, opening] = /^(?:Guten Tag|Hallo).*,\n\n(.*)/m.exec(text) ?? [];
      expect(opening).not.toMatch(CAPITAL);
    }
  });
});

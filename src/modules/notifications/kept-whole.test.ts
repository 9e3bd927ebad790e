/** No line break in the plain text of mails divides a day or an amount. */
import { describe, expect, it } from 'vitest';
import { FORMALITIES, LANGUAGES } from '#kernel/language';
import { type Translator, translatorOf } from '#messages';
import { MAIL_CASES } from '#test/mail-variants';
import { renderMail } from './render-mail.ts';

const branding = { name: 'Markthalle', logoUrl: null, color: null, reviewDays: 1 };

/** The translator, and the days and amounts that it has written. */
function recordingOf(translator: Translator) {
  const written = new Set<string>();
  const noted = (text: string) => {
    written.add(text);
    return text;
  };
  const { money, day, dayOn, shortDay, moment } = translator;
  const recording: Translator = {
    ...translator,
    money: (...amount) => noted(money(...amount)),
    day: (at) => noted(day(at)),
    dayOn: (on) => noted(dayOn(on)),
    shortDay: (at) => noted(shortDay(at)),
    moment: (at) => noted(moment(at)),
  };
  return { written, recording };
}

describe.each(LANGUAGES)('a mail in %s', (language) => {
  it('has each day and amount on one line, and no mark of it', async () => {
    let count = 0;
    for (const formality of FORMALITIES)
      for (const { name, kind, contents } of MAIL_CASES) {
        const { written, recording } = recordingOf(translatorOf(language, formality));
        const { subject, text, html } = await renderMail(kind, contents as never, recording, branding);
        expect(`${subject}${text}${html}`).not.toMatch(/[\ue000-\uf8ff]/);
        // Words are divided at spaces, and those of wide characters at any character.
        const unbroken = [' ', ''].map((joint) => text.replaceAll(/\n */g, joint));
        const isDivided = (each: string) =>
          !text.includes(each) && unbroken.some((line) => line.includes(each));
        expect({ name, divided: [...written].filter(isDivided) }).toEqual({ name, divided: [] });
        count += written.size;
      }
    expect(count).toBeGreaterThan(100);
  });
});

/** The catalogue contains no text for mails that no mail of the tests shows: nobody would ever read it. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MESSAGE_KEYS, type MessageKey, type Translator, translatorOf } from '#messages';
import { MAIL_CASES } from '#test/mail-variants';
import { renderMail } from './render-mail.ts';

const branding = { name: 'Markthalle', logoUrl: null, color: null, reviewDays: 1 };

/** The messages that mails can show: their own ones, and those that their code names. */
function keysOfMails(): MessageKey[] {
  const files = readdirSync(import.meta.dirname).filter((name) => /^[^.]+(?<!\.test)\.ts$/.test(name));
  const code = files.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8')).join('\n');
  const named = new Set([...code.matchAll(/'([a-z]+\.[A-Za-z_]+)'/g)].map(([, key]) => key));
  return MESSAGE_KEYS.filter((key) => /^(mail|reminder)\./.test(key) || named.has(key));
}

async function keysRendered(): Promise<Set<MessageKey>> {
  const rendered = new Set<MessageKey>();
  const english = translatorOf('EN', 'NEUTRAL');
  const translator: Translator = {
    ...english,
    text(key, values) {
      rendered.add(key);
      return english.text(key, values);
    },
  };
  for (const { kind, contents } of MAIL_CASES)
    await renderMail(kind, contents as never, translator, branding, 'https://credit.example.com/buyer/x');
  return rendered;
}

it('every message of mails is shown by a mail of the tests', async () => {
  const [keys, rendered] = [keysOfMails(), await keysRendered()];
  expect(keys.length).toBeGreaterThan(120);
  expect(keys.filter((key) => !rendered.has(key))).toEqual([]);
});

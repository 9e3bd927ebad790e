/** The bodies of mails about disputes. */
import type { MailKind } from '#kernel/mail-kind';
import type { MessageKey } from '#messages';
import { whatIsLeft } from './mail-body-invoices.ts';
import {
  accountFooter,
  greetingOf,
  type MailBody,
  type MailBodyPart,
  type MailBodyWriter,
  type MailLocale,
} from './mail-body-parts.ts';
import type { DisputeForMail } from './mail-contents.ts';
import { plainLine, plainLines } from './plain-line.ts';

export const DISPUTE_WRITERS: { [Kind in MailKind & `dispute_${string}`]: MailBodyWriter<Kind> } = {
  dispute_opened(contents, locale) {
    const { text } = locale.translator;
    const paused = contents.isPausing ? [{ paragraph: text('mail.dispute_paused') }] : [];
    return about(contents, locale, ['mail.dispute_opened_title', 'mail.dispute_opened'], paused);
  },

  dispute_decided(contents, locale) {
    const { text } = locale.translator;
    const keys: Keys = contents.isAccepted
      ? ['mail.dispute_accepted_title', 'mail.dispute_accepted']
      : ['mail.dispute_rejected_title', 'mail.dispute_rejected'];
    const lines = plainLines(contents.comment ?? '');
    return about(contents, locale, keys, [
      ...(contents.isCredited ? [{ paragraph: text('mail.credit_note', valuesOf(contents, locale)) }] : []),
      ...(lines.length === 0 ? [] : [{ note: text('order.comment'), lines }]),
      ...whatIsLeft(contents, locale),
    ]);
  },
};

type Keys = [title: MessageKey, sentence: MessageKey];

/** The sentence, followed by `more`. */
function about(
  contents: DisputeForMail,
  locale: MailLocale,
  [titleKey, sentenceKey]: Keys,
  more: MailBodyPart[],
): MailBody {
  const { translator, platform } = locale;
  const { text } = translator;
  const title = text(titleKey);
  const sentence = text(sentenceKey, valuesOf(contents, locale));
  return {
    subject: text('common.document_title', { title, platform }),
    title,
    parts: [greetingOf(contents, locale), { paragraph: sentence }, ...more],
    footer: accountFooter(contents, locale),
  };
}

function valuesOf({ number, merchant, currency, amountMinor }: DisputeForMail, { translator }: MailLocale) {
  return {
    ...{ number: plainLine(number), merchant: plainLine(merchant) },
    amount: translator.money(amountMinor, currency),
  };
}

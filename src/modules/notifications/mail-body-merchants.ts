/** The bodies of mails to merchants. */
import type { MailKind } from '#kernel/mail-kind';
import type { MessageKey, MessageValues } from '#messages';
import {
  accountFooter,
  type MailBody,
  type MailBodyPart,
  type MailBodyWriter,
  type MailLocale,
} from './mail-body-parts.ts';
import type { MerchantForMail, PayoutForMail } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';

type MerchantKind = MailKind & `merchant_${string}`;

export const MERCHANT_WRITERS: { [Kind in MerchantKind]: MailBodyWriter<Kind> } = {
  merchant_enrolled: (contents, locale) =>
    about(contents, locale, ['mail.merchant_enrolled_title', 'mail.merchant_enrolled']),
  merchant_payout_paid: (contents, locale) =>
    aboutPayout(contents, locale, ['mail.payout_paid_title', 'mail.payout_paid']),
  merchant_payout_failed: (contents, locale) =>
    aboutPayout(contents, locale, ['mail.payout_failed_title', 'mail.payout_failed']),
  merchant_account_changed: (contents, locale) =>
    about(contents, locale, ['mail.bank_changed_title', 'mail.bank_changed']),
};

type Keys = [title: MessageKey, sentence: MessageKey];

function about(
  contents: MerchantForMail,
  locale: MailLocale,
  [titleKey, sentenceKey]: Keys,
  more: MessageValues = {},
  parts: MailBodyPart[] = [],
): MailBody {
  const { translator, platform } = locale;
  const { text } = translator;
  const values = { platform, company: plainLine(contents.company), ...more };
  const title = text(titleKey, values);
  return {
    subject: title.includes(platform) ? title : text('common.document_title', { title, platform }),
    title,
    parts: [{ paragraph: text('mail.greeting_plain') }, { paragraph: text(sentenceKey, values) }, ...parts],
    footer: accountFooter(contents, locale),
  };
}

/** A summary must stay short: the reconciliation lists all lines. */
const LINES_MAX = 20;

/** The payout with its lines, which sum to its amount. */
function aboutPayout(contents: PayoutForMail, locale: MailLocale, keys: Keys): MailBody {
  const { text, money } = locale.translator;
  const { number, amountMinor, currency, lines, deductedMinor } = contents;
  const shown = lines.slice(0, lines.length > LINES_MAX + 1 ? LINES_MAX : lines.length);
  const rest = lines.slice(shown.length);
  const restMinor = rest.reduce((sum, line) => sum + line.amountMinor, 0);
  const facts: [string, string][] = [
    [text('mail.payout_label'), plainLine(number)],
    ...shown.map((line): [string, string] => [
      line.invoice === null
        ? text('mail.payout_other')
        : `${text('mail.invoice_label')} ${plainLine(line.invoice)}`,
      money(line.amountMinor, currency),
    ]),
    ...(rest.length === 0
      ? []
      : [
          [`${text('mail.payout_other')} (${rest.length})`, money(restMinor, currency)] satisfies [
            string,
            string,
          ],
        ]),
    ...(deductedMinor === 0
      ? []
      : [[text('mail.payout_deductions'), money(-deductedMinor, currency)] satisfies [string, string]]),
    [text('order.total'), money(amountMinor, currency)],
  ];
  return about(contents, locale, keys, { amount: money(amountMinor, currency) }, [{ facts }]);
}

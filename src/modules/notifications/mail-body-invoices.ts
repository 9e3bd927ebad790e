/** The bodies of mails about invoices and their payments. */
import type { MailKind } from '#kernel/mail-kind';
import { localeOf, type MessageKey, type MessageValues } from '#messages';
import {
  accountFacts,
  accountFooter,
  greetingOf,
  type MailBody,
  type MailBodyPart,
  type MailBodyWriter,
  type MailLocale,
} from './mail-body-parts.ts';
import type { InvoiceForMail, LegalWords } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';

type InvoiceKind = MailKind &
  (`invoice_${string}` | `payment_${string}` | 'credit_note_issued' | 'account_settled' | 'statement_issued');

export const INVOICE_WRITERS: { [Kind in InvoiceKind]: MailBodyWriter<Kind> } = {
  invoice_issued(contents, locale) {
    const body = about(contents, locale, ['mail.invoice_title', 'mail.invoice'], contents.totalMinor);
    return { ...body, parts: [...body.parts, ...legalParts(contents)] };
  },

  invoice_assigned(contents, locale) {
    const keys: Keys = ['mail.assigned_title', 'mail.invoice'];
    const body = about(contents, locale, keys, contents.totalMinor, {
      assignee: plainLine(contents.assignee),
    });
    const [greeting, ...rest] = body.parts as [MailBodyPart, ...MailBodyPart[]];
    const notice = contents.notice.map((line) => ({ paragraph: plainLine(line) }));
    return { ...body, parts: [greeting, ...notice, ...rest, ...legalParts(contents)] };
  },

  payment_received: (contents, locale) =>
    about(contents, locale, ['mail.payment_received_title', 'mail.payment_received'], contents.amountMinor),

  payment_returned: (contents, locale) =>
    about(contents, locale, ['mail.payment_returned_title', 'mail.payment_returned'], contents.amountMinor),

  credit_note_issued: (contents, locale) =>
    about(contents, locale, ['mail.credit_note_title', 'mail.credit_note'], contents.amountMinor),

  account_settled(contents, locale) {
    const { translator, platform } = locale;
    const keys: Keys = ['mail.settled_title', 'mail.payment_received'];
    const body = about(contents, locale, keys, contents.amountMinor);
    const [greeting, received, ...rest] = body.parts as [MailBodyPart, MailBodyPart, ...MailBodyPart[]];
    if (contents.company === null) return body;
    const company = plainLine(contents.company);
    const settled = { paragraph: translator.text('mail.settled', { company, platform }) };
    return { ...body, parts: [greeting, received, settled, ...rest] };
  },

  statement_issued(contents, locale) {
    const { translator, platform } = locale;
    const { text, money, day } = translator;
    const title = text('document.statement_title');
    return {
      subject: text('common.document_title', { title, platform }),
      title,
      parts: [
        greetingOf(contents, locale),
        { paragraph: text('mail.statement') },
        {
          facts: [
            [text('document.from'), day(contents.from)],
            [text('document.to'), day(contents.until)],
            ...contents.balances.map(({ amountMinor, currency }): [string, string] => [
              text('document.closing_balance'),
              money(amountMinor, currency),
            ]),
          ],
        },
      ],
      footer: accountFooter(contents, locale),
    };
  },
};

function legalParts({ legal }: { legal: LegalWords | null }): MailBodyPart[] {
  return legal === null ? [] : [{ paragraph: legal.sentences.join(' '), locale: localeOf(legal.language) }];
}

type Keys = [title: MessageKey, sentence: MessageKey];

/** The sentence, the invoice, and how to pay the outstanding amount. */
function about(
  contents: InvoiceForMail,
  locale: MailLocale,
  [titleKey, sentenceKey]: Keys,
  amountMinor: number,
  more: MessageValues = {},
): MailBody {
  const { translator, platform } = locale;
  const { text, money } = translator;
  const { number, merchant, currency } = contents;
  const values = {
    ...{ platform, number: plainLine(number), merchant: plainLine(merchant) },
    ...{ amount: money(amountMinor, currency), ...more },
  };
  const title = text(titleKey, values);
  return {
    subject: text('common.document_title', { title, platform }),
    title,
    parts: [
      greetingOf(contents, locale),
      { paragraph: text(sentenceKey, values) },
      ...whatIsLeft(contents, locale),
    ],
    footer: accountFooter(contents, locale),
  };
}

/** The invoice, and how to pay the outstanding amount. */
export function whatIsLeft(contents: InvoiceForMail, locale: MailLocale): MailBodyPart[] {
  return contents.outstandingMinor > 0 ? howToPay(contents, locale) : summary(contents, locale);
}

function summary(
  contents: InvoiceForMail,
  locale: MailLocale,
  more: [string, string][] = [],
): MailBodyPart[] {
  const { text, money } = locale.translator;
  const { number, merchant, currency, totalMinor, outstandingMinor } = contents;
  const facts: [string, string][] = [
    [text('mail.invoice_label'), plainLine(number)],
    [text('mail.seller'), plainLine(merchant)],
    [text('order.total'), money(totalMinor, currency)],
    ...(outstandingMinor === totalMinor
      ? []
      : [[text('mail.outstanding'), money(outstandingMinor, currency)] satisfies [string, string]]),
  ];
  return [{ facts: [...facts, ...more] }];
}

function howToPay(contents: InvoiceForMail, locale: MailLocale): MailBodyPart[] {
  const { text, money, day } = locale.translator;
  const { payments, currency, isDebited, account, reference, merchant, isAssigned } = contents;
  const [first, ...others] = payments;
  const until: [string, string][] =
    first && others.length === 0 ? [[text('transfer.until'), day(first.dueAt)]] : [];
  const rows = payments.map(({ dueAt, amountMinor }): [string, string] => [
    day(dueAt),
    money(amountMinor, currency),
  ]);
  const schedule = others.length === 0 ? [] : [{ schedule: text('outcome.pay_next'), rows }];
  if (isDebited)
    return [
      { paragraph: text('mail.invoice_debit', { platform: locale.platform }) },
      ...summary(contents, locale, until),
      ...schedule,
    ];
  const to: [string, string][] = [
    ...(account === null ? [] : accountFacts(account, locale)),
    [text('transfer.reference'), plainLine(reference)],
  ];
  // The creditor of the buyer names the account to pay to.
  const creditor = isAssigned ? locale.platform : plainLine(merchant);
  const elsewhere =
    account === null ? [{ paragraph: text('transfer.no_account', { platform: creditor }) }] : [];
  return [...elsewhere, ...summary(contents, locale, [...to, ...until]), ...schedule];
}

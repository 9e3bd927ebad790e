/** The body of a mail in parts, from which both the HTML and the text are rendered. */
import type { MailKind } from '#kernel/mail-kind';
import { isOnCredit } from '#kernel/payment-term';
import type { MessageValues, Translator } from '#messages';
import { CODE_WRITERS } from './mail-body-codes.ts';
import { DISPUTE_WRITERS } from './mail-body-disputes.ts';
import { FACILITY_WRITERS } from './mail-body-facilities.ts';
import { INVOICE_WRITERS } from './mail-body-invoices.ts';
import { MERCHANT_WRITERS } from './mail-body-merchants.ts';
import {
  accountFacts,
  footerOf,
  greetingOf,
  linkOf,
  type MailBody,
  type MailBodyPart,
  type MailBodyWriter,
  type MailLocale,
  summaryOf,
  valuesOf,
} from './mail-body-parts.ts';
import type { Branding, MailContents, OrderForMail, ReportedItems } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';
import { reminderBody } from './reminder-body.ts';

/** Builds the body. It sanitizes foreign text, once. */
export function writeMailBody<Kind extends MailKind>(
  kind: Kind,
  contents: MailContents[Kind],
  translator: Translator,
  branding: Branding,
): MailBody {
  const write: MailBodyWriter<Kind> = WRITERS[kind];
  const { name, reviewDays } = branding;
  return write(contents, { translator, platform: plainLine(name), reviewDays });
}

const WRITERS: { [Kind in MailKind]: MailBodyWriter<Kind> } = {
  ...CODE_WRITERS,

  checkout_invitation(contents, locale) {
    const { text, day } = locale.translator;
    const { url, expiresAt } = contents;
    return {
      subject: text('mail.invitation_subject', valuesOf(contents, locale)),
      title: text('order.title'),
      parts: [
        greetingOf(contents, locale),
        { paragraph: text('mail.invitation', valuesOf(contents, locale)) },
        ...summaryOf(contents, locale),
        ...(url === null
          ? []
          : [
              { button: text('mail.invitation_button'), url, fallback: text('mail.link_fallback') },
              { paragraph: text('mail.invitation_valid', { date: day(expiresAt) }) },
            ]),
      ],
      footer: footerOf(contents, locale),
    };
  },

  order_confirmed(contents, locale) {
    const { text, money, day } = locale.translator;
    const { paymentTerm, feeMinor, payments, grossMinor, currency } = contents;
    const rows = payments.map(({ dueAt, amountMinor }): [string, string] => [
      day(dueAt),
      money(amountMinor, currency),
    ]);
    return {
      subject: text('mail.confirmed_subject', valuesOf(contents, locale)),
      title: text('outcome.confirmed_title'),
      parts: [
        greetingOf(contents, locale),
        { paragraph: text('mail.confirmed', valuesOf(contents, locale)) },
        ...summaryOf(
          contents,
          locale,
          [[text('review.payment'), locale.translator.paymentTerm(paymentTerm)]],
          feeMinor === 0
            ? []
            : [
                [text('order.fee'), money(feeMinor, currency)],
                [text('order.to_pay'), money(grossMinor + feeMinor, currency)],
              ],
        ),
        ...(isOnCredit(paymentTerm) ? [{ schedule: text('outcome.pay_next'), rows }] : []),
        ...(feeMinor > 0
          ? [{ paragraph: text('payment.fee_due', { date: day(payments[0]?.dueAt ?? 0) }) }]
          : []),
        ...linkOf(contents, locale),
      ],
      footer: footerOf(contents, locale),
    };
  },

  order_payment_due(contents, locale) {
    const { text, money, day } = locale.translator;
    const { account, dueAt, reference, grossMinor, currency } = contents;
    const to: [string, string][] = account === null ? [] : accountFacts(account, locale);
    return {
      subject: text('mail.awaiting_subject', valuesOf(contents, locale)),
      title: text('outcome.awaiting_title'),
      parts: [
        greetingOf(contents, locale),
        { paragraph: text('mail.awaiting', valuesOf(contents, locale)) },
        ...(account === null ? [{ paragraph: text('transfer.no_account', valuesOf(contents, locale)) }] : []),
        {
          facts: [
            [text('order.to_pay'), money(grossMinor, currency)],
            ...to,
            [text('transfer.reference'), plainLine(reference)],
            ...(dueAt === null ? [] : [[text('transfer.until'), day(dueAt)] as [string, string]]),
          ],
        },
        ...summaryOf(contents, locale),
        ...linkOf(contents, locale),
      ],
      footer: footerOf(contents, locale),
    };
  },

  order_pending(contents, locale) {
    const body = outcome(contents, locale, ['mail.pending_subject', 'outcome.pending_title', 'mail.pending']);
    return { ...body, parts: [...body.parts, ...linkOf(contents, locale)] };
  },

  order_refused(contents, locale) {
    const keys: OutcomeKeys = ['mail.refused_subject', 'outcome.refused_title', 'mail.refused'];
    const review = { paragraph: locale.translator.text('mail.refused_review') };
    return withReasons(outcome(contents, locale, keys), contents.reasons, locale, [review]);
  },

  credit_refused(contents, locale) {
    const { text } = locale.translator;
    const body = titled(contents, locale, [
      text('payment.refused_title'),
      text('payment.refused', valuesOf(contents, locale)),
    ]);
    const { url } = contents;
    const review = { button: text('refused.ask'), fallback: text('mail.link_fallback') };
    const offer = [
      { paragraph: text('refused.person', { days: locale.reviewDays }) },
      ...(url === null ? [] : [{ ...review, url }]),
    ];
    return withReasons({ ...body, parts: [...body.parts, ...offer] }, contents.reasons, locale);
  },

  review_granted(contents, locale) {
    const { text } = locale.translator;
    const { url } = contents;
    const body = titled(contents, locale, [
      text('mail.review_granted_title'),
      text('mail.review_granted', valuesOf(contents, locale)),
    ]);
    const onward = { button: text('mail.invitation_button'), fallback: text('mail.link_fallback') };
    return url === null ? body : { ...body, parts: [...body.parts, { ...onward, url }] };
  },

  review_refused(contents, locale) {
    const { text } = locale.translator;
    return titled(contents, locale, [
      text('mail.review_refused_title'),
      text('mail.review_refused', valuesOf(contents, locale)),
    ]);
  },

  order_cancelled: (contents, locale) =>
    outcome(contents, locale, ['mail.cancelled_subject', 'outcome.cancelled_title', 'mail.cancelled']),

  order_expired: (contents, locale) =>
    outcome(contents, locale, ['mail.expired_subject', 'outcome.expired_title', 'mail.expired']),

  order_unpaid: (contents, locale) =>
    outcome(contents, locale, ['mail.expired_subject', 'outcome.expired_title', 'mail.unpaid']),

  ...INVOICE_WRITERS,
  ...DISPUTE_WRITERS,
  ...FACILITY_WRITERS,
  ...MERCHANT_WRITERS,
  reminder_due_soon: reminderBody,
  reminder_overdue: reminderBody,

  support_webhook_disabled({ type, host, failure, recoverAfter }, locale) {
    const values = { type: plainLine(type), host: plainLine(host) };
    // In words that fit on a phone. toString throws if there is no position.
    const call: [string, string] = [`PUT /v1/webhooks/${type}`, `recover_after: ${recoverAfter.toString()}`];
    const items = failure === null ? [call] : [[host, failure] satisfies [string, string], call];
    const listed = { items, count: items.length };
    return support(locale, ['mail.support_webhook_subject', 'mail.support_webhook'], values, listed);
  },

  support_payout_failed: (contents, locale) =>
    support(locale, ['mail.support_payout_subject', 'mail.support_payout'], {}, contents),

  support_payments_waiting: (contents, locale) =>
    support(locale, ['mail.support_payments_subject', 'mail.support_payments'], {}, contents),

  support_deliveries_waiting: (contents, locale) =>
    support(locale, ['mail.support_backlog_subject', 'mail.support_backlog'], {}, contents),

  support_mails_failed: (contents, locale) =>
    support(locale, ['mail.support_failed_subject', 'mail.support_failed'], {}, contents),

  support_dispute_waiting: (contents, locale) =>
    support(locale, ['mail.support_dispute_subject', 'mail.support_dispute'], {}, contents),

  support_statements_missing: (contents, locale) =>
    support(locale, ['mail.support_statements_subject', 'mail.support_statements'], {}, contents),

  support_reviews_waiting: (contents, locale) =>
    support(locale, ['mail.support_review_subject', 'mail.support_review'], {}, contents),
};

type SupportTopic =
  | 'webhook'
  | 'backlog'
  | 'failed'
  | 'review'
  | 'payout'
  | 'payments'
  | 'dispute'
  | 'statements';
type SupportKeys = [
  subject: `mail.support_${SupportTopic}_subject`,
  sentence: `mail.support_${SupportTopic}`,
];

function support(
  { translator: { text }, platform }: MailLocale,
  [subject, sentence]: SupportKeys,
  values: MessageValues,
  listed: ReportedItems = { items: [], count: 0 },
): MailBody {
  const items = listed.items.map(([name, value]): [string, string] => [plainLine(name), plainLine(value)]);
  const unlisted = listed.count - items.length;
  const facts = unlisted > 0 ? [...items, ['…', `+${unlisted}`] satisfies [string, string]] : items;
  const title = text(subject, { ...values, platform });
  return {
    subject: title,
    title,
    parts: [
      { paragraph: text('mail.greeting_plain') },
      { paragraph: text(sentence, values) },
      ...(facts.length > 0 ? [{ facts }] : []),
    ],
    footer: text('mail.support_footer', { platform }),
  };
}

type OutcomeKeys = [
  subject: `mail.${'pending' | 'refused' | 'cancelled' | 'expired'}_subject`,
  title: `outcome.${'pending' | 'refused' | 'cancelled' | 'expired'}_title`,
  sentence: `mail.${'pending' | 'refused' | 'cancelled' | 'expired' | 'unpaid'}`,
];

function outcome(
  contents: OrderForMail,
  locale: MailLocale,
  [subject, title, sentence]: OutcomeKeys,
): MailBody {
  const { text } = locale.translator;
  return {
    subject: text(subject, valuesOf(contents, locale)),
    title: text(title),
    parts: [
      greetingOf(contents, locale),
      { paragraph: text(sentence, valuesOf(contents, locale)) },
      ...summaryOf(contents, locale),
    ],
    footer: footerOf(contents, locale),
  };
}

/** A mail whose subject is its title. */
function titled(contents: OrderForMail, locale: MailLocale, [title, sentence]: [string, string]): MailBody {
  const { translator, platform } = locale;
  return {
    subject: translator.text('common.document_title', { title, platform }),
    title,
    parts: [greetingOf(contents, locale), { paragraph: sentence }, ...summaryOf(contents, locale)],
    footer: footerOf(contents, locale),
  };
}

/** The reasons follow the sentence that they explain, and `after` follows them. */
function withReasons(
  body: MailBody,
  reasons: string[],
  { translator }: MailLocale,
  after: MailBodyPart[] = [],
): MailBody {
  const [greeting, sentence, ...rest] = body.parts as [MailBodyPart, MailBodyPart, ...MailBodyPart[]];
  const list = reasons.length === 0 ? [] : [{ list: translator.text('refused.reasons'), items: reasons }];
  return { ...body, parts: [greeting, sentence, ...list, ...after, ...rest] };
}

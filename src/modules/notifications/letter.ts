/** What a mail says, before it has a form: the HTML and the text are written from the same parts. */
import { isOnCredit, type PaymentTerm } from '#kernel/payment-term';
import type { MessageValues, Speaker } from '#messages';
import type { MailContents, MailKind, OrderWords, PlatformLook } from './mail-contents.ts';
import { plainLine, plainLines } from './plain-line.ts';

export type LetterPart =
  | { paragraph: string }
  | { code: string }
  | { button: string; url: string; fallback: string }
  /** Names and what they name, such as the total. */
  | { facts: [name: string, value: string][] }
  /** Rows of a day and an amount. */
  | { schedule: string; rows: [day: string, amount: string][] }
  | { note: string; lines: string[] };

export interface Letter {
  subject: string;
  title: string;
  parts: LetterPart[];
  footer: string;
}

/** @param speaker In whose voice; the values are made harmless here, and nowhere again. */
export function writeLetter<Kind extends MailKind>(
  kind: Kind,
  contents: MailContents[Kind],
  speaker: Speaker,
  look: PlatformLook,
): Letter {
  const write: LetterWriter<Kind> = WRITERS[kind];
  return write(contents, { speaker, platform: plainLine(look.name) });
}

interface Voice {
  speaker: Speaker;
  platform: string;
}

type LetterWriter<Kind extends MailKind> = (contents: MailContents[Kind], voice: Voice) => Letter;

const WRITERS: { [Kind in MailKind]: LetterWriter<Kind> } = {
  checkout_code({ code, number, minutes }, { speaker: { text }, platform }) {
    return {
      subject: text('mail.code_subject', { code: plainLine(code), platform }),
      title: text('code.title'),
      parts: [
        { paragraph: text('mail.greeting_plain') },
        { paragraph: text('mail.code', { number: plainLine(number) }) },
        { code: plainLine(code) },
        { paragraph: text('mail.code_valid', { minutes, platform }) },
        { paragraph: text('mail.code_not_you') },
      ],
      footer: text('mail.footer_plain', { platform }),
    };
  },

  checkout_invitation(contents, voice) {
    const { text, day } = voice.speaker;
    const { url, expiresAt } = contents;
    return {
      subject: text('mail.invitation_subject', valuesOf(contents, voice)),
      title: text('order.title'),
      parts: [
        { paragraph: text('mail.greeting_plain') },
        { paragraph: text('mail.invitation', valuesOf(contents, voice)) },
        ...summaryOf(contents, voice),
        { button: text('mail.invitation_button'), url, fallback: text('mail.link_fallback') },
        { paragraph: text('mail.invitation_valid', { date: day(expiresAt) }) },
      ],
      footer: footerOf(contents, voice),
    };
  },

  order_confirmed(contents, voice) {
    const { text, money, day } = voice.speaker;
    const { paymentTerm, feeMinor, instalments, currency } = contents;
    const rows = instalments.map(({ dueAt, amountMinor }): [string, string] => [
      day(dueAt),
      money(amountMinor, currency),
    ]);
    return {
      subject: text('mail.confirmed_subject', valuesOf(contents, voice)),
      title: text('outcome.confirmed_title'),
      parts: [
        { paragraph: text('mail.greeting_plain') },
        { paragraph: text('mail.confirmed', valuesOf(contents, voice)) },
        ...summaryOf(contents, voice, [[text('review.payment'), termName(paymentTerm, voice)]]),
        ...(isOnCredit(paymentTerm)
          ? [{ schedule: text('outcome.pay_next'), rows }]
          : [{ paragraph: text('payment.PREPAYMENT_hint') }]),
        ...(feeMinor > 0 ? [{ paragraph: text('payment.fee', { amount: money(feeMinor, currency) }) }] : []),
      ],
      footer: footerOf(contents, voice),
    };
  },

  order_pending: (contents, voice) =>
    outcome(contents, voice, ['mail.pending_subject', 'outcome.pending_title', 'mail.pending']),

  order_refused: (contents, voice) =>
    outcome(contents, voice, ['mail.refused_subject', 'outcome.refused_title', 'mail.refused']),

  order_cancelled: (contents, voice) =>
    outcome(contents, voice, ['mail.cancelled_subject', 'outcome.cancelled_title', 'mail.cancelled']),
};

type OutcomeKeys = [
  subject: `mail.${'pending' | 'refused' | 'cancelled'}_subject`,
  title: `outcome.${'pending' | 'refused' | 'cancelled'}_title`,
  sentence: `mail.${'pending' | 'refused' | 'cancelled'}`,
];

function outcome(contents: OrderWords, voice: Voice, [subject, title, sentence]: OutcomeKeys): Letter {
  const { text } = voice.speaker;
  return {
    subject: text(subject, valuesOf(contents, voice)),
    title: text(title),
    parts: [
      { paragraph: text('mail.greeting_plain') },
      { paragraph: text(sentence, valuesOf(contents, voice)) },
      ...summaryOf(contents, voice),
    ],
    footer: footerOf(contents, voice),
  };
}

function valuesOf(
  { number, merchant, grossMinor, currency, company }: OrderWords,
  { speaker, platform }: Voice,
): MessageValues {
  return {
    platform,
    number: plainLine(number),
    merchant: plainLine(merchant),
    company: plainLine(company ?? ''),
    amount: speaker.money(grossMinor, currency),
  };
}

function summaryOf(
  contents: OrderWords,
  { speaker: { text, money } }: Voice,
  more: [string, string][] = [],
): LetterPart[] {
  const { number, merchant, grossMinor, currency, comment } = contents;
  const lines = plainLines(comment ?? '');
  return [
    {
      facts: [
        [text('order.title'), plainLine(number)],
        [text('mail.seller'), plainLine(merchant)],
        ...more,
        [text('order.total'), money(grossMinor, currency)],
      ],
    },
    ...(lines.length > 0 ? [{ note: text('order.comment'), lines }] : []),
  ];
}

function termName(term: PaymentTerm, { speaker: { text } }: Voice): string {
  const [, kind, count] = /^(DEFER|SPLIT)_(\d+)[DM]$/.exec(term) ?? [];
  if (kind === 'DEFER') return text('payment.DEFER', { days: Number(count) });
  if (kind === 'SPLIT') return text('payment.SPLIT', { months: Number(count) });
  return text('payment.PREPAYMENT');
}

function footerOf({ company }: OrderWords, { speaker: { text }, platform }: Voice): string {
  return company === null
    ? text('mail.footer_plain', { platform })
    : text('mail.footer', { company: plainLine(company), platform });
}

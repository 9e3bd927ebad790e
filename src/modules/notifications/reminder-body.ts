/** The content of reminders, which become firmer with each step: as a mail, and as text for a document. */
import type { MessageKey, Translator } from '#messages';
import {
  accountFacts,
  companyFooter,
  greetingOf,
  type MailBody,
  type MailBodyPart,
  type MailLocale,
} from './mail-body-parts.ts';
import type { ReminderForMail } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';

type WordingKey = 'before_due' | 'due' | 'friendly' | 'firm' | 'last';

const KEY_OF_WORDING: Record<ReminderForMail['wording'], WordingKey> = {
  BEFORE_DUE: 'before_due',
  DUE: 'due',
  FRIENDLY: 'friendly',
  FIRM: 'firm',
  LAST_REMINDER: 'last',
};

/** The words of a reminder. Foreign text is on one line. */
export interface ReminderWords {
  title: string;
  opening: string;
  /** The title of the rows. */
  items: string;
  /** The invoices and charges to pay, with their amounts. */
  rows: [name: string, amount: string][];
  /** The totals, the account to pay to, and the reference of each invoice. */
  payment: [name: string, value: string][];
  /** Requests an answer by mail; null while the words are friendly. */
  reply: string | null;
  /** Null in a courtesy. */
  closing: string | null;
}

/** The words of a reminder, which mails and documents share. */
export function reminderWords(contents: ReminderForMail, translator: Translator): ReminderWords {
  const { text, dayOn } = translator;
  const key = KEY_OF_WORDING[contents.wording];
  const creditor = plainLine(contents.creditor);
  const date = contents.payByOn === null ? '' : dayOn(contents.payByOn);
  return {
    title: text(`reminder.${key}_title`),
    opening: text(`reminder.${key}`, key === 'last' ? { creditor, date } : { creditor }),
    items: text('reminder.items'),
    rows: rowsOf(contents, translator),
    payment: paymentFacts(contents, translator),
    reply: key === 'firm' || key === 'last' ? text('reminder.reply') : null,
    closing: key === 'before_due' || key === 'due' ? null : text('reminder.paid'),
  };
}

export function reminderBody(contents: ReminderForMail, locale: MailLocale): MailBody {
  const { translator, platform } = locale;
  const { text } = translator;
  const { title, opening, items, rows, payment, reply, closing } = reminderWords(contents, translator);
  return {
    subject: text('common.document_title', { title, platform }),
    title,
    parts: [
      greetingOf(contents, locale),
      { paragraph: opening },
      { schedule: items, rows },
      { facts: payment },
      ...[reply, closing].flatMap((paragraph) => (paragraph === null ? [] : [{ paragraph }])),
    ] satisfies MailBodyPart[],
    footer: companyFooter('reminder.footer', contents, locale),
  };
}

function rowsOf(
  { items, unlisted, charges, unlistedCharges }: ReminderForMail,
  translator: Translator,
): [string, string][] {
  const { text, money, day, dayOn } = translator;
  const invoices = items.map(({ number, dueAt, amountMinor, currency }): [string, string] => [
    text('reminder.item', { number: plainLine(number), date: day(dueAt) }),
    money(amountMinor, currency),
  ]);
  const late = charges.map(({ kind, number, until, amountMinor, currency }): [string, string] => [
    text(CHARGE_KEYS[kind], {
      number: plainLine(number),
      ...(until !== null && { date: dayOn(until) }),
    }),
    money(amountMinor, currency),
  ]);
  return [...invoices, ...more(unlisted), ...late, ...more(unlistedCharges)];
}

/** States the number of rows that are not listed, if any. */
const more = (count: number): [string, string][] => (count > 0 ? [['…', `+${count}`]] : []);

const CHARGE_KEYS: Record<ReminderForMail['charges'][number]['kind'], MessageKey> = {
  INTEREST: 'reminder.interest',
  COMPENSATION: 'reminder.compensation',
  REMINDER: 'reminder.charge',
};

/** The total and the account to pay to, with the reference of each invoice. */
function paymentFacts(
  { items, totals, account }: ReminderForMail,
  translator: Translator,
): [string, string][] {
  const { text, money } = translator;
  const reference = text('transfer.reference');
  const [first, ...others] = items;
  const references = items.map(({ number, reference: own }): [string, string] => [
    others.length === 0 ? reference : `${reference} (${plainLine(number)})`,
    own,
  ]);
  return [
    ...totals.map(({ amountMinor, currency }): [string, string] => [
      text('order.to_pay'),
      money(amountMinor, currency),
    ]),
    ...(account === null ? [] : accountFacts(account, { translator })),
    ...(first === undefined ? [] : references),
  ];
}

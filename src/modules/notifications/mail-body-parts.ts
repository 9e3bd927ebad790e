/** The parts that mails about orders have in common. */
import { groupedIban } from '#kernel/iban';
import type { MailKind } from '#kernel/mail-kind';
import type { MessageKey, MessageValues, Translator } from '#messages';
import type { AccountForMail, MailContents, OrderForMail, OrderLink } from './mail-contents.ts';
import { plainLine, plainLines } from './plain-line.ts';

export type MailBodyPart =
  /** `locale`: set if the paragraph is in another language than the mail. */
  | { paragraph: string; locale?: string }
  | { code: string }
  | { button: string; url: string; fallback: string }
  /** Sentences under a title. */
  | { list: string; items: string[] }
  /** Names with values, such as the total. */
  | { facts: [name: string, value: string][] }
  /** Rows of a day and an amount. */
  | { schedule: string; rows: [day: string, amount: string][] }
  | { note: string; lines: string[] };

/** A mail before it is rendered. */
export interface MailBody {
  subject: string;
  title: string;
  parts: MailBodyPart[];
  footer: string;
}

/** Builds the body of a kind. It sanitizes foreign text, once. */
export type MailBodyWriter<Kind extends MailKind> = (
  contents: MailContents[Kind],
  locale: MailLocale,
) => MailBody;

export interface MailLocale {
  translator: Translator;
  platform: string;
  /** In working days. */
  reviewDays: number;
}

export function valuesOf(
  { number, merchant, grossMinor, currency, company }: OrderForMail,
  { translator, platform, reviewDays }: MailLocale,
): MessageValues {
  return {
    platform,
    days: reviewDays,
    number: plainLine(number),
    merchant: plainLine(merchant),
    company: plainLine(company ?? ''),
    amount: translator.money(grossMinor, currency),
  };
}

export function summaryOf(
  contents: OrderForMail,
  locale: MailLocale,
  more: [string, string][] = [],
  afterTotal: [string, string][] = [],
): MailBodyPart[] {
  const { text, money } = locale.translator;
  const { number, merchant, grossMinor, currency, comment } = contents;
  const lines = plainLines(comment ?? '');
  return [
    {
      facts: [
        [text('order.title'), plainLine(number)],
        [text('mail.seller'), plainLine(merchant)],
        ...more,
        ...linesOf(contents, locale),
        [text('order.total'), money(grossMinor, currency)],
        ...afterTotal,
      ],
    },
    ...(lines.length > 0 ? [{ note: text('order.comment'), lines }] : []),
  ];
}

/** A summary must stay short. */
const LINES_MAX = 20;

/** Each line with its amount, and the sum of those beyond the first twenty. */
function linesOf(
  { lines, currency }: OrderForMail,
  { translator: { text, money } }: MailLocale,
): [string, string][] {
  const amountOf = ({ quantity, priceMinor }: OrderForMail['lines'][number]) =>
    BigInt(quantity) * BigInt(priceMinor);
  const shown = lines.slice(0, lines.length > LINES_MAX + 1 ? LINES_MAX : lines.length);
  const rest = lines.slice(shown.length);
  const rows = shown.map((line): [string, string] => {
    const { quantity, priceMinor } = line;
    const count =
      quantity === 1 ? '' : ` (${text('order.line', { quantity, price: money(priceMinor, currency) })})`;
    return [`${plainLine(line.name)}${count}`, money(amountOf(line), currency)];
  });
  if (rest.length === 0) return rows;
  const restMinor = rest.reduce((sum, line) => sum + amountOf(line), 0n);
  return [...rows, [text('order.more', { count: rest.length }), money(restMinor, currency)]];
}

export function accountFacts(
  { holder, iban, bic }: AccountForMail,
  { translator: { text } }: Pick<MailLocale, 'translator'>,
): [string, string][] {
  return [
    [text('transfer.holder'), plainLine(holder)],
    ['IBAN', groupedIban(iban)],
    ...(bic === null ? [] : [['BIC', bic] as [string, string]]),
  ];
}

export function linkOf(
  { link }: { link: OrderLink | null },
  { translator: { text, day } }: MailLocale,
): MailBodyPart[] {
  if (link === null) return [];
  return [
    { button: text('mail.order_button'), url: link.url, fallback: text('mail.link_fallback') },
    { paragraph: text('mail.invitation_valid', { date: day(link.expiresAt) }) },
  ];
}

export function greetingOf(
  { recipient }: Pick<OrderForMail, 'recipient'>,
  { translator: { text } }: MailLocale,
): MailBodyPart {
  if (recipient === null) return { paragraph: text('mail.greeting_plain') };
  return { paragraph: text('mail.greeting', { name: plainLine(recipient) }) };
}

export const footerOf = (contents: OrderForMail, locale: MailLocale): string =>
  companyFooter('mail.footer', contents, locale);

/** The footer of mails that are not about one order. */
export const accountFooter = (contents: { company: string | null }, locale: MailLocale): string =>
  companyFooter('mail.account_footer', contents, locale);

/** The footer that names the reader's company, or the plain one if the company is unknown. */
export function companyFooter(
  key: MessageKey,
  { company }: { company: string | null },
  { translator: { text }, platform }: MailLocale,
): string {
  return company === null
    ? text('mail.footer_plain', { platform })
    : text(key, { company: plainLine(company), platform });
}

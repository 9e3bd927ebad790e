/** The bodies of mails about credit limits. */
import type { MailKind } from '#kernel/mail-kind';
import type { MessageKey, MessageValues } from '#messages';
import {
  accountFooter,
  greetingOf,
  type MailBody,
  type MailBodyPart,
  type MailBodyWriter,
  type MailLocale,
} from './mail-body-parts.ts';
import type { FacilityForMail } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';

type FacilityKind = MailKind & `facility_${string}`;

export const FACILITY_WRITERS: { [Kind in FacilityKind]: MailBodyWriter<Kind> } = {
  facility_granted: (contents, locale) =>
    about(contents, locale, ['mail.limit_granted_title', 'mail.limit_granted']),
  facility_refused(contents, locale) {
    // The opening sentence already says it.
    const known = locale.translator.text('reason.NOT_POSSIBLE_NOW');
    const others = contents.reasons.filter((reason) => reason !== known);
    return about(
      { ...contents, reasons: others },
      locale,
      ['mail.limit_refused_title', 'mail.limit_refused'],
      {
        closing: PERSON_LOOKS,
      },
    );
  },
  facility_renewed: (contents, locale) =>
    about(contents, locale, ['mail.limit_renewed_title', 'mail.limit_renewed']),
  facility_lowered: (contents, locale) =>
    about(contents, locale, ['mail.limit_lowered_title', 'mail.limit_lowered'], { closing: PERSON_LOOKS }),
  facility_expiring(contents, locale) {
    const keys: Keys = ['mail.limit_expiring_title', 'mail.limit_expiring'];
    return contents.isUnderReview
      ? about({ ...contents, reasons: [] }, locale, keys, { closing: 'reason.NEEDS_REVIEW' })
      : about(contents, locale, keys, { more: NOT_RENEWED, closing: PERSON_LOOKS });
  },
  facility_review_refused: (contents, locale) =>
    contents.expiresAt === null
      ? about(contents, locale, ['mail.review_refused_title', 'mail.review_refused'])
      : about(contents, locale, ['mail.review_refused_title', 'mail.limit_expiring'], {
          ...{ more: NOT_RENEWED, closing: 'refused.decided' },
        }),
  facility_expired: (contents, locale) =>
    about(contents, locale, ['mail.limit_expired_title', 'mail.limit_expired']),
  facility_frozen: (contents, locale) =>
    about(contents, locale, ['mail.limit_frozen_title', 'mail.limit_frozen']),
};

/** How to request a review of a refusal by a person. */
const PERSON_LOOKS: MessageKey = 'mail.refused_review';
/** The decision that makes a limit expire. */
const NOT_RENEWED: MessageKey = 'mail.limit_not_renewed';

type Keys = [title: MessageKey, sentence: MessageKey];

/** The sentence, the reasons of a refusal, the current limit, and the review by a person. */
function about(
  contents: FacilityForMail,
  locale: MailLocale,
  [titleKey, sentenceKey]: Keys,
  { more, closing }: { more?: MessageKey; closing?: MessageKey } = {},
): MailBody {
  const { translator, platform } = locale;
  const { text, money, day } = translator;
  const { company, limitMinor, expiresAt, currency, reasons } = contents;
  const values: MessageValues = { platform, company: plainLine(company), date: day(expiresAt ?? 0) };
  const title = text(titleKey);
  const sentence = text(sentenceKey, values);
  const facts: [string, string][] = [
    ...(limitMinor === null
      ? []
      : [[text('mail.limit_label'), money(limitMinor, currency)] as [string, string]]),
    ...(expiresAt === null ? [] : [[text('mail.limit_valid'), day(expiresAt)] as [string, string]]),
  ];
  const parts: MailBodyPart[] = [
    greetingOf(contents, locale),
    { paragraph: sentence },
    ...(more === undefined ? [] : [{ paragraph: text(more) }]),
    ...(reasons.length === 0 ? [] : [{ list: text('refused.reasons'), items: reasons }]),
    ...(facts.length === 0 ? [] : [{ facts }]),
    ...(closing === undefined ? [] : [{ paragraph: text(closing) }]),
  ];
  return {
    subject: text('common.document_title', { title, platform }),
    title,
    parts,
    footer: accountFooter(contents, locale),
  };
}

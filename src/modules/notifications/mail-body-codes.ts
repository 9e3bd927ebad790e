/** The bodies of mails with a one-time code. */
import type { MailKind } from '#kernel/mail-kind';
import { companyFooter, type MailBodyWriter } from './mail-body-parts.ts';
import { plainLine } from './plain-line.ts';

type CodeKind = MailKind & `${string}_code`;

export const CODE_WRITERS: { [Kind in CodeKind]: MailBodyWriter<Kind> } = {
  checkout_code({ code, number, minutes, isForCredit }, { translator: { text }, platform }) {
    return {
      subject: text('mail.code_subject', { code: plainLine(code), platform }),
      title: text('code.title'),
      parts: [
        { paragraph: text('mail.greeting_plain') },
        { paragraph: text('mail.code', { number: plainLine(number) }) },
        { code: plainLine(code) },
        { paragraph: text('mail.code_valid', { minutes, platform }) },
        { paragraph: text(isForCredit ? 'mail.code_applicant' : 'mail.code_not_you') },
      ],
      footer: text('mail.footer_plain', { platform }),
    };
  },

  page_code(contents, locale) {
    const { code, minutes } = contents;
    const {
      translator: { text },
      platform,
    } = locale;
    return {
      subject: text('mail.code_subject', { code: plainLine(code), platform }),
      title: text('code.title'),
      parts: [
        { paragraph: text('mail.greeting_plain') },
        { paragraph: text('mail.page_code', { platform }) },
        { code: plainLine(code) },
        { paragraph: text('mail.code_valid', { minutes, platform }) },
        { paragraph: text('mail.code_not_you') },
      ],
      footer: companyFooter('mail.page_footer', contents, locale),
    };
  },
};

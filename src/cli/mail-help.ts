/** The help of `tradeline mail`. */
import type { CommandHelp } from './command.ts';

export const MAIL_HELP: CommandHelp = {
  summary: 'mails to buyers, merchants and support',
  verbs: {
    list: ['[--status FAILED]', 'Lists mails, without content and recipients.'],
    notices: ['[--buyer ID]', 'Lists what is kept of mails with legal consequences, such as refusals.'],
    preview: [
      'KIND [--language EN] [--formality FORMAL] [--html]',
      'Shows a mail of the kind, with made-up content.',
    ],
    retry: ['[--mail ID]', 'Sends failed mails again.'],
  },
};

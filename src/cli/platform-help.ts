/** The help of the commands about platforms. */
import type { CommandHelp } from './command.ts';
import { PLATFORM_USAGE } from './platform-settings.ts';

export const PLATFORM_HELP: CommandHelp = {
  summary: 'platforms and their settings',
  verbs: {
    create: [
      `--code CODE --country DE --currency EUR [--single-merchant] ${PLATFORM_USAGE}`,
      'Creates a platform and prints its first API key, once. --name is required.',
    ],
    list: ['', 'Lists the platforms.'],
    show: ['CODE [--at DAY]', 'Shows its settings, now or at the end of a day.'],
    history: ['CODE', 'Lists every version of its settings.'],
    update: [
      `CODE ${PLATFORM_USAGE} [--no-logo] [--reason TEXT]`,
      "Changes settings. Omitted ones are kept; '' clears an optional one. Some take a second operator, and a reason.",
    ],
    mails: ['[on|off KIND --reason TEXT]', 'Lists the kinds of its mails, or switches one on or off.'],
    disable: ['CODE', 'Refuses its API keys and closes its checkouts, within 5 seconds.'],
    enable: ['CODE --reason TEXT', 'Proposes to take its API keys again, for a second operator to approve.'],
    'return-secret': ['CODE [--renew]', 'Prints the secret that signs return URLs. --renew replaces it.'],
    export: [
      'CODE --out FOLDER [--wait SECONDS]',
      'Copies it to files, verified, and leaves it only to be read. Waits for deliveries that are pending, by default 30 seconds.',
    ],
    import: ['CODE --from FOLDER', 'Takes it in from the files of an export, verified, or leaves nothing.'],
    relocated: ['CODE [--given-up]', 'Ends it here after a move. --given-up lets it go on here.'],
  },
};

export const CELL_HELP: CommandHelp = {
  summary: 'the number of this database, between which platforms move',
  verbs: {
    '': ['[NUMBER]', 'Gives it a number, for good: new platforms get ids from NUMBER million on.'],
  },
};

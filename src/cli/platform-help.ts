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
      `CODE ${PLATFORM_USAGE} [--no-logo] --reason TEXT`,
      "Changes settings. Omitted ones are kept; '' clears an optional one. Some require a second operator.",
    ],
    mails: ['[on|off KIND --reason TEXT]', 'Lists the kinds of its mails, or switches one on or off.'],
    disable: ['CODE', 'Refuses its API keys and closes its checkouts, within 5 seconds.'],
    enable: [
      'CODE --reason TEXT',
      'Proposes to accept its API keys again, for a second operator to approve.',
    ],
    'return-secret': ['CODE [--renew]', 'Prints the secret that signs return URLs. --renew replaces it.'],
    export: [
      'CODE --out FOLDER [--wait SECONDS]',
      'Makes it read-only and copies it to verified files. First waits for pending deliveries, at most 30 seconds by default.',
    ],
    import: ['CODE --from FOLDER', 'Imports it from an export: all of it and verified, or nothing.'],
    relocated: [
      'CODE [--given-up]',
      'Refuses its API keys here after a move. With --given-up it continues here instead.',
    ],
  },
};

export const CELL_HELP: CommandHelp = {
  summary: 'the number of this database among those that platforms move between',
  verbs: {
    '': [
      '[NUMBER]',
      'Prints it. With NUMBER sets it, permanently: new platforms get ids from NUMBER million on.',
    ],
  },
};

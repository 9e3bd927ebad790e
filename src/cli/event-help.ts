/** The help of the commands for developers of integrations. */
import type { CommandHelp } from './command.ts';

export const LISTEN_HELP: CommandHelp = {
  summary: 'hand events to a server on this machine',
  verbs: {
    '': [
      '--forward-to URL [--types ORDER,…] [--after POSITION] [--print-json]',
      'Sends each event as a webhook, signed with the secret that it prints, and prints the result. Starts with the ' +
        'next event. Reconnects automatically.',
    ],
  },
};

export const TRIGGER_HELP: CommandHelp = {
  summary: 'make an event in a sandbox',
  verbs: {
    '': [
      '[TYPE]',
      'Triggers the event through operations of the API, with new resources. Some events set the clock ahead. Without TYPE: lists the events.',
    ],
  },
};

export const EVENTS_HELP: CommandHelp = {
  summary: 'what happened on a platform',
  verbs: {
    tail: [
      '[--types ORDER,…] [--after POSITION]',
      'Prints a line for each event as it happens; with --json the event.',
    ],
  },
};

import type { Exception } from './check.ts';

/** Code that may do what a check forbids, by the name of the check, with the reason. An exception that is no longer needed fails. */
export const exceptions: Record<string, Exception[]> = {
  'working-migrations-only-add': [
    {
      path: 'migrations/0105_slow_receivers.sql',
      why: 'The new constraint allows one value more: it refuses nothing that processes of a version before write.',
    },
  ],
  'time-from-the-clock': [
    {
      path: /^src\/infra\/embedded-postgres\/.+\.ts$/,
      why: 'Waiting for a child process to start or stop is real time, whatever the clock of the business says.',
    },
    {
      path: /^src\/infra\/outbound\/[^/]+\.ts$/,
      why: 'The deadline of an attempt is real time on a socket.',
    },
  ],
  'html-is-escaped': [
    {
      path: 'src/mailbox/pages.ts',
      why: 'What is written past the tag are constants of ours, a drawing and attributes, and no text of anybody.',
    },
    {
      path: 'src/modules/notifications/mail-body-html.ts',
      why: 'A mail has its styles inline: what is written past the tag are constants of ours, and no text of anybody.',
    },
  ],
  'infra-knows-no-business-word': [
    {
      path: 'src/infra/database/table-places.ts',
      why: 'Like the types of all tables, their places are known where the schema is.',
    },
  ],
  'names-follow-the-glossary': [
    {
      path: /^src\/(http|infra|worker)\/.*metrics\.ts$/,
      of: 'registers',
      why: 'prom-client calls so the registries of a figure.',
    },
    {
      path: /^(src\/modules\/registry\/|test\/registry\/|scripts\/)/,
      of: 'words',
      why: 'The search splits names of companies into words, and the scripts put names together from words.',
    },
  ],
  'queries-name-their-tenant': [
    {
      path: 'src/modules/platforms/platform.queries.ts',
      why: 'The table of platforms is the list of tenants: the commands of the operator look through all of it.',
    },
    {
      path: /^src\/modules\/registry\/.+\.queries\.ts$/,
      why: 'What public registries tell is public: its tables have no platform, and all platforms share them.',
    },
    {
      path: 'src/modules/platforms/api-key.queries.ts',
      of: 'findApiKeys',
      why: 'A key tells which tenant is calling, so nobody knows the tenant yet.',
    },
    {
      path: 'src/modules/platforms/api-key.queries.ts',
      of: 'findApiKey',
      why: 'A key tells which tenant is calling, so nobody knows the tenant yet.',
    },
    {
      path: 'src/modules/platforms/logo.queries.ts',
      of: 'findLogo',
      why: 'Anybody may see any platform’s logo, by the address that a page or a mail has of it.',
    },
    {
      path: 'src/modules/checkout/links/link.queries.ts',
      of: 'findPlatformOfLink',
      why: 'The token of an earlier link does not tell whose it is, so nobody knows the tenant yet.',
    },
    {
      path: 'src/modules/payouts/payout-run.queries.ts',
      of: 'findPlatformsToRun',
      why: 'The worker asks for which platforms a run is due, and then works on each by itself.',
    },
    {
      path: 'src/modules/orders/order-invitation.queries.ts',
      of: 'findOrdersToInvite',
      why: 'The worker asks for which orders something is due, and then works on each by itself.',
    },
    {
      path: 'src/modules/webhooks/subscription.queries.ts',
      of: 'takeWaitingSubscriptions',
      why: 'The worker asks for every platform at once what its support must be told.',
    },
    {
      path: 'src/modules/webhooks/backlog.queries.ts',
      of: 'findDeliveryBacklog',
      why: 'The metrics of a process are of every platform.',
    },
    {
      path: 'src/modules/statements/statement-run.queries.ts',
      of: 'listStatementPlatforms',
      why: 'The worker asks which platforms send statements, and then works on each by itself.',
    },
    ...[
      ['mail', 'pruneMails'],
      ['notice', 'pruneNotices'],
    ].map(([file, of]) => ({
      path: `src/modules/notifications/${file}.queries.ts`,
      of: of as string,
      why: 'The worker sends for every platform at once, so that none waits for another.',
    })),
    ...[
      ['claim', 'claimDeliveries'],
      ['due-again', 'endExpiredLeases'],
      ['due-again', 'releaseHeldDeliveries'],
    ].map(([file, of]) => ({
      path: `src/modules/webhooks/${file}.queries.ts`,
      of: of as string,
      why: 'The worker delivers for every platform at once, so that none waits for another.',
    })),
  ],
};

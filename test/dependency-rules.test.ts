import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkDependencies, dependencyRules } from '../scripts/check-dependencies.ts';

type Tree = Record<string, string>;

const repository = join(import.meta.dirname, '..');

/** A small program in which every file imports only what it may. */
const innocent: Tree = {
  'src/main.ts': "import '#config';\nexport const command = await import('./cli/serve.ts');",
  'src/cli/serve.ts': "import { app } from '../app.ts';\nimport type { Settings } from '#config';",
  'src/app.ts': "import '#api/v1';\nimport './worker/worker.ts';\nimport '#config';\nexport const app = 1;",
  'src/config/index.ts': "import '#kernel/money';\nexport type Settings = { port: number };",
  'src/kernel/money.ts': "import { createHash } from 'node:crypto';\nexport type Money = number;",
  'src/infra/database/database.ts': "import pg from 'pg';\nimport type { Money } from '#kernel/money';",
  'src/operation/operation.ts': "import '#infra/database/database';\nexport type Operation = unknown;",
  'src/http/bind.ts': "import '#operation/operation';\nimport 'fastify';",
  'src/api/v1.ts': "import { createOrder } from '#modules/orders';",
  'src/worker/worker.ts': "import '#modules/webhooks';",
  'src/modules/platforms/index.ts': 'export type Platform = { id: string };',
  'src/modules/merchants/index.ts': "import '#modules/platforms';",
  'src/modules/buyers/index.ts': "import '#modules/platforms';",
  'src/modules/buyers/buyer.queries.ts': "import '#infra/database/database';\nexport const findBuyers = 1;",
  'src/modules/orders/index.ts': "export { createOrder } from './operations/create-order.ts';",
  'src/modules/orders/operations/create-order.ts':
    "import '#operation/operation';\nimport '#modules/buyers';\nimport '#modules/merchants';\nexport const createOrder = 1;",
  'src/modules/orders/operations/create-order.test.ts':
    "import { it } from 'vitest';\nimport '#test/server';\nimport '../../../app.ts';\nimport './create-order.ts';",
  'src/modules/webhooks/index.ts': "import '#modules/platforms';",
  'test/support/server.ts': 'export const server = 1;',
};

/** For each rule, the smallest change to the innocent program that violates it. */
const violations: [rule: string, planted: Tree][] = [
  ['layer-kernel', { 'src/kernel/event.ts': "import type { Pool } from '#infra/database/database';" }],
  ['layer-config', { 'src/config/database.ts': "import '../infra/database/database.ts';" }],
  ['layer-infra', { 'src/infra/outbox.ts': "import '#modules/webhooks';" }],
  ['layer-operation', { 'src/operation/list.ts': "import '#http/bind';" }],
  ['layer-http', { 'src/http/server.ts': "import '#modules/orders';" }],
  [
    'layer-modules',
    { 'src/modules/orders/order.rules.ts': "const worker = await import('../../worker/worker.ts');" },
  ],
  ['layer-api', { 'src/api/v2.ts': "import '../app.ts';" }],
  ['layer-worker', { 'src/worker/deliver.ts': "export { api } from '#api/v1';" }],
  ['layer-messages', { 'src/messages/translator.ts': "import '#infra/database/database';" }],
  ['layer-mailbox', { 'src/mailbox/page.ts': "import '#api/v1';" }],
  [
    'layer-pages',
    { 'src/pages/frame.ts': "import '../checkout-pages/page.ts';", 'src/checkout-pages/page.ts': '' },
  ],
  ['layer-checkout-pages', { 'src/checkout-pages/page.ts': "import '#api/v1';" }],
  ['layer-buyer-pages', { 'src/buyer-pages/page.ts': "import '#api/v1';" }],
  ['layer-not-listed', { 'src/console/page.ts': "import '#modules/orders';" }],
  ['layer-not-listed', { 'src/start.ts': "import './app.ts';" }],
  ['module-operators', { 'src/modules/operators/operator.rules.ts': "import '#modules/webhooks';" }],
  ['module-ledger', { 'src/modules/ledger/posting.rules.ts': "import '#modules/merchants';" }],
  ['module-platforms', { 'src/modules/platforms/platform.rules.ts': "import '#modules/webhooks';" }],
  ['module-merchants', { 'src/modules/merchants/merchant.rules.ts': "import '#modules/buyers';" }],
  [
    'module-buyers',
    { 'src/modules/buyers/buyer.rules.ts': "import type { Merchant } from '#modules/merchants';" },
  ],
  ['module-payees', { 'src/modules/payees/payout-account.rules.ts': "import '#modules/buyers';" }],
  ['module-payouts', { 'src/modules/payouts/payout.rules.ts': "import '#modules/buyers';" }],
  ['module-services', { 'src/modules/services/service.queries.ts': "import '#modules/merchants';" }],
  ['module-banking', { 'src/modules/banking/matching.rules.ts': "import '#modules/buyers';" }],
  ['module-financing', { 'src/modules/financing/requirements.rules.ts': "import '#modules/orders';" }],
  ['module-mandates', { 'src/modules/mandates/mandate.queries.ts': "import '#modules/merchants';" }],
  ['module-registry', { 'src/modules/registry/company.rules.ts': "import '#modules/buyers';" }],
  ['module-underwriting', { 'src/modules/underwriting/assessment.rules.ts': "import '#modules/orders';" }],
  ['module-dunning', { 'src/modules/dunning/dunning.rules.ts': "import '#modules/webhooks';" }],
  ['module-facilities', { 'src/modules/facilities/credit.rules.ts': "import '#modules/orders';" }],
  ['module-reviews', { 'src/modules/reviews/apply-review.ts': "import '#modules/webhooks';" }],
  ['module-schedule', { 'src/modules/schedule/sources.ts': "import '#modules/webhooks';" }],
  ['module-sandbox', { 'src/modules/sandbox/simulated-order.ts': "import '#modules/merchants';" }],
  ['module-meta', { 'src/modules/meta/lifecycles.ts': "import '#modules/platforms';" }],
  [
    'module-orders',
    {
      'src/modules/orders/order.rules.ts': "import '#modules/reviews';",
      'src/modules/reviews/index.ts': 'export const reviews = 1;',
    },
  ],
  [
    'module-invoices',
    {
      'src/modules/invoices/invoice.rules.ts': "import '#modules/reviews';",
      'src/modules/reviews/index.ts': 'export const reviews = 1;',
    },
  ],
  ['module-disputes', { 'src/modules/disputes/dispute.rules.ts': "import '#modules/orders';" }],
  ['module-statements', { 'src/modules/statements/statement.ts': "import '#modules/orders';" }],
  ['module-late-charges', { 'src/modules/late-charges/law.rules.ts': "import '#modules/orders';" }],
  ['module-facilities', { 'src/modules/facilities/facility.rules.ts': "import '#modules/orders';" }],
  ['module-reviews', { 'src/modules/reviews/apply.ts': "import '#modules/webhooks';" }],
  ['module-schedule', { 'src/modules/schedule/sweep.ts': "import '#modules/webhooks';" }],
  ['module-sandbox', { 'src/modules/sandbox/clock.ts': "import '#modules/webhooks';" }],
  ['module-meta', { 'src/modules/meta/lifecycles.ts': "import '#modules/platforms';" }],
  ['module-webhooks', { 'src/modules/webhooks/webhook.rules.ts': "import '#modules/orders';" }],
  ['module-notifications', { 'src/modules/notifications/mail.ts': "import '#modules/orders';" }],
  ['module-account-mails', { 'src/modules/account-mails/invoice-mails.ts': "import '#modules/webhooks';" }],
  ['module-checkout', { 'src/modules/checkout/links/link.ts': "import '#modules/webhooks';" }],
  ['module-buyer-page', { 'src/modules/buyer-page/visit.ts': "import '#modules/webhooks';" }],
  ['module-not-listed', { 'src/modules/leasing/index.ts': "import '#modules/orders';" }],
  [
    'module-through-its-index',
    { 'src/modules/orders/order.rules.ts': "import { findBuyers } from '../buyers/buyer.queries.ts';" },
  ],
  [
    'module-through-its-index-from-outside',
    { 'src/worker/sweep.ts': "import '../modules/buyers/buyer.queries.ts';" },
  ],
  [
    'module-knows-no-http',
    { 'src/modules/orders/order.rules.ts': "import type { FastifyRequest } from 'fastify';" },
  ],
  ['module-knows-no-http', { 'src/modules/orders/order.rules.ts': "import { request } from 'node:https';" }],
  ['config-only-from-app', { 'src/infra/log.ts': "import type { Settings } from '#config';" }],
  ['app-below-the-commands', { 'src/app.ts': "import './cli/seed.ts';", 'src/cli/seed.ts': '' }],
  ['main-is-the-end', { 'src/cli/docs.ts': "import '../main.ts';" }],
  [
    'no-cycle',
    {
      'src/kernel/calendar.ts': "import type { Backoff } from './backoff.ts';",
      'src/kernel/backoff.ts': "import './calendar.ts';",
    },
  ],
  ['no-test-code', { 'src/infra/time/clock.ts': "import { server } from '#test/server';" }],
  ['no-test-code', { 'src/modules/orders/order.rules.ts': "import './operations/create-order.test.ts';" }],
  ['no-test-code', { 'src/cli/docs.ts': "import '../../scripts/print.ts';", 'scripts/print.ts': '' }],
  [
    'nothing-outside-the-repository',
    { 'src/kernel/currency.ts': "import '../../../shared.ts';", '../shared.ts': '' },
  ],
  ['no-dev-dependency', { 'src/infra/log.ts': "import fc from 'fast-check';" }],
  ['package-not-listed', { 'src/infra/log.ts': "import chance from 'unlisted';" }],
  ['not-found', { 'src/kernel/event.ts': "import { lost } from './lost.ts';" }],
  ['not-found', { 'src/kernel/event.ts': "import { lost } from '#kernel/lost';" }],
];

let folder: string;
let root: string;

function plant(tree: Tree) {
  for (const [path, text] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tradeline-rules-'));
  root = join(folder, 'repository');
  plant(innocent);
  for (const name of ['pg', 'fastify', 'fast-check', 'vitest', 'unlisted']) {
    plant({ [`node_modules/${name}/package.json`]: JSON.stringify({ name, main: 'index.js' }) });
    plant({ [`node_modules/${name}/index.js`]: '' });
  }
  cpSync(join(repository, 'package.json'), join(root, 'package.json'));
});

afterEach(() => rmSync(folder, { recursive: true }));

describe('the dependency rules', () => {
  it('let a program pass in which everybody imports only what they may', async () => {
    expect(await checkDependencies(root)).toEqual({
      filesRead: Object.keys(innocent).length - 1,
      findings: [],
    });
  });

  it.each(violations)('refuse what %s forbids: %j', async (rule, planted) => {
    plant(planted);
    const { findings } = await checkDependencies(root);
    expect(findings.map((finding) => finding.rule)).toEqual([rule]);
    expect(findings[0]?.sentence).toMatch(/^\S.*\.$/);
  });

  it('each have a violation in this file', async () => {
    const { forbidden } = await dependencyRules();
    const planted = new Set(violations.map(([rule]) => rule));
    expect([...planted].sort()).toEqual(forbidden.map((rule) => rule.name ?? '').sort());
  });

  it('refuse to trust a cruise that read no file', async () => {
    const nothing = { modules: [], summary: { violations: [] } };
    const { filesRead, findings } = await checkDependencies(root, async () => ({
      output: nothing as never,
      exitCode: 0,
    }));
    expect(filesRead).toBe(0);
    expect(findings.map((finding) => finding.rule)).toEqual(['every-file-read']);
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MailKind } from '#kernel/mail-kind';
import { mailExamples } from '#modules/notifications';
import { queueMailFor } from '#test/mails';
import { createWorld, type World } from '#test/world';
import { claimMails } from './mail-attempt.queries.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

const queue = (kind: MailKind) =>
  queueMailFor(world, world.platform.platform_id, {
    ...{ cause: randomUUID(), kind, content: mailExamples[kind], to: 'jane.doe@buyer.example' },
    ...{ language: 'EN', formality: 'NEUTRAL', now: world.clock.now() },
  });

it('claims a code, for which a person waits, before what has waited for longer', async () => {
  for (const kind of ['order_pending', 'order_pending', 'checkout_code', 'page_code'] as const)
    await queue(kind);
  const kinds: string[] = [];
  for (let nth = 0; nth < 4; nth++)
    for (const { kind } of await claimMails(world.installation.db, { batchSizeMax: 1, leaseSeconds: 60 }))
      kinds.push(kind);
  expect(kinds).toEqual(['checkout_code', 'page_code', 'order_pending', 'order_pending']);
});

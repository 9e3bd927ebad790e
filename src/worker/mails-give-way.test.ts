import { expect, it } from 'vitest';
import { createSmtp } from '#infra/mail/smtp';
import { mailExamples } from '#modules/notifications';
import { testAuthority } from '#test/certificates';
import { startMailServer } from '#test/mail-server';
import { mailsOf, queueMailFor, untilSent } from '#test/mails';
import { eventually } from '#test/until';
import { openWorkerProcess } from '#test/worker-process';
import { createWorld } from '#test/world';
import { createMailer } from './mailer.ts';

it('While a process serves requests, a mail is sent and its result written after those in progress', async () => {
  const world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
  const server = await startMailServer();
  await queueMailFor(world, world.platform.platform_id, {
    ...{ cause: 'test', kind: 'order_pending', to: 'jane.doe@secret.example' },
    ...{ language: 'EN', formality: 'NEUTRAL', content: mailExamples.order_pending },
    now: world.clock.now(),
  });
  const waits: PromiseWithResolvers<number>[] = [];
  const { close, ...parts } = await openWorkerProcess(world);
  const mailer = createMailer({
    ...parts,
    isServing: () => true,
    giveWay() {
      const wait = Promise.withResolvers<number>();
      waits.push(wait);
      return wait.promise;
    },
    smtp: createSmtp({
      server: { host: '127.0.0.1', port: server.port, isSecure: false, user: null, password: null },
      from: 'fallback@example.com',
      extraCa: testAuthority,
    }),
    host: 'localhost',
    onSlotFree: () => {},
  });
  await mailer.dispatch();
  await eventually(async () => expect(waits).toHaveLength(1));
  expect(server.taken).toHaveLength(0);
  waits[0]?.resolve(0);
  await server.waitFor(1);
  await eventually(async () => expect(waits).toHaveLength(2));
  expect(await mailsOf(world)).toMatchObject([{ status: 'PENDING' }]);
  waits[1]?.resolve(0);
  await untilSent(world);
  await mailer.stop();
  await close();
  await server.close();
  await world.close();
});

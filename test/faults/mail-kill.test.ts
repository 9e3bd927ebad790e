/**
 * Drafts are created and cancelled, their buyers are invited and notified by mail, and the server is repeatedly killed with
 * SIGKILL. `MAIL_KILLS` in the environment selects the long run.
 */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { testAuthorityPath } from '#test/certificates';
import * as events from '#test/event-audit';
import { type MailServer, startMailServer } from '#test/mail-server';
import { patience } from '#test/patience';
import { endPrograms, launchProgram, type RunningProgram, startProgram } from '#test/program';
import { post } from '#test/program-requests';
import { RestartedServer } from '#test/restarted-server';
import { eventually, until } from '#test/until';
import { MAILS_IN_FLIGHT_MAX } from '../../src/worker/mailer.ts';

const KILLS = Number(process.env.MAIL_KILLS ?? 2);
const ORDERS = 30 * KILLS;
const CLIENTS = 8;

vi.setConfig({ testTimeout: patience(60) });

let mailServer: MailServer;
let program: RunningProgram;
let audit: events.Audit;
const server = new RestartedServer(CLIENTS);
const ids = Array.from({ length: ORDERS }, (_, index) => `order-${index}`);

beforeAll(
  async () => {
    mailServer = await startMailServer();
    // Slow enough that kills come while mails are being taken.
    mailServer.answerData = () => new Promise((resolve) => setTimeout(() => resolve(250), 20));
    program = await startProgram({
      args: ['--empty'],
      env: {
        SMTP_URL: mailServer.url,
        SMTP_FROM: 'orders@example.com',
        SMTP_CA_FILE: testAuthorityPath,
      },
    });
    audit = await events.auditOf(program.dataDir);
    await audit('update platforms set sends_checkout_invitations = true');
    await post(program, '/v1/merchants', merchantBody({}));
    await post(program, '/v1/buyers', buyerBody({ external_id: 'buyer' }));
    await server.aim(program.baseUrl);
    const [, stopped] = await Promise.all([killNowAndThen(), Promise.all(lanes(draftAndCancel))]);
    expect(stopped).toHaveLength(CLIENTS);
    audit = await events.auditOf(program.dataDir);
    // Mails that the killed servers had claimed are due when the lease ends.
    await eventually(
      async () => expect(await audit(`select from mails where status = 'SENT'`)).toHaveLength(2 * ORDERS),
      60,
    );
    console.log(
      `${KILLS} kills: ${2 * ORDERS} mails, taken ${mailServer.taken.length} times; ${server.unanswered} requests without an answer`,
    );
  },
  patience(120 + KILLS * 10),
);

afterAll(async () => {
  await server.aim(null);
  await program?.stop();
  await mailServer?.close();
  await endPrograms();
});

function lanes(work: (id: string) => Promise<void>): Promise<void>[] {
  const waiting = [...ids];
  return Array.from({ length: CLIENTS }, async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await work(id);
  });
}

async function draftAndCancel(id: string): Promise<void> {
  const body = { external_id: id, buyer_external_id: 'buyer', contact_email: `${id}@example.com` };
  await send('/v1/orders/draft', draftOrderBody(body), `${id}-draft`);
  // A waiting invitation is withdrawn with its draft, so it is sent first. The consent states that the buyer placed the order.
  await eventually(async () => {
    const query = `insert into checkout_consents (platform_id, order_external_id, consented_at, terms_version, language,
        formality, terms_sha256, payment_term)
      select platform_id, external_id, 1, '1', 'EN', 'NEUTRAL', '\\x00', 'PREPAYMENT' from orders
      where external_id = '${id}' and exists (
        select from mails where cause = 'order/${id}/invitation' and status = 'SENT'
      ) returning 1`;
    expect(await audit(query)).toHaveLength(1);
  }, 60);
  await send(`/v1/orders/${id}/cancel`, {}, `${id}-cancel`);
}

/** Sends the request until it succeeds: an Idempotency-Key makes all of them one request. */
async function send(path: string, body: object, idempotencyKey: string): Promise<void> {
  for (;;) {
    const requested = {
      apiKey: program.apiKey,
      method: 'POST',
      path,
      body: JSON.stringify(body),
      idempotencyKey,
    } as const;
    const answer = await server.send(requested);
    if (answer && answer.status < 300) return;
    if (answer && answer.status !== 409 && answer.status < 500) throw new Error(answer.text);
  }
}

async function killNowAndThen(): Promise<void> {
  for (let kill = 1; kill <= KILLS; kill++) {
    const taken = (2 * ORDERS * kill) / (KILLS + 1);
    await until(() => mailServer.taken.length >= taken, 60);
    process.kill(program.pid, 'SIGKILL');
    await server.aim(null);
    await program.exited;
    const launched = launchProgram({ dataDir: program.dataDir, env: program.env });
    const { baseUrl } = await launched.ready;
    program = { ...program, ...launched, baseUrl };
    audit = await events.auditOf(program.dataDir);
    await server.aim(baseUrl);
  }
}

describe(`after ${KILLS} kills`, () => {
  it('each order has one invitation with one link, and one notification', async () => {
    const counts = await audit(`
      select o.external_id,
        (select count(*)::int from mails m where m.cause = 'order/' || o.external_id || '/invitation') as invitations,
        (select count(*)::int from mails m where m.cause like 'order/' || o.external_id || '/%') as mails,
        (select count(*)::int from checkout_links l where l.order_external_id = o.external_id) as links
      from orders o`);
    expect(counts).toHaveLength(ORDERS);
    expect(counts.filter((each) => each.invitations !== 1 || each.mails !== 2 || each.links !== 1)).toEqual(
      [],
    );
  });

  it('the mail server has every mail; one that came twice is the same, under the same id', () => {
    const byId = Map.groupBy(mailServer.taken, ({ parsed }) => parsed.messageId);
    expect(byId.size).toBe(2 * ORDERS);
    for (const copies of byId.values())
      expect(new Set(copies.map(({ parsed, recipients }) => `${parsed.text}${recipients}`)).size).toBe(1);
    const recipients = Map.groupBy(
      [...byId.values()].map(([mail]) => mail),
      (mail) => mail?.recipients.join(),
    );
    expect([...recipients.values()].map((mails) => mails.length)).toEqual(ids.map(() => 2));
    // Only mails that were in progress at a kill can have come twice.
    expect(mailServer.taken.length - byId.size).toBeLessThanOrEqual(MAILS_IN_FLIGHT_MAX * KILLS);
  });
});

/** One attempt to deliver an event. */
import type { KeyObject } from 'node:crypto';
import type { Log } from '#infra/log';
import { OutboundFailed, type OutboundHttp, OutboundRefused } from '#infra/outbound/http';
import type { Vault } from '#infra/secrets/vault';
import type { Clock } from '#infra/time/clock';
import { randomShare } from '#kernel/backoff';
import { transitionOf } from '#kernel/lifecycle';
import { readRetryAfter } from '#kernel/retry-after';
import { judgeAttempt } from './attempt.rules.ts';
import type { ClaimedDelivery } from './claim.queries.ts';
import { deliveryLifecycle } from './delivery.lifecycle.ts';
import type { AttemptResult } from './delivery.queries.ts';
import { sealAnswer } from './delivery-answer.ts';
import { requestHeaders } from './request-headers.ts';
import { signingKeyOf } from './signing-secret.ts';

/** The response, or the failure with the part of the response that is known. */
interface Answer {
  statusCode: number | null;
  failure: string | null;
  /** One sentence about the failure. */
  failureDetail: string | null;
  retryAfterSeconds: number | null;
  address: string | null;
  body: Buffer | null;
}

export interface DeliverySender {
  outbound: OutboundHttp;
  vault: Vault;
  clock: Clock;
  log: Log;
  /** Covers the whole attempt, from resolving the receiver's name to the last byte of its response. */
  timeoutMs: number;
  /** Aborts the attempt, which then has no outcome. */
  signal: AbortSignal;
}

/** Sends the delivery's event once and judges the response. Throws the signal's reason if it was aborted. */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  sender: DeliverySender,
): Promise<AttemptResult> {
  const attempt = delivery.attempts + 1;
  const at = sender.clock.now();
  const startedMs = sender.clock.elapsedMs();
  const outcome = await send(delivery, attempt, at, sender);
  const answer = { ...outcome, durationMs: Math.round(sender.clock.elapsedMs() - startedMs) };
  const elapsedSeconds = delivery.age_seconds + answer.durationMs / 1_000;
  const { trigger, delaySeconds } = judgeAttempt(attempt, elapsedSeconds, answer, randomShare());
  return {
    platformId: delivery.platform_id,
    deliveryId: delivery.delivery_id,
    subscriptionId: delivery.subscription_id,
    url: delivery.url,
    at,
    round: delivery.round,
    attempt,
    durationMs: answer.durationMs,
    statusCode: answer.statusCode,
    failure: answer.failure,
    failureDetail: answer.failureDetail,
    address: answer.address,
    answerSealed:
      answer.body && sealAnswer(vaultOf(delivery, sender.vault), delivery.delivery_id, answer.body),
    status: transitionOf(deliveryLifecycle, 'PENDING', trigger).to,
    delaySeconds,
    isLost: trigger === 'give_up',
    isGone: trigger === 'discard',
  };
}

async function send(
  delivery: ClaimedDelivery,
  attempt: number,
  unixSeconds: number,
  { outbound, vault, log, timeoutMs, signal }: DeliverySender,
): Promise<Answer> {
  try {
    const keys = signingKeysOf(delivery, vault);
    const { event_id: id, body } = delivery;
    const reply = await outbound.post(delivery.url, {
      headers: requestHeaders(keys, { id, body, attempt, unixSeconds }),
      body,
      timeoutMs,
      signal,
    });
    const retryAfterSeconds = readRetryAfter(reply.retryAfter, unixSeconds);
    const { status: statusCode, address, bodyHead } = reply;
    return {
      statusCode,
      failure: null,
      failureDetail: null,
      retryAfterSeconds,
      address,
      body: bodyOf(bodyHead),
    };
  } catch (error) {
    signal.throwIfAborted();
    const { platform_id, delivery_id } = delivery;
    const failure = failureOf(error);
    // Our own defects count as failures: otherwise the delivery would be due again after every lease, without end.
    if (failure === 'INTERNAL')
      log.error({ err: error as Error, platform_id, delivery_id }, 'webhook not sent');
    return { ...progressOf(error), failure, failureDetail: detailOf(error), retryAfterSeconds: null };
  }
}

const bodyOf = (head: Buffer) => (head.length > 0 ? head : null);

function progressOf(error: unknown): Pick<Answer, 'statusCode' | 'address' | 'body'> {
  if (!(error instanceof OutboundFailed)) return { statusCode: null, address: null, body: null };
  const { status, address, bodyHead } = error.progress;
  return { statusCode: status, address, body: bodyOf(bodyHead) };
}

/** Only these messages are written for integrators. */
const detailOf = (error: unknown) =>
  error instanceof OutboundFailed || error instanceof OutboundRefused ? error.message : null;

function failureOf(error: unknown): string {
  if (error instanceof OutboundFailed) return error.kind;
  return error instanceof OutboundRefused ? error.reason : 'INTERNAL';
}

const vaultOf = ({ platform_code, data_key_wrapped }: ClaimedDelivery, vault: Vault) =>
  vault.forPlatform(platform_code, data_key_wrapped);

/** The keys of the current secret and, during its grace period, of the previous one. */
function signingKeysOf(delivery: ClaimedDelivery, vault: Vault): KeyObject[] {
  const platformVault = vaultOf(delivery, vault);
  return [delivery.secret_sealed, delivery.previous_secret_sealed]
    .filter((sealed) => sealed !== null)
    .map((sealed) => signingKeyOf(platformVault, delivery.subscription_id, sealed));
}

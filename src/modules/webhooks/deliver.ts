/** One attempt to deliver: prepared, sent, and judged. */

import type { Log } from '#infra/log';
import { OutboundFailed, type OutboundHttp, OutboundRefused } from '#infra/outbound/http';
import type { Vault } from '#infra/secrets/vault';
import type { Clock } from '#infra/time/clock';
import { nextDelaySeconds, randomShare } from '#kernel/backoff';
import { transitionOf } from '#kernel/lifecycle';
import { SIGNATURE_HEADER, signatureHeader } from '#kernel/signature';
import { type DeliveryTrigger, deliveryLifecycle } from './delivery.lifecycle.ts';
import type { AttemptResult, ClaimedDelivery } from './delivery.queries.ts';
import { openSigningSecret } from './signing-secret.ts';

const GONE = 410;

/** What came back: a status, or why there is none. */
interface Answer {
  statusCode: number | null;
  failure: string | null;
  retryAfterSeconds: number | null;
}

export interface DeliverySender {
  outbound: OutboundHttp;
  vault: Vault;
  clock: Clock;
  log: Log;
  /** From the first look at the receiver's name to the last byte of its answer. */
  timeoutMs: number;
  /** Aborted where the attempt is to be abandoned: nothing can be said of the receiver then. */
  signal: AbortSignal;
}

/** Sends the delivery's event once and says what to make of it; throws where the attempt was abandoned. */
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
  const isAcknowledged = answer.statusCode !== null && answer.statusCode >= 200 && answer.statusCode < 300;
  const isGone = answer.statusCode === GONE;
  const delaySeconds =
    isAcknowledged || isGone
      ? null
      : nextDelaySeconds(attempt, elapsedSeconds, randomShare(), answer.retryAfterSeconds);
  const trigger: DeliveryTrigger = isAcknowledged
    ? 'acknowledge'
    : isGone
      ? 'discard'
      : delaySeconds === null
        ? 'give_up'
        : 'retry';
  return {
    platformId: delivery.platform_id,
    deliveryId: delivery.delivery_id,
    subscriptionId: delivery.subscription_id,
    url: delivery.url,
    at,
    attempt,
    durationMs: answer.durationMs,
    statusCode: answer.statusCode,
    failure: answer.failure,
    status: transitionOf(deliveryLifecycle, 'PENDING', trigger).to,
    delaySeconds,
    isLost: trigger === 'give_up',
    isGone,
  };
}

async function send(
  delivery: ClaimedDelivery,
  attempt: number,
  unixSeconds: number,
  { outbound, vault, log, timeoutMs, signal }: DeliverySender,
): Promise<Answer> {
  try {
    const reply = await outbound.post(delivery.url, {
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Tradeline-Webhooks/1',
        'webhook-id': delivery.event_id,
        'webhook-attempt': String(attempt),
        [SIGNATURE_HEADER]: signatureHeader(secretsOf(delivery, vault), delivery.body, unixSeconds),
      },
      body: delivery.body,
      timeoutMs,
      signal,
    });
    const retryAfterSeconds = readRetryAfter(reply.retryAfter, unixSeconds);
    return { statusCode: reply.status, failure: null, retryAfterSeconds };
  } catch (error) {
    signal.throwIfAborted();
    const { platform_id, delivery_id } = delivery;
    const failure = failureOf(error);
    // A defect of ours must end as other failures do: left alone, it would come back with every lease for ever.
    if (failure === 'INTERNAL')
      log.error({ err: error as Error, platform_id, delivery_id }, 'webhook not sent');
    return { statusCode: null, failure, retryAfterSeconds: null };
  }
}

function failureOf(error: unknown): string {
  if (error instanceof OutboundFailed) return error.kind;
  return error instanceof OutboundRefused ? error.reason : 'INTERNAL';
}

/** The present secret, and while its grace period lasts the one before it. */
function secretsOf(delivery: ClaimedDelivery, vault: Vault): string[] {
  const platformVault = vault.forPlatform(delivery.platform_code, delivery.data_key_wrapped);
  return [delivery.secret_sealed, delivery.previous_secret_sealed]
    .filter((sealed) => sealed !== null)
    .map((sealed) => openSigningSecret(platformVault, delivery.subscription_id, sealed));
}

/** Seconds, or an HTTP date: as seconds from now; null for anything else. */
function readRetryAfter(text: string | null, unixSeconds: number): number | null {
  if (text === null) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs / 1_000 - unixSeconds);
}

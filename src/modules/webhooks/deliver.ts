/** One attempt to deliver: prepared, sent, and judged. */
import { OutboundFailed, type OutboundHttp, OutboundRefused } from '#infra/outbound-http';
import type { Vault } from '#infra/vault';
import { nextDelaySeconds, randomShare } from '#kernel/backoff';
import { moveOf } from '#kernel/lifecycle';
import { SIGNATURE_HEADER, signatureHeader } from '#kernel/signature';
import { type DeliveryTrigger, deliveryLifecycle } from './delivery.lifecycle.ts';
import type { AttemptResult, ClaimedDelivery } from './delivery.queries.ts';
import { openSigningSecret } from './signing-secret.ts';

/** A receiver acknowledges within this, counted from the first look at its name to the last byte of its answer. */
const ATTEMPT_TIMEOUT_MS = 15_000;

const GONE = 410;

/** What came back: a status, or why there is none. */
interface Answer {
  statusCode: number | null;
  failure: string | null;
  retryAfterSeconds: number | null;
  durationMs: number;
}

/** Sends the delivery's event once and says what to make of it. `unixSeconds` is real time: receivers check its age. */
export async function attemptDelivery(
  delivery: ClaimedDelivery,
  {
    outbound,
    vault,
    unixSeconds,
    elapsedMs,
  }: { outbound: OutboundHttp; vault: Vault; unixSeconds: number; elapsedMs: () => number },
): Promise<AttemptResult> {
  const attempt = delivery.attempts + 1;
  const startedMs = elapsedMs();
  const answer = await send(delivery, attempt, outbound, vault, unixSeconds, () =>
    Math.round(elapsedMs() - startedMs),
  );
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
    attempt,
    durationMs: answer.durationMs,
    statusCode: answer.statusCode,
    failure: answer.failure,
    status: moveOf(deliveryLifecycle, 'PENDING', trigger).to,
    delaySeconds,
    isLost: trigger === 'give_up',
    isGone,
  };
}

async function send(
  delivery: ClaimedDelivery,
  attempt: number,
  outbound: OutboundHttp,
  vault: Vault,
  unixSeconds: number,
  durationMs: () => number,
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
      timeoutMs: ATTEMPT_TIMEOUT_MS,
    });
    return {
      statusCode: reply.status,
      failure: null,
      retryAfterSeconds: readRetryAfter(reply.retryAfter, unixSeconds),
      durationMs: durationMs(),
    };
  } catch (error) {
    if (error instanceof OutboundFailed)
      return { statusCode: null, failure: error.kind, retryAfterSeconds: null, durationMs: durationMs() };
    if (error instanceof OutboundRefused)
      return { statusCode: null, failure: error.reason, retryAfterSeconds: null, durationMs: durationMs() };
    throw error;
  }
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

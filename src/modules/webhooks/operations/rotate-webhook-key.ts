import { notFound } from '#kernel/problem';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { newSigningSecret, sealSigningSecret } from '../signing-secret.ts';
import { lockSubscription, secretsAfter, toSubscription } from '../subscription.queries.ts';
import { KeyRotation, SubscriptionParams, SubscriptionWithSecret } from '../subscription.schemas.ts';
import { transitionSubscription } from '../transition-subscription.ts';

export const rotateWebhookKey = operation({
  id: 'rotateWebhookKey',
  summary: 'Rotate the signing secret',
  description:
    'Signs all further attempts with the new secret; during a grace period also with the old one (two v1= values). ' +
    'Send an Idempotency-Key: if the response is lost, repeating the request returns the same secret.',
  tag: 'Webhooks',
  scope: 'webhooks:write',
  effect: 'transaction',
  hasSecret: true,
  params: SubscriptionParams,
  body: KeyRotation,
  isBodyOptional: true,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: SubscriptionWithSecret,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED'],
  example: { params: { type: 'BUYER' }, body: { grace_period_seconds: 3600 } },
  async run(context, { params, body }) {
    const { db, platformId, caller, vault, assertVersion } = context;
    assertPlatformWide(caller);
    const row = await lockSubscription(db, platformId, params.type);
    if (!row) throw notFound();
    assertVersion(row.version);
    const secret = newSigningSecret();
    const sealed = sealSigningSecret(vault, row.subscription_id, secret);
    const graceSeconds = body.grace_period_seconds ?? 0;
    const rotated = await transitionSubscription(
      context,
      row,
      'rotate',
      secretsAfter(row, sealed, graceSeconds),
    );
    return { body: { ...toSubscription(rotated), signing_secret: secret }, version: rotated.version };
  },
});

import { describe, expect, it } from 'vitest';
import { transitionOf } from '#kernel/lifecycle';
import { type MandateTrigger, mandateLifecycle } from './mandate.lifecycle.ts';

describe('the lifecycle of a mandate', () => {
  const triggers = [...new Set(mandateLifecycle.transitions.map(({ trigger }) => trigger))];
  const allowed: Record<string, MandateTrigger[]> = { null: ['create'], ACTIVE: ['revoke'], REVOKED: [] };

  it.each(
    [null, ...mandateLifecycle.states].flatMap((state) =>
      triggers.map((trigger) => [state, trigger] as const),
    ),
  )('from %s by %s', (state, trigger) => {
    const transition = () => transitionOf(mandateLifecycle, state, trigger);
    if (allowed[`${state}`]?.includes(trigger)) expect(transition().from).toBe(state);
    else expect(transition).toThrow(expect.objectContaining({ reason: 'INVALID_STATUS_TRANSITION' }));
  });
});

import type { Context } from '#http/operation';
import type { OrderRow } from './order.queries.ts';
import type { Mover } from './order-credit.ts';

export type Script = 'in-review' | 'review-then-accept' | 'review-then-reject' | 'rejected';

export function scriptOfOrder(
  _: Pick<Context, 'isSandbox'>,
  __: string,
  ___: string | null | undefined,
): Script | null {
  return null;
}

export async function openOrderReview(
  _: Mover,
  __: Pick<OrderRow, 'external_id'>,
  ___: Script | null,
): Promise<void> {}

export async function withdrawOrderReview(_: Mover, __: string, ___: string): Promise<void> {}

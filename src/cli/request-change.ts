/** Requests a change as the operator whose key is set, and prints whether it is made or waits for a second operator. */
import { type ChangeKind, requestChange } from '#modules/operators';
import { asOperator } from './as-operator.ts';
import type { OnPlatform } from './installation.ts';

export interface RequestedByCommand<Payload extends object> {
  kind: ChangeKind<Payload>;
  payload: Payload;
  reason: string;
  /** Printed if the change is made. */
  made: string;
}

export async function requestAndPrint<Payload extends object>(
  on: OnPlatform,
  { kind, payload, reason, made }: RequestedByCommand<Payload>,
): Promise<void> {
  const approvalId = await asOperator(on, { role: kind.role }, async (context) => {
    const requested = await requestChange(context, kind, payload, reason);
    return { answer: requested.approvalId, audit: requested.audit };
  });
  console.log(approvalId === null ? made : proposedSentence(approvalId));
}

export function proposedSentence(approvalId: string): string {
  return `Approval ${approvalId} waits for a second operator: tradeline approval show ${approvalId}.`;
}

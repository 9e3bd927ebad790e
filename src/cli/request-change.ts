/** Requests a change as the operator whose key is set, and prints whether it is made or waits for a second operator. */
import { type ChangeKind, requestChange } from '#modules/operators';
import { asOperator } from './as-operator.ts';
import type { OnPlatform } from './installation.ts';
import { printDone } from './result.ts';

export interface RequestedByCommand<Payload extends object> {
  kind: ChangeKind<Payload>;
  payload: Payload;
  reason: string;
  isJson: boolean;
  /** Printed if the change is made. */
  made: string;
  /** Printed too, as fields or as a sentence. */
  shown?: { fields: object; sentence: string };
}

export async function requestAndPrint<Payload extends object>(
  on: OnPlatform,
  { kind, payload, reason, isJson, made, shown }: RequestedByCommand<Payload>,
): Promise<void> {
  const approvalId = await asOperator(on, { role: kind.role }, async (context) => {
    const requested = await requestChange(context, kind, payload, reason);
    return { answer: requested.approvalId, audit: requested.audit };
  });
  const sentence = approvalId === null ? made : proposedSentence(approvalId);
  printDone(
    isJson,
    { approval_id: approvalId, ...shown?.fields },
    shown === undefined ? sentence : `${sentence}\n${shown.sentence}`,
  );
}

export function proposedSentence(approvalId: string): string {
  return `Approval ${approvalId} waits for a second operator: tradeline approval show ${approvalId}.`;
}

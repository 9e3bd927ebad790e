import type { Translator } from '#messages';
import type { BuyerReasonCode } from './reason.codes.ts';

/** A reason as the buyer reads it. */
export function textOfReason(code: BuyerReasonCode, translator: Pick<Translator, 'text'>): string {
  return translator.text(`reason.${code}`);
}

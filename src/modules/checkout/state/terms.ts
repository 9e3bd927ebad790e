/** The payment terms that a buyer consents to. The text that is shown is the text that is hashed. */
import { createHash } from 'node:crypto';
import type { MessageKey, Translator } from '#messages';

/** The day of the last change of the terms, in any language. */
export const TERMS_VERSION = '2026-11-28';

export interface TermsParties {
  platform: string;
  merchant: string;
  /** Null for a browser that may not see it. */
  company: string | null;
}

const PARAGRAPHS = [
  'terms.parties',
  'terms.due',
  'terms.fee',
  'terms.late',
  'terms.data',
  'terms.cancel',
] as const satisfies readonly MessageKey[];

/** Returns the paragraphs in the order of the page. */
export function termsParagraphs(translator: Translator, { platform, merchant }: TermsParties): string[] {
  return PARAGRAPHS.map((key) => translator.text(key, { platform, merchant }));
}

/** The sentence of the checkbox. A company that the browser may not see is not named. */
export function consentSentence(translator: Translator, company: string | null): string {
  return translator.text('review.consent', { company: company ?? translator.text('review.company') });
}

/** SHA-256 of the consent's sentence and the terms that it refers to. */
export function hashOfTerms(translator: Translator, parties: TermsParties): Buffer {
  const consent = consentSentence(translator, parties.company);
  const text = [TERMS_VERSION, consent, ...termsParagraphs(translator, parties)].join('\n');
  return createHash('sha256').update(text).digest();
}

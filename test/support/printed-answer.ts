/** Compares the output of commands with the answer printed in a guide, in which `…` matches anything. */
import { expect } from 'vitest';
import type { Fence } from './guide-fences.ts';

/** `where` is the place in the guide, for the message about a difference. */
export function expectAnswer(answer: Fence, stdout: string, where: string): void {
  if (answer.language === 'json') {
    const [last = ''] = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .slice(-1);
    expect(JSON.parse(last || 'null'), where).toEqual(matcherOf(JSON.parse(withQuotedGaps(answer.text))));
    return;
  }
  const printed = stdout.split('\n');
  for (const line of answer.text.trimEnd().split('\n'))
    expect(printed, where).toContainEqual(textMatcher(line));
}

const REST = '…rest';

/** A gap is a value, or the rest of an object or a list. */
function withQuotedGaps(text: string): string {
  return text
    .replaceAll(/: …/g, ': "…"')
    .replaceAll(/,\s*…(?=\s*\})/g, `, "${REST}": true`)
    .replaceAll(/,\s*…(?=\s*\])/g, `, "${REST}"`);
}

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

function matcherOf(shown: Json): unknown {
  if (shown === '…') return expect.anything();
  if (typeof shown === 'string') return textMatcher(shown);
  if (Array.isArray(shown)) {
    const items = shown.filter((item) => item !== REST).map(matcherOf);
    return items.length < shown.length ? expect.arrayContaining(items) : items;
  }
  if (shown === null || typeof shown !== 'object') return shown;
  const { [REST]: hasMore, ...fields } = shown;
  const matchers = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, matcherOf(value)]),
  );
  return hasMore ? expect.objectContaining(matchers) : matchers;
}

function textMatcher(shown: string): unknown {
  if (!shown.includes('…')) return shown;
  const parts = shown.split('…').map((part) => part.replaceAll(/[^\w\s]/g, '\\$&'));
  return expect.stringMatching(new RegExp(`^${parts.join('.+')}$`));
}

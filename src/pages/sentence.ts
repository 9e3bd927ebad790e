/** Sentences of the catalogue with elements in them. */
import type { MessageKey, MessageValues, Translator } from '#messages';
import { html, type Markup } from './markup.ts';

/** A private-use character, which no message contains. */
const GAP = '\uF8FF';

/** The isolates of a message around an element. They would keep a space before it at the end of a line, underlined in links. */
const ISOLATED = new RegExp(`\u2068(${GAP}\\d+${GAP})\u2069`, 'g');

/** The message with an element for each value of `parts`. An element whose message isolates the value must be a `bdi`. */
export function sentenceWith(
  translator: Translator,
  key: MessageKey,
  values: MessageValues,
  parts: Record<string, Markup>,
): Markup {
  const names = Object.keys(parts);
  const marked = Object.fromEntries(names.map((name, index) => [name, `${GAP}${index}${GAP}`]));
  const sentence = translator.text(key, { ...withoutGaps(values), ...marked });
  const pieces = sentence.replaceAll(ISOLATED, '$1').split(GAP);
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : (parts[names[Number(piece)] ?? ''] ?? piece)))}`;
}

function withoutGaps(values: MessageValues): MessageValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(GAP, '') : value,
    ]),
  );
}

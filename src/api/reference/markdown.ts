/** Documents as HTML. Raw HTML in a document is shown as text: only the tags written here and by the parser reach a page. */
import { Marked, type RendererObject, type Tokens } from 'marked';
import { escaped } from './escaped.ts';

export interface RenderedMarkdown {
  /** The heading of the document, as HTML. */
  title: string;
  /** The first sentence, as HTML without links. */
  summary: string;
  html: string;
}

/** @param hrefOf Where a link leads; null if the target is not served. The link is then its text. */
export function renderMarkdown(text: string, hrefOf: (target: string) => string | null): RenderedMarkdown {
  const marked = new Marked({ renderer: rendererOf(hrefOf) });
  const tokens = marked.lexer(text);
  const heading = tokens.find((token): token is Tokens.Heading => token.type === 'heading');
  const paragraph = tokens.find((token): token is Tokens.Paragraph => token.type === 'paragraph');
  const [sentence = ''] = /^[\s\S]*?\.(?=\s|$)/.exec(paragraph?.text ?? '') ?? [];
  const inline = new Marked({ renderer: rendererOf(() => null) });
  return {
    title: marked.parseInline(heading?.text ?? '', { async: false }),
    summary: inline.parseInline(sentence, { async: false }),
    html: marked.parser(tokens),
  };
}

function rendererOf(hrefOf: (target: string) => string | null): RendererObject {
  const anchors = new Map<string, number>();
  return {
    // Comments are for those who edit the document.
    html: ({ text }) => (/^<!--[\s\S]*-->\s*$/.test(text) ? '' : escaped(text)),
    // Pictures of the repository are not served.
    image: ({ text }) => escaped(text),
    heading({ tokens, depth }) {
      const anchor = uniqueAnchor(anchors, this.parser.parseInline(tokens, this.parser.textRenderer));
      return `<h${depth} id="${anchor}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const target = hrefOf(href);
      return target === null ? text : `<a href="${escaped(target)}">${text}</a>`;
    },
    // Makes a scrolling block reachable with the keyboard.
    code({ text, lang = '' }) {
      // The table below a diagram has the same transitions.
      if (lang === 'mermaid') return '';
      const isAnswer = lang.endsWith(' answer');
      const kind = isAnswer ? ' class="answer"' : '';
      return `<pre tabindex="0"${kind}><code>${escaped(text)}</code></pre>\n`;
    },
    table({ header, rows }) {
      const cells = (row: Tokens.TableCell[], tag: 'th' | 'td') =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
      const body = rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      const head = `<thead><tr>${cells(header, 'th')}</tr></thead>`;
      return `<div class="table" tabindex="0"><table>\n${head}\n<tbody>\n${body}\n</tbody>\n</table></div>\n`;
    },
  };
}

/** The anchor that GitHub makes of a heading, so that links between documents work in both places. */
function uniqueAnchor(anchors: Map<string, number>, heading: string): string {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/&\w+;|[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
  const count = anchors.get(anchor) ?? 0;
  anchors.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

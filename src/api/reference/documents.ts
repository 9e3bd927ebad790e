/** The guides and the reference pages of docs/, as pages below /docs. */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { type RenderedMarkdown, renderMarkdown } from './markdown.ts';
import { referenceFrame } from './page.ts';

const FOLDER = new URL('../../../docs/', import.meta.url);

/** In reading order. Decisions and internals are left out: they are for those who change the program. */
const SECTIONS: readonly { title: string; documents: readonly string[] }[] = [
  { title: 'Start', documents: ['start'] },
  {
    title: 'Sell',
    documents: [
      'guides/orders',
      'guides/checkout',
      'guides/find-a-company',
      'guides/credit',
      'guides/invoices',
      'guides/buyer-page',
    ],
  },
  {
    title: 'Decide on credit',
    documents: ['guides/explain-a-decision', 'guides/credit-policy', 'guides/import-a-registry'],
  },
  {
    title: 'Keep the books',
    documents: ['guides/explain-a-balance', 'guides/close-a-month', 'guides/reconcile-a-day'],
  },
  { title: 'Integrate', documents: ['guides/receive-webhooks', 'guides/generate-a-client'] },
  { title: 'Pay merchants', documents: ['guides/get-paid-out', 'guides/finance-an-invoice'] },
  // This guide sets the clock forward by a week.
  { title: 'Get paid', documents: ['guides/chase-late-payers'] },
  // The last of the guides that tests run, because the clock never goes back.
  { title: 'Test', documents: ['guides/sandbox'] },
  {
    title: 'Run the service',
    documents: ['operating', 'several-processes', 'cells', 'citus', 'guides/deliveries-back-up'],
  },
  {
    title: 'Look up',
    documents: [
      'reference/changes',
      'reference/lifecycles',
      'reference/ledger',
      'reference/late-payment',
      'reference/mails',
      'reference/credit-policy',
      'reference/risk-source',
      'reference/outcome-scripts',
      'reference/registry-csv',
      'glossary',
    ],
  },
];

/** Every document that is served: `start`, `guides/checkout`. Its page is at this path below /docs. */
export const DOCUMENTS: readonly string[] = SECTIONS.flatMap(({ documents }) => documents);

export function documentPage(name: string): string {
  const root = '../'.repeat(name.split('/').length);
  const { title, html } = readDocument(name);
  return referenceFrame({
    title: `${title.replaceAll(/<[^>]+>/g, '')} – Tradeline`,
    root,
    here: 'docs/guides',
    head: `${styleLink(root)}<script src="${root}docs/copy.js" defer></script>\n`,
    content: `<div class="book">
<nav aria-label="Guides">
${SECTIONS.map((section) => contentsOf(section, root, name)).join('\n')}
</nav>
<main class="text">
${html}
${nextOf(name, root)}</main>
</div>`,
  });
}

export function guidesPage(): string {
  const sections = SECTIONS.map(({ title, documents }) => {
    const items = documents.map((name) => {
      const { title: heading, summary } = readDocument(name);
      return `<div><dt><a href="../docs/${name}">${heading}</a></dt><dd>${summary}</dd></div>`;
    });
    return `<h2>${title}</h2>\n<dl>\n${items.join('\n')}\n</dl>`;
  });
  return referenceFrame({
    title: 'Guides – Tradeline',
    root: '../',
    here: 'docs/guides',
    head: styleLink('../'),
    content: `<main class="text contents">\n<h1>Guides</h1>\n${sections.join('\n')}\n</main>`,
  });
}

const styleLink = (root: string) => `<link rel="stylesheet" href="${root}docs/documents.css">\n`;

function contentsOf({ title, documents }: (typeof SECTIONS)[number], root: string, here: string): string {
  const items = documents.map((name) => {
    const current = name === here ? ' aria-current="page"' : '';
    return `<li><a class="chapter" href="${root}docs/${name}"${current}>${readDocument(name).title}</a></li>`;
  });
  return `<h2>${title}</h2>\n<ul>${items.join('')}</ul>`;
}

function nextOf(name: string, root: string): string {
  const next = DOCUMENTS[DOCUMENTS.indexOf(name) + 1];
  if (next === undefined) return '';
  return `<p class="next">Next: <a href="${root}docs/${next}">${readDocument(next).title}</a></p>\n`;
}

const read = new Map<string, RenderedMarkdown>();

/** A document is part of the program, so it is read once. */
function readDocument(name: string): RenderedMarkdown {
  const known = read.get(name);
  if (known) return known;
  const text = readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');
  const rendered = renderMarkdown(text, (target) => hrefOf(target, name));
  read.set(name, rendered);
  return rendered;
}

/** Resolves links within a document, to other served documents, and to the web. Other files of the repository are not served. */
function hrefOf(target: string, from: string): string | null {
  if (/^(https:|#)/.test(target)) return target;
  const [, path = '', anchor = ''] = /^([^#]*)\.md(#.*)?$/.exec(target) ?? [];
  const name = posix.join(posix.dirname(from), path);
  return DOCUMENTS.includes(name) ? `${path}${anchor}` : null;
}

/** The page that `details.docs` of every error leads to: codes, reasons and issue codes, each with its anchor. */
import type { Route } from '#http/bind';
import { errorBody } from '#http/problem-reply';
import { refusal } from '#kernel/problem';
import { CODES, type Code, type Explained, ISSUE_CODES } from '#kernel/problem-codes';
import { REASONS, type Reason } from '#kernel/problem-reasons';
import { escaped } from './escaped.ts';
import { referenceFrame } from './page.ts';

export function errorsPage(routes: readonly Route[]): string {
  return referenceFrame({
    title: 'Errors – Tradeline API',
    root: '../',
    here: 'docs/errors',
    content: `<main class="text">
<h1>Errors</h1>
<p>Every refusal has one form, whatever refused it. Branch on <code>reason</code> where there is one, and on
<code>code</code> otherwise; show <code>error</code> to people. The header <code>Request-Id</code> names the request.</p>
<pre><code>${escaped(JSON.stringify(exampleBody(), null, 2))}</code></pre>
<dl class="fields">
${FIELDS.map(([name, text]) => `<div><dt><code>${name}</code></dt><dd>${prose(text)}</dd></div>`).join('\n')}
</dl>
<h2 id="codes">Codes</h2>
<p>Coarse: one for each status.</p>
<dl>
${(Object.keys(CODES) as Code[]).map((code) => entry(code, explained(CODES[code]), `<span class="status">${CODES[code].status}</span>`)).join('\n')}
</dl>
<h2 id="reasons">Reasons</h2>
<p>A closed list. New reasons may be added: handle one that you do not know by its <code>code</code>.</p>
${[...Map.groupBy(Object.keys(REASONS) as Reason[], (reason) => REASONS[reason].code)]
  .map(([code, reasons]) => reasonsOf(code, reasons, routes))
  .join('\n')}
<h2 id="issues">Issue codes</h2>
<p>What <code>issues</code> of a <a href="#BAD_REQUEST">BAD_REQUEST</a> are about. <code>path</code> begins with <code>body</code>,
<code>params</code>, <code>query</code> or <code>headers</code>: <code>body.line_items.0.price</code>.</p>
<dl>
${Object.entries(ISSUE_CODES)
  .map(([code, when]) => entry(code, when))
  .join('\n')}
</dl>
</main>`,
  });
}

const FIELDS = [
  ['error', 'A sentence for a person. Its words may change.'],
  ['code', 'One for each status.'],
  ['reason', 'Tells apart what one status has in common. Absent where the code says it all.'],
  [
    'issues',
    'Of a `BAD_REQUEST`: everything that is wrong with the request, each with `code`, `path` and `message`.',
  ],
  [
    'details',
    'Facts for a program. `docs` is the link to the reason or code on this page. `remedy` is a sentence on what to do.',
  ],
] as const;

function exampleBody(): object {
  const problem = refusal('REFERENCED_ENTITY_NOT_FOUND', 'There is no buyer with this external_id', {
    field: 'body.buyer_external_id',
    value: 'cafe-morgenrott',
    remedy: 'No buyer has this external_id: register it first with POST /v1/buyers.',
  });
  return errorBody(problem, '', '/docs/errors');
}

function reasonsOf(code: Code, reasons: Reason[], routes: readonly Route[]): string {
  const { status, error } = CODES[code];
  const entries = reasons.map((reason) =>
    entry(reason, explained(REASONS[reason]), '', `<p class="from">${answeredBy(reason, routes)}</p>`),
  );
  return `<h3><span class="status">${status}</span> ${error}</h3>\n<dl>\n${entries.join('\n')}\n</dl>`;
}

const explained = ({ when, remedy }: Explained) => (remedy === undefined ? when : `${when} ${remedy}`);

/** Reasons that operations do not list themselves. */
const EVERYWHERE: Partial<Record<Reason, string>> = {
  API_KEY_MISSING: 'Every operation',
  API_KEY_MALFORMED: 'Every operation',
  INSUFFICIENT_SCOPE: 'Every operation',
  IDEMPOTENCY_IN_PROGRESS: 'Every POST with an <code>Idempotency-Key</code>',
  IDEMPOTENCY_KEY_REUSED: 'Every POST with an <code>Idempotency-Key</code>',
};

function answeredBy(reason: Reason, routes: readonly Route[]): string {
  const general = EVERYWHERE[reason];
  if (general) return general;
  return routes
    .filter(([, , { problems }]) => problems.includes(reason))
    .map(([method, path, { tag }]) => {
      const href = `../docs#tag/${tag.toLowerCase()}/${method}${path}`;
      return `<a href="${escaped(href)}"><code>${method} ${escaped(path)}</code></a>`;
    })
    .join('\n');
}

function entry(id: string, when: string, before = '', after = ''): string {
  const anchor = `<a class="anchor" href="#${id}"><code>${id}</code></a>`;
  return `<div id="${id}"><dt>${before}${anchor}</dt><dd>${prose(when)}${after}</dd></div>`;
}

/** Text of our tables: `code` between backticks. */
function prose(text: string): string {
  return escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

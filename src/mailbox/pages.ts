/** The pages of the mailbox. The tag `html` escapes the foreign text of mails. */
import { html, raw } from 'hono/html';
import type { MailContent, MailRow } from '#modules/notifications';

type Markup = ReturnType<typeof html>;

interface Frame {
  title: string;
  /** The path of the mailbox in the browser. */
  root: string;
  /** Null before the sign-in. */
  platformName: string | null;
  content: Markup;
}

async function framed({ title, root, platformName, content }: Frame): Promise<string> {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${root}/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar">
<a class="mark" href="${root}">${ENVELOPE}Mailbox</a>
${platformName === null ? '' : html`<span class="of"><bdi>${platformName}</bdi></span>`}
<span class="badge">Sandbox</span>
</header>
<main id="content">
${content}
</main>
</body>
</html>
`;
  return (await page).toString();
}

const ENVELOPE = raw(
  '<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.8" ' +
    'stroke-linejoin="round"><rect x="3" y="5" width="18" height="14" rx="2.5"/><path d="m3.5 7 8.5 6.2L20.5 7"/></svg>',
);

/** The form with the API key. */
export function signInPage({ root, isRefused }: { root: string; isRefused: boolean }): Promise<string> {
  return framed({
    title: isRefused ? 'Error: Mailbox' : 'Mailbox',
    root,
    platformName: null,
    content: html`<section class="sign-in">
<h1>Read the sandbox’s mail</h1>
<p>Mails to buyers stay here: codes, invitations, and the outcomes of orders. An API key of the platform opens its mailbox.</p>
<form method="post" action="${root}">
<label for="api_key">API key</label>
${isRefused ? html`<p class="error" id="api_key_error">This is not an API key of this sandbox that may read a whole platform.</p>` : ''}
<input id="api_key" name="api_key" type="password" required maxlength="200" autocomplete="off" spellcheck="false" autocapitalize="off"${isRefused ? raw(' aria-invalid="true" aria-describedby="api_key_error" autofocus') : ''}>
<button type="submit">Open the mailbox</button>
</form>
<p class="quiet">The line <b>Mailbox</b> that the service prints at its start is a link to the mailbox.</p>
</section>`,
  });
}

export interface ListedMail {
  row: MailRow;
  content: MailContent;
}

/** Lists the newest first. */
export function mailListPage({
  root,
  platformName,
  mails,
  page,
  hasMore,
}: {
  root: string;
  platformName: string;
  mails: ListedMail[];
  /** From 1. */
  page: number;
  hasMore: boolean;
}): Promise<string> {
  const turns = [
    page > 1 ? html`<a href="${root}?page=${page - 1}" rel="prev">Newer</a>` : '',
    hasMore ? html`<a href="${root}?page=${page + 1}" rel="next">Older</a>` : '',
  ];
  return framed({
    title: page === 1 ? 'Mailbox' : `Mailbox, page ${page}`,
    root,
    platformName,
    content: html`<div class="head"><h1>Messages</h1><a class="reload" href="${root}">Refresh</a></div>
${
  mails.length === 0
    ? html`<div class="empty">${ENVELOPE}<p>${page === 1 ? 'No mail yet. It appears here within a second of being sent.' : 'There is no mail on this page.'}</p></div>`
    : html`<ol class="mails" role="list">${mails.map((mail) => listItem(mail, root))}</ol>`
}
${page > 1 || hasMore ? html`<nav class="turns" aria-label="Pages">${turns}</nav>` : ''}`,
  });
}

function listItem({ row, content }: ListedMail, root: string): Markup {
  return html`<li><a href="${root}/${row.mail_id}">
<span class="subject" dir="${content.direction}" lang="${content.locale}">${content.subject}</span>
<span class="to">to <bdi>${content.to}</bdi></span>
<span class="meta">${stateOf(row)}${timeOf(row.created_at)}</span>
</a></li>
`;
}

export function messagePage({
  root,
  platformName,
  mail: { row, content },
  sender,
}: {
  root: string;
  platformName: string;
  mail: ListedMail;
  /** The sender's address; null if no mail server is configured. */
  sender: string | null;
}): Promise<string> {
  const { subject, to, from, text, locale } = content;
  const facts: [string, Markup | string][] = [
    [
      'From',
      html`<bdi>${from.name}</bdi>${sender === null ? '' : html` <span class="quiet">&lt;${sender}&gt;</span>`}`,
    ],
    ['To', html`<bdi>${to}</bdi>`],
    ['Time', timeOf(row.created_at)],
    ['Kind', html`<code>${row.kind}</code>`],
    ...(row.failure === null
      ? []
      : [['Last attempt', html`<code>${row.failure}</code>`] as [string, Markup]]),
  ];
  return framed({
    title: `${subject} – Mailbox`,
    root,
    platformName,
    content: html`<p class="back"><a href="${root}"><span aria-hidden="true">←</span> All messages</a></p>
<article>
<div class="head"><h1 dir="${content.direction}" lang="${locale}">${subject}</h1>${stateOf(row)}</div>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<h2 id="as-html">As HTML</h2>
<iframe src="${root}/${row.mail_id}/html" title="The message as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation" referrerpolicy="no-referrer"></iframe>
<h2 id="as-text">As text</h2>
<pre tabindex="0" role="region" aria-labelledby="as-text" dir="${content.direction}" lang="${locale}">${text}</pre>
</article>`,
  });
}

export function missingPage({ root, platformName }: { root: string; platformName: string }): Promise<string> {
  return framed({
    title: 'No such message – Mailbox',
    root,
    platformName,
    content: html`<h1>There is no such message</h1>
<p>Messages are deleted after 30 days. <a href="${root}">All messages</a></p>`,
  });
}

const STATES: Record<string, string> = { PENDING: 'waiting', SENT: 'sent', FAILED: 'not sent' };

function stateOf({ status }: MailRow): Markup | string {
  if (status === 'SENT') return '';
  return html`<span class="state ${status.toLowerCase()}">${STATES[status] ?? status}</span> `;
}

function timeOf(unixSeconds: number): Markup {
  const iso = new Date(unixSeconds * 1_000).toISOString();
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC</time>`;
}

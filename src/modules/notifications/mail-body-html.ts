/**
 * A mail body as HTML for old and new mail programs: nested tables, widths as attributes, inline styles. The head has only
 * styles that a program may drop: the dark scheme and narrow screens.
 */
import { html, raw } from 'hono/html';
import type { Translator } from '#messages';
import type { MailBody, MailBodyPart } from './mail-body-parts.ts';
import type { Branding } from './mail-contents.ts';
import { plainLine } from './plain-line.ts';

type Markup = ReturnType<typeof html>;

const FONT = "-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,'Noto Sans',sans-serif";
const ACCENT = '#1d4fd7';
const INK = '#14181f';
const QUIET = '#5a6472';
const LINE = '#e3e7ed';
const SURFACE = '#ffffff';
const GROUND = '#f3f5f8';

// Only styles that the dark scheme changes have classes. Programs that drop the head show the complete light scheme.
const headStyle = (accent: string) => `
:root{color-scheme:light dark;supported-color-schemes:light dark}
a{color:${accent}}
@media (max-width:640px){.card{padding:28px 22px!important}.outer{padding:16px 10px!important}.title{font-size:22px!important}}
@media (min-width:641px){.value{white-space:nowrap}}
@media (prefers-color-scheme:dark){
body,.ground{background:#0f141b!important}
.card{background:#181f29!important;border-color:#2a3442!important}
.ink{color:#eef2f7!important}
.quiet{color:#a3afbf!important}
.line{border-color:#2a3442!important}
.soft{background:#212a37!important;border-color:#2a3442!important}
a.link{color:#9db8ff!important}
}`;

export async function mailBodyHtml(
  body: MailBody,
  translator: Translator,
  branding: Branding,
): Promise<string> {
  const { locale, direction } = translator;
  const { subject, title, parts, footer } = body;
  const start = direction === 'rtl' ? 'right' : 'left';
  const accent = branding.color ?? ACCENT;
  const page = html`<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${subject}</title>
<style>${raw(headStyle(accent))}</style>
</head>
<body style="margin:0;padding:0;background:${GROUND};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${preview(parts)}</div>
<div role="main">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" dir="${direction}" class="ground" style="background:${GROUND}">
<tr><td align="center" class="outer" style="padding:36px 16px">
<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px">
<tr><td align="${start}" style="padding:0 4px 20px">${masthead(branding)}</td></tr>
<tr><td align="${start}" class="card" style="background:${SURFACE};border:1px solid ${LINE};border-radius:14px;padding:40px 44px;font-family:${FONT};font-size:16px;line-height:1.55;color:${INK}">
<h1 class="title ink" style="margin:0 0 24px;font-size:25px;line-height:1.25;font-weight:650;letter-spacing:-0.01em;color:${INK}">${title}</h1>
${parts.map((part) => partHtml(part, { start, accent }))}
<p class="ink" style="margin:32px 0 0;color:${INK}">${translator.text('mail.closing')}<br><strong style="font-weight:600"><bdi>${plainLine(branding.name)}</bdi></strong></p>
</td></tr>
<tr><td align="${start}" class="quiet" style="padding:20px 4px 0;font-family:${FONT};font-size:13px;line-height:1.5;color:${QUIET}">${footer}</td></tr>
</table>
</td></tr>
</table>
</div>
</body>
</html>
`;
  return (await page).toString();
}

/** The preview that inboxes show after the subject: the first sentence after the greeting. */
function preview(parts: MailBodyPart[]): string {
  const [, sentence] = parts.flatMap((part) => ('paragraph' in part ? [part.paragraph] : []));
  return sentence ?? '';
}

function masthead({ name, logoUrl }: Branding): Markup {
  const shownName = plainLine(name);
  // On white, because logos are made for light backgrounds; with the name, because many programs load no images.
  const logo =
    logoUrl === null
      ? ''
      : html`<img src="${logoUrl}" alt="" height="36" style="display:inline-block;height:36px;width:auto;max-width:160px;border:0;border-radius:8px;background:#ffffff;vertical-align:middle;margin-inline-end:12px">`;
  return html`${logo}<span class="ink" style="font-family:${FONT};font-size:17px;font-weight:650;color:${INK};vertical-align:middle"><bdi>${shownName}</bdi></span>`;
}

function partHtml(
  part: MailBodyPart,
  { start, accent }: { start: 'left' | 'right'; accent: string },
): Markup {
  const end = start === 'left' ? 'right' : 'left';
  if ('paragraph' in part)
    return html`<p class="ink"${languageOf(part)} style="margin:0 0 16px;color:${INK}">${part.paragraph}</p>
`;
  if ('code' in part)
    return html`<p class="soft ink" dir="ltr" style="margin:4px 0 20px;padding:18px 12px;text-align:center;background:${GROUND};border:1px solid ${LINE};border-radius:10px;font-family:ui-monospace,'SF Mono',Consolas,monospace;font-size:32px;line-height:1.2;font-weight:600;letter-spacing:0.22em;color:${INK}">${part.code}</p>
`;
  if ('button' in part)
    return html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:28px 0 16px"><tr><td align="center" style="background:${accent};border-radius:10px"><a href="${part.url}" target="_blank" rel="noopener" style="display:inline-block;padding:14px 28px;font-family:${FONT};font-size:16px;line-height:1.25;font-weight:600;color:#ffffff;text-decoration:none">${part.button}</a></td></tr></table>
<p class="quiet" style="margin:0 0 24px;font-size:13px;line-height:1.5;color:${QUIET}">${part.fallback}<br><a class="link" href="${part.url}" target="_blank" rel="noopener" dir="ltr" style="color:${accent};word-break:break-all">${part.url}</a></p>
`;
  if ('note' in part)
    return html`<p class="ink" style="margin:0 0 20px;color:${INK}"><span class="quiet" style="color:${QUIET}">${part.note}</span>${part.lines.map((line) => html`<br><bdi>${line}</bdi>`)}</p>
`;
  if ('list' in part)
    return html`<p class="ink" style="margin:0 0 20px;color:${INK}"><span class="quiet" style="color:${QUIET}">${part.list}</span>${part.items.map((item) => html`<br>${item}`)}</p>
`;
  const isSchedule = 'schedule' in part;
  const rows = isSchedule ? part.rows : part.facts;
  const room = roomOf(rows);
  return html`${isSchedule ? html`<h2 class="ink" style="margin:28px 0 4px;font-size:16px;line-height:1.4;font-weight:650;color:${INK}">${part.schedule}</h2>` : ''}
<table ${isSchedule ? '' : raw('role="presentation" ')}width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 20px;font-family:${FONT};font-size:15px;line-height:1.45">
${rows.map(
  ([name, value], index) =>
    html`<tr><td class="quiet line" align="${start}" valign="top" style="padding:11px 0;${raw(ruleOf(index))}color:${QUIET};${raw(breakOf(name, room.nameLengthMax))}">${wordsHtml(name, room)}</td><td class="ink line${value.length <= ONE_LINE_MAX ? ' value' : ''}" align="${end}" valign="top" style="padding:11px 0;padding-inline-start:16px;${raw(ruleOf(index))}color:${INK};font-weight:600;font-variant-numeric:tabular-nums;${raw(breakOf(value, COLUMN_LENGTH_MAX))}"><bdi>${wordsHtml(value, room)}</bdi></td></tr>
`,
)}</table>
`;
}

const languageOf = ({ locale }: { locale?: string }) =>
  locale === undefined ? '' : html` lang="${locale}" dir="auto"`;

/** Characters of a value that a wide screen shows in one line. */
const ONE_LINE_MAX = 34;
/** The number of characters that fit in a column of a phone, and in both columns together. */
const COLUMN_LENGTH_MAX = 20;
const ROW_LENGTH_MAX = 28;

/** What must not be broken in a table on a phone, whose rows share the column widths. */
interface Room {
  /** Numbers such as RE-2026-0117 fit in one line. */
  isWhole: boolean;
  /** The number of characters of a word that fit in the column of names. */
  nameLengthMax: number;
}

/** Amounts contain other kinds of spaces, which keep them whole. */
const wordsOf = (text: string) => text.split(' ');
/** The parts of a host, an event type or a number after which a line may break. */
const piecesOf = (word: string) => word.split(/(?<=-)|(?<=\p{L}\.)(?=\p{L})/u);
const lengthsOf = (texts: readonly string[]) => texts.map(({ length }) => length);
/** Longer ones are broken anyway. */
const longestOf = (texts: readonly string[]) =>
  Math.max(0, ...lengthsOf(texts).filter((length) => length <= COLUMN_LENGTH_MAX));

function roomOf(rows: readonly (readonly [name: string, value: string])[]): Room {
  const names = rows.flatMap(([name]) => wordsOf(name));
  const values = rows.flatMap(([, value]) => wordsOf(value));
  return {
    isWhole: longestOf(names) + longestOf(values) <= ROW_LENGTH_MAX,
    nameLengthMax: Math.min(COLUMN_LENGTH_MAX, ROW_LENGTH_MAX - longestOf(values.flatMap(piecesOf))),
  };
}

function wordsHtml(text: string, { isWhole }: Room): Markup {
  return html`${wordsOf(text).map((word, index) => {
    // The punctuation after a number belongs to the sentence.
    const [, bare = '', sign = ''] = /^(.*?)([^\p{L}\d)]*)$/su.exec(word) ?? [];
    const [first, ...others] = isWhole ? [bare] : piecesOf(bare);
    const pieces = html`${first}${others.map((piece) => html`<wbr>${piece}`)}`;
    const whole = isWhole && word.length <= COLUMN_LENGTH_MAX ? raw(' style="white-space:nowrap"') : '';
    // Next to Arabic, the hyphens and brackets of a number would change sides.
    const isNumber = /[\d\p{L}]-\d/u.test(bare);
    return html`${index === 0 ? '' : ' '}${isNumber ? html`<bdi${whole}>${pieces}</bdi>` : pieces}${sign}`;
  })}`;
}

/** Ids, causes and names can be longer than their column: they are broken by syllables if possible. */
function breakOf(text: string, lengthMax: number): string {
  const isLonger = lengthsOf(wordsOf(text).flatMap(piecesOf)).some((length) => length > lengthMax);
  return isLonger ? 'hyphens:auto;overflow-wrap:anywhere;word-break:break-word' : 'overflow-wrap:normal';
}

const ruleOf = (index: number) => (index === 0 ? '' : `border-top:1px solid ${LINE};`);

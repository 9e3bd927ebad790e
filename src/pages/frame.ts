/** The frame of every page: head, the platform's name, help, and the choice of language. */
import { LANGUAGES, type Language } from '#kernel/language';
import { localeOf, type MessageKey, type Translator } from '#messages';
import type { PlatformView } from '#modules/checkout';
import { ASSETS } from './assets.ts';
import { brandPathOf } from './brand.ts';
import { flag, html, type Markup } from './markup.ts';
import type { RelativeLinks } from './relative-links.ts';
import { sentenceWith } from './sentence.ts';

export interface Frame {
  links: RelativeLinks;
  translator: Translator;
  /** Null if the platform is unknown. */
  platform: PlatformView | null;
  title: string;
  /** The title begins with the word for an error, because a screen reader reads it first. */
  hasErrors?: boolean;
  /** Next to the content; on a phone, above it. */
  aside?: Markup;
  content: Markup;
  /** Below the name of the platform, directly above the content. */
  nav?: Markup;
  /** The description of the pages, in the footer. */
  secure?: MessageKey;
  /** The page to which a change of language returns, and the version of the checkout; absent if the language cannot be changed. */
  language?: { at: string; version: number };
  footer?: Markup;
  /** Nothing on the page is real. */
  isSandbox?: boolean;
}

export function pageFrame(frame: Frame): string {
  const { translator, platform, links, aside, content, isSandbox = false, nav } = frame;
  return String(html`<!doctype html>
<html lang="${translator.locale}" dir="${translator.direction}">
<head>
<meta charset="utf-8">
<title>${documentTitle(frame)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<link rel="icon" href="${links.root}${ASSETS.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${links.root}${ASSETS.style}">
${
  platform?.brandColor &&
  html`<link rel="stylesheet" href="${links.root}${brandPathOf(platform.brandColor)}">
`
}<script type="module" src="${links.root}${ASSETS.script}"></script>
</head>
<body>
<a class="skip" href="#content">${translator.text('common.skip')}</a>
${platform && html`<header class="top"><div class="wide">${brand(platform, links)}${isSandbox && html`<p class="sandbox">${translator.text('common.sandbox')}</p>`}</div>${nav}</header>`}
<div class="wide ${aside ? 'pair' : 'alone'}${nav && ' near'}">
${aside}
<main id="content" tabindex="-1">
${content}
</main>
</div>
${footer(frame)}
</body>
</html>
`);
}

function documentTitle({ title, hasErrors, platform, translator }: Frame): string {
  const shown = hasErrors ? translator.text('common.error_title', { title }) : title;
  return platform
    ? translator.text('common.document_title', { title: shown, platform: platform.name })
    : shown;
}

/** The logo replaces the name, which becomes its alternative text. */
function brand({ name, logo }: PlatformView, { root }: RelativeLinks): Markup {
  if (logo === null) return html`<p class="brand">${name}</p>`;
  return html`<p class="brand"><img src="${root}logos/${logo}" alt="${name}" height="40"></p>`;
}

function footer({
  platform,
  translator,
  links,
  language,
  footer: more,
  secure = 'common.secure',
}: Frame): Markup | null {
  if (!platform) return null;
  return html`<footer class="wide">
<div class="foot">
<p>${help(platform, translator)}</p>
<p class="secure"><svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true"><path d="M4.5 7V5a3.5 3.5 0 0 1 7 0v2M3 7h10v7H3z" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/></svg>${translator.text(secure, { platform: platform.name })}</p>
${legalLinks(platform, translator)}
${more}
</div>
${language && languageChooser(translator, links, language)}
</footer>`;
}

/** The platform's own pages. They open in a new window, because the checkout would lose the typed values. */
function legalLinks(platform: PlatformView, translator: Translator): Markup | null {
  const links = [
    ['common.privacy', platform.privacyUrl],
    ['common.terms', platform.termsUrl],
    ['common.imprint', platform.imprintUrl],
  ] as const;
  const items = links.flatMap(([name, url]) =>
    url === null ? [] : [html`<a href="${url}" target="_blank" rel="noopener">${translator.text(name)}</a> `],
  );
  return items.length === 0 ? null : html`<p class="legal">${items}</p>`;
}

function help({ name, helpEmail }: PlatformView, translator: Translator): Markup {
  if (helpEmail === null) return html`${translator.text('common.help_plain', { platform: name })}`;
  const link = html`<bdi><a href="mailto:${helpEmail}">${helpEmail}</a></bdi>`;
  return sentenceWith(translator, 'common.help', { platform: name }, { email: link });
}

function languageChooser(
  translator: Translator,
  { folder }: RelativeLinks,
  { at, version }: { at: string; version: number },
): Markup {
  return html`<form class="language" method="post" action="${folder}language">
<input type="hidden" name="at" value="${at}"><input type="hidden" name="version" value="${version}">
<label for="language">${translator.text('common.language')}</label>
<div class="row"><select id="language" name="language" autocomplete="off">
${languageOptions(translator.language)}</select>
<button class="quiet">${translator.text('common.language_apply')}</button></div>
</form>`;
}

/** The options of a choice of language. */
export function languageOptions(chosen: string): Markup {
  return html`${NAMES.map(
    ([language, locale, name]) =>
      html`<option value="${language}" lang="${locale}"${flag('selected', language === chosen)}>${name}</option>
`,
  )}`;
}

/** Each language under its own name, sorted by these names. */
const NAMES = LANGUAGES.map((language): [Language, string, string] => {
  const locale = localeOf(language);
  const name = new Intl.DisplayNames(locale, { type: 'language' }).of(language.toLowerCase()) ?? language;
  return [language, locale, name.charAt(0).toLocaleUpperCase(locale) + name.slice(1)];
}).sort(([, , one], [, , other]) => one.localeCompare(other, 'en'));

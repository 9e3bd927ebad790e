/** Icons of an outcome. They are decoration: the text next to them has the same meaning. */
import { html, type Markup } from './markup.ts';

const icon = (tone: string, drawing: Markup) =>
  html`<svg class="tone ${tone}" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"><circle cx="24" cy="24" r="22" stroke="none"/>${drawing}</svg>`;

export const TONES = {
  good: icon('good', html`<path d="M15 24.5l6.5 6.5L33.5 18"/>`),
  waiting: icon('waiting', html`<path d="M24 14v10.5l6.5 4"/>`),
  over: icon('over', html`<path d="M16 24h16"/>`),
} as const;

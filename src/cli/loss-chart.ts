/** The losses of two policies by vintage, as an SVG picture or as bars of text. */
import { html } from 'hono/html';
import { type Currency, minorDigits } from '#kernel/currency';
import type { Vintage } from '#modules/underwriting';
import { wholeUnits } from './amount-text.ts';

/** The vintages of one currency under both policies. */
export interface ChartedLosses {
  currency: Currency;
  old: readonly Vintage[];
  new: readonly Vintage[];
}

export interface ChartTitles {
  old: string;
  new: string;
  /** The day of the figures: 2026-11-22. */
  asOf: string;
}

const lostOf = ({ stillOpen, netLoss }: Vintage) => stillOpen + netLoss;
/** Fewer than 12 months have passed since some of its decisions: more losses may follow. */
export const isOpen = ({ after }: Vintage) => after[12] === null;

const BAR_LENGTH_MAX = 40;

/** Prints two bars per month. The bar of the largest loss has 40 characters. */
export function printLossBars(charts: readonly ChartedLosses[], titles: ChartTitles): void {
  for (const { currency, old, new: renewed } of charts) {
    const longest = Math.max(1, ...[...old, ...renewed].map(lostOf));
    const bar = (vintage: Vintage, sign: string) =>
      `${sign.repeat(Math.ceil((Math.max(0, lostOf(vintage)) / longest) * BAR_LENGTH_MAX))} ${wholeUnits(lostOf(vintage), currency)}`.trimStart();
    console.log(`\nLost by month of the decision, ${currency}: █ ${titles.old}  ░ ${titles.new}  … open\n`);
    old.forEach((vintage, index) => {
      console.log(`${vintage.month}${isOpen(vintage) ? ' …' : '  '} ${bar(vintage, '█')}`);
      const other = renewed[index];
      if (other) console.log(`${' '.repeat(9)} ${bar(other, '░')}`);
    });
  }
}

const WIDTH = 960;
const HEAD = 96;
const LEFT = 96;
const RIGHT = 24;
const PANEL = 200;
const PANEL_GAP = 80;
const SECTION = 2 * (PANEL + PANEL_GAP) + 24;
const COLOURS = {
  old: '#8d99ae',
  new: '#0a6c74',
  text: '#1f2933',
  quiet: '#5f6c7b',
  line: '#dfe4ea',
  open: '#f3f5f7',
};

type Svg = ReturnType<typeof html>;

/** The chart, for each currency: the lost amount, and its share of the used amount. */
export async function lossChartSvg(charts: readonly ChartedLosses[], titles: ChartTitles): Promise<string> {
  const height = HEAD + Math.max(1, charts.length) * SECTION;
  const picture = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="12" fill="${COLOURS.text}" role="img" aria-label="Losses by vintage">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="${LEFT}" y="34" font-size="20" font-weight="600">Losses by vintage</text>
<text x="${LEFT}" y="56" fill="${COLOURS.quiet}">By the month of the decision, as known on ${titles.asOf}. Shaded months are open: more losses may follow within the 12 months.</text>
${legendOf(titles)}
${charts.map((chart, index) => sectionOf(chart, HEAD + index * SECTION))}
</svg>
`;
  return String(await picture);
}

function legendOf(titles: ChartTitles): Svg {
  const entry = (x: number, colour: string, title: string) =>
    html`<rect x="${x}" y="70" width="12" height="12" rx="2" fill="${colour}"/><text x="${x + 18}" y="80">${title}</text>`;
  const second = LEFT + 60 + 7 * Math.min(60, titles.old.length);
  return html`${entry(LEFT, COLOURS.old, titles.old)}${entry(second, COLOURS.new, titles.new)}`;
}

function sectionOf({ currency, old, new: renewed }: ChartedLosses, top: number): Svg {
  const share = (vintage: Vintage) => (vintage.used === 0 ? 0 : (lostOf(vintage) / vintage.used) * 100);
  const units = (vintage: Vintage) => lostOf(vintage) / 10 ** minorDigits(currency);
  const panels = [
    { title: `Lost, ${currency}`, figureOf: units, format: (value: number) => value.toLocaleString('en') },
    { title: `Lost of what was used, percent`, figureOf: share, format: (value: number) => `${value} %` },
  ];
  return html`${panels.map((panel, index) =>
    panelOf(old, renewed, { ...panel, top: top + 36 + index * (PANEL + PANEL_GAP) }),
  )}`;
}

interface Panel {
  title: string;
  top: number;
  figureOf(vintage: Vintage): number;
  format(value: number): string;
}

function panelOf(
  old: readonly Vintage[],
  renewed: readonly Vintage[],
  { title, top, figureOf, format }: Panel,
): Svg {
  const step = tickStep(Math.max(0, ...[...old, ...renewed].map(figureOf)));
  const ticks = Math.max(1, Math.ceil(Math.max(0, ...[...old, ...renewed].map(figureOf)) / step));
  const y = (value: number) => top + PANEL - (Math.max(0, value) / (step * ticks)) * PANEL;
  const slot = (WIDTH - LEFT - RIGHT) / Math.max(1, old.length);
  const width = Math.min(18, slot * 0.36);
  const bar = (vintage: Vintage | undefined, x: number, colour: string) =>
    vintage && figureOf(vintage) > 0
      ? html`<rect x="${round(x)}" y="${round(y(figureOf(vintage)))}" width="${round(width)}" height="${round(top + PANEL - y(figureOf(vintage)))}" rx="1.5" fill="${colour}"${isOpen(vintage) ? html` fill-opacity="0.15" stroke="${colour}" stroke-dasharray="3 2"` : ''}><title>${vintage.month}: ${format(round(figureOf(vintage)))}</title></rect>`
      : '';
  const firstOpen = old.findIndex(isOpen);
  return html`<text x="${LEFT}" y="${top - 14}" font-weight="600">${title}</text>
${firstOpen === -1 ? '' : openMonths(LEFT + firstOpen * slot, top)}
${Array.from({ length: ticks + 1 }, (_, nth) => html`<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${round(y(nth * step))}" y2="${round(y(nth * step))}" stroke="${nth === 0 ? COLOURS.quiet : COLOURS.line}"/><text x="${LEFT - 10}" y="${round(y(nth * step) + 4)}" text-anchor="end" fill="${COLOURS.quiet}">${format(round(nth * step))}</text>`)}
${old.map((vintage, index) => {
  const middle = LEFT + (index + 0.5) * slot;
  return html`${bar(vintage, middle - width - 1, COLOURS.old)}${bar(renewed[index], middle + 1, COLOURS.new)}${monthLabel(vintage.month, middle, index, top + PANEL, Math.ceil(34 / slot))}`;
})}`;
}

/** Shades the months from the first open one on, because a missing bar there does not mean that there is no loss. */
function openMonths(x: number, top: number): Svg {
  return html`<rect x="${round(x)}" y="${top}" width="${round(WIDTH - RIGHT - x)}" height="${PANEL}" fill="${COLOURS.open}"/><text x="${round(x + 8)}" y="${top + 16}" fill="${COLOURS.quiet}">open</text>`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The month below its bars: every `every`th one if there are many, with the year at the first and at each January. */
function monthLabel(month: string, x: number, index: number, bottom: number, every: number): Svg | '' {
  const [year = '', number = '1'] = month.split('-');
  const isYearShown = index === 0 || number === '01';
  const name = index % every === 0 ? MONTHS[Number(number) - 1] : '';
  if (!isYearShown && name === '') return '';
  return html`<text x="${round(x)}" y="${bottom + 16}" text-anchor="middle" fill="${COLOURS.quiet}">${name}</text>${isYearShown ? html`<text x="${round(x)}" y="${bottom + 32}" text-anchor="middle" font-weight="600">${year}</text>` : ''}`;
}

/** 1, 2 or 5 times a power of ten, so that at most five steps reach the largest value. */
function tickStep(largest: number): number {
  const rough = Math.max(largest / 5, 0.001);
  const power = 10 ** Math.floor(Math.log10(rough));
  return (([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) as number) * power;
}

const round = (value: number) => Math.round(value * 100) / 100;

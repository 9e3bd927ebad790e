/** A QR code as a picture in the page. */
import encodeQr from 'qr';
import { html, type Markup } from '#pages/markup';

/** The quiet zone that ISO/IEC 18004 requires, in modules. */
const BORDER = 4;

/** Black on white in dark pages too, because banking apps cannot read it otherwise. @param label Its purpose, for screen readers. */
export function qrCode(text: string, label: string): Markup {
  // EPC069-12 requires the error correction M.
  const rows = encodeQr(text, 'raw', { ecc: 'medium', border: BORDER });
  const size = rows.length;
  const path = rows.flatMap((row, y) => runsOf(row).map(([x, width]) => `M${x} ${y}h${width}v1h-${width}z`));
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="M0 0h${size}v${size}h-${size}z" fill="#fff"/><path d="${path.join('')}"/></svg>`;
}

/** The dark runs of a row: start and width. A path for each module would be several times as long. */
function runsOf(row: readonly boolean[]): [x: number, width: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    if (!isDark) return;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}

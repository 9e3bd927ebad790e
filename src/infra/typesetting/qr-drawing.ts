/** A QR code as a drawing: one path of SVG, with the quiet zone of four modules that the standard asks for. */
import encodeQR from 'qr';

const QUIET_MODULES = 4;

/** Error correction M (15 %), as EPC069-12 asks for. Throws for a text that no QR code holds: more than 2,331 bytes. */
export function qrDrawing(text: string): string {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_MODULES });
  const side = modules.length;
  const runs = modules.flatMap((row, y) =>
    runsOf(row).map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`),
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">` +
    `<rect width="${side}" height="${side}" fill="#fff"/><path d="${runs.join('')}" fill="#000"/></svg>`
  );
}

/** Where dark modules begin in a row, and how many follow each other. */
function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = [];
  row.forEach((isDark, x) => {
    const last = runs.at(-1);
    if (!isDark) return;
    if (last && last[0] + last[1] === x) last[1] += 1;
    else runs.push([x, 1]);
  });
  return runs;
}

/** Which characters a font has: the `cmap` table of an OpenType font, in its formats 4 and 12. */

const UNICODE = 0;
const WINDOWS = 3;

/** The code points that the font draws. */
export function charactersOf(font: Buffer): Set<number> {
  const characters = new Set<number>();
  const cmap = tableAt(font, 'cmap');
  if (cmap === null) return characters;
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index += 1) {
    const record = cmap + 4 + 8 * index;
    const platform = font.readUInt16BE(record);
    if (platform !== UNICODE && platform !== WINDOWS) continue;
    const map = cmap + font.readUInt32BE(record + 4);
    const format = font.readUInt16BE(map);
    if (format === 4) addSegments(font, map, characters);
    if (format === 12) addGroups(font, map, characters);
  }
  return characters;
}

function tableAt(font: Buffer, tag: string): number | null {
  for (let index = 0; index < font.readUInt16BE(4); index += 1) {
    const record = 12 + 16 * index;
    if (font.toString('latin1', record, record + 4) === tag) return font.readUInt32BE(record + 8);
  }
  return null;
}

/** Format 4: segments of the first 65,536 code points. Glyph 0 means that there is none. */
function addSegments(font: Buffer, map: number, characters: Set<number>): void {
  const bytes = font.readUInt16BE(map + 6);
  const [ends, starts, deltas, offsets] = [
    map + 14,
    map + 16 + bytes,
    map + 16 + 2 * bytes,
    map + 16 + 3 * bytes,
  ];
  for (let at = 0; at < bytes; at += 2) {
    const start = font.readUInt16BE(starts + at);
    const delta = font.readUInt16BE(deltas + at);
    const offset = font.readUInt16BE(offsets + at);
    for (let code = start; code <= font.readUInt16BE(ends + at) && code < 0xffff; code += 1) {
      const listed = offset === 0 ? code : font.readUInt16BE(offsets + at + offset + 2 * (code - start));
      const isGlyph = offset !== 0 && listed === 0 ? false : ((listed + delta) & 0xffff) !== 0;
      if (isGlyph) characters.add(code);
    }
  }
}

/** Format 12: groups of all code points. */
function addGroups(font: Buffer, map: number, characters: Set<number>): void {
  for (let index = 0; index < font.readUInt32BE(map + 12); index += 1) {
    const group = map + 16 + 12 * index;
    for (let code = font.readUInt32BE(group); code <= font.readUInt32BE(group + 4); code += 1)
      characters.add(code);
  }
}

/** Preloaded into a program whose real time is to be another: `Date` is ahead by SHIFTED_SECONDS, which may be below 0. */
const shiftMs = Number(process.env.SHIFTED_SECONDS) * 1_000;

globalThis.Date = class extends Date {
  constructor(...parts) {
    if (parts.length === 0) super(Date.now());
    else super(...parts);
  }

  static now() {
    return super.now() + shiftMs;
  }
};

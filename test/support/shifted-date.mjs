/** Preloaded into a program whose real time is to be another: `Date` is ahead by SHIFTED_SECONDS, which may be below 0. */
const RealDate = Date;
const shiftMs = Number(process.env.SHIFTED_SECONDS) * 1_000;
const now = () => RealDate.now() + shiftMs;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }
};
globalThis.Date.now = now;

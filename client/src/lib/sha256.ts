/** SHA-256 for pages without HTTPS, for instance in a home network, where browsers offer none. */
const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
};
/** The first 32 bits of the fractional part. */
const fraction = (n: number): number => ((n - Math.floor(n)) * 2 ** 32) | 0;
const rotated = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

const ROUNDS = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

export function sha256(bytes: Uint8Array): Uint8Array {
  const blocks = Math.ceil((bytes.length + 9) / 64);
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(blocks * 64 - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(blocks * 64 - 4, bytes.length << 3);
  const state = START.slice();
  const words = new Int32Array(64);
  for (let block = 0; block < blocks; block++) {
    for (let t = 0; t < 64; t++) {
      if (t < 16) words[t] = padded.getInt32(block * 64 + t * 4);
      else {
        const early = words[t - 15]!;
        const late = words[t - 2]!;
        const small = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
        const large = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
        words[t] = words[t - 16]! + small + words[t - 7]! + large;
      }
    }
    let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
    for (let t = 0; t < 64; t++) {
      const large = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
      const one = (h + large + ((e & f) ^ (~e & g)) + ROUNDS[t]! + words[t]!) | 0;
      const two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index] = (state[index]! + word) | 0));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => digest.setInt32(index * 4, word));
  return new Uint8Array(digest.buffer);
}

// SHA-256 (FIPS 180-4) and HMAC-SHA-256 (RFC 2104). Browsers offer them (crypto.subtle) only over https and on localhost, but a table in a
// home network is on plain http.

const FIRST = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]
const ROUND = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
]
const BLOCK = 64

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** The message, a one bit, zeros, and its length in bits, in whole blocks. */
function padded(message: Uint8Array): DataView {
  const bytes = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK)
  bytes.set(message)
  bytes[message.length] = 0x80
  const view = new DataView(bytes.buffer)
  view.setUint32(bytes.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(bytes.length - 4, message.length << 3)
  return view
}

export function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(FIRST)
  const view = padded(message)
  const words = new Uint32Array(64)
  for (let at = 0; at < view.byteLength; at += BLOCK) {
    for (let t = 0; t < 16; t++) words[t] = view.getUint32(at + 4 * t)
    for (let t = 16; t < 64; t++) {
      const small0 = turned(words[t - 15], 7) ^ turned(words[t - 15], 18) ^ (words[t - 15] >>> 3)
      const small1 = turned(words[t - 2], 17) ^ turned(words[t - 2], 19) ^ (words[t - 2] >>> 10)
      words[t] = words[t - 16] + small0 + words[t - 7] + small1
    }
    let [a, b, c, d, e, f, g, h] = state
    for (let t = 0; t < 64; t++) {
      const big1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
      const one = (h + big1 + ((e & f) ^ (~e & g)) + ROUND[t] + words[t]) | 0
      const big0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
      const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
    }
    ;[a, b, c, d, e, f, g, h].forEach((word, n) => (state[n] += word))
  }
  const hash = new DataView(new ArrayBuffer(32))
  state.forEach((word, n) => hash.setUint32(4 * n, word))
  return new Uint8Array(hash.buffer)
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK)
  block.set(key.length > BLOCK ? sha256(key) : key)
  const inner = sha256(joined(block.map((byte) => byte ^ 0x36), message))
  return sha256(joined(block.map((byte) => byte ^ 0x5c), inner))
}

export function joined(...parts: Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

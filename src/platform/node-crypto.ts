/** What is used of it. In our own words, so that the types of the library need none of Node's. */
interface NodeCrypto {
  createHash(algorithm: string): Digest;
  createHmac(algorithm: string, key: Uint8Array): Digest;
  randomBytes(size: number): RandomBytes;
  randomUUID(): string;
}

export interface Digest {
  update(data: string | Uint8Array, encoding?: "latin1"): Digest;
  digest(encoding: "hex"): string;
}

interface RandomBytes extends Uint8Array {
  toString(encoding?: "hex"): string;
}

/** Loading the module takes 4 ms, so it is loaded when it is needed: most commands do not need it. */
export const nodeCrypto = (): NodeCrypto => process.getBuiltinModule("node:crypto");

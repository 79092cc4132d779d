// Loading the module takes 4 ms, and a claim in an unchanged plan needs none of it.
const nodeCrypto = () => process.getBuiltinModule("node:crypto");

/** In lower-case hex. */
export const sha256 = (content: string | Uint8Array): string =>
  nodeCrypto().createHash("sha256").update(content).digest("hex");

export const newId = (): string => nodeCrypto().randomUUID();

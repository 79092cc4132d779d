import { nodeCrypto } from "../index.ts";

/** In lower-case hex. */
export const sha256 = (content: string | Uint8Array): string =>
  nodeCrypto().createHash("sha256").update(content).digest("hex");

export const newId = (): string => nodeCrypto().randomUUID();

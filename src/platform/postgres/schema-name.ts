import { sha256 } from "../os/index.ts";

/** PostgreSQL cuts longer names off without a word. */
const LONGEST_NAME = 63;

/** Two ids never share a schema: one that cannot stand as it is carries a piece of its hash. */
export function schemaName(repositoryId: string): string {
  const plain = `pawl_${repositoryId}`;
  if (/^[a-z0-9_]+$/.test(plain) && plain.length <= LONGEST_NAME) return plain;
  const hash = sha256(repositoryId).slice(0, 16);
  return `${plain
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, "_")
    .slice(0, 40)}_${hash}`;
}

import { Failure } from "../../domain/index.ts";

const OLDEST_SERVER = 130_000;

/** Versions before 13 cannot tell what became of a transaction by its 64-bit number. */
export function refuseOldServer(
  server: { readonly number: number; readonly name: string } | undefined,
  where: string,
): void {
  if (server && server.number >= OLDEST_SERVER) return;
  throw new Failure(
    "store/engine-too-old",
    `${where} runs PostgreSQL ${server?.name ?? "of an unknown version"}; Pawl needs 13 or newer.`,
    { server: where, server_version: server?.name ?? null },
    { hint: "Have the server updated to PostgreSQL 13 or newer." },
  );
}

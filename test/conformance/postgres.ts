import { randomUUID } from "node:crypto";
import { openPostgres } from "../../src/platform/postgres/open-postgres.ts";
import type { OpenStore } from "./store.ts";

/** A new schema of its own on a server, for each that opens one. */
export const openNewPostgres =
  (url: () => string): OpenStore =>
  () =>
    openPostgres({ url: url(), repositoryId: randomUUID().replaceAll("-", ""), create: true });

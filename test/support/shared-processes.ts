import { inject } from "vitest";
import type { PostgresServer } from "./postgres-server.ts";

const askFor = async <T>(what: "postgres" | "browser"): Promise<T> => {
  const response = await fetch(`${inject("sharedProcesses")}/${what}`);
  if (!response.ok) throw new Error(`no ${what}: ${await response.text()}`);
  return (await response.json()) as T;
};

export const sharedPostgres = (): Promise<Pick<PostgresServer, "url" | "port">> => askFor("postgres");

export const sharedBrowserEndpoint = async (): Promise<string> =>
  (await askFor<{ endpoint: string }>("browser")).endpoint;

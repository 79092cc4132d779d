import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserServer } from "playwright-core";
import type { TestProject } from "vitest/node";
import { launchServer } from "../../scripts/browser.mjs";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly sharedProcesses: string;
  }
}

/**
 * What all test files of a project share: one PostgreSQL server and one browser, each started when a file first asks
 * for it, because many runs are of one file that needs neither.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  let postgres: Promise<PostgresServer> | undefined;
  let browser: Promise<BrowserServer> | undefined;
  const answers: Readonly<Record<string, () => Promise<object>>> = {
    "/postgres": async () => {
      const { url, port } = await (postgres ??= startPostgres());
      return { url, port };
    },
    "/browser": async () => ({ endpoint: (await (browser ??= launchServer())).wsEndpoint() }),
  };
  const server = createServer((request, response) => {
    const answer = answers[request.url ?? ""]?.() ?? Promise.reject(new Error("there is no such process"));
    answer.then(
      (found) => response.end(JSON.stringify(found)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  project.provide("sharedProcesses", `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return async () => {
    server.closeAllConnections();
    server.close();
    await Promise.allSettled([
      postgres?.then((started) => started.stop()),
      browser?.then((started) => started.close()),
    ]);
  };
}

import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { connect, withClient } from "./connection.ts";

const sockets = new Set<Socket>();
let server: Server | undefined;

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

const message = (kind: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(kind), length, body]);
};

const WELCOME = message("R", Buffer.alloc(4));
const READY = message("Z", Buffer.from("I"));
const SENT_AWAY = message("E", Buffer.from("SFATAL\0C57P01\0Mterminating connection\0\0"));

/** A server that takes a connection and ends it in the same breath. */
async function rudeServer(): Promise<string> {
  const listening = createServer((socket) => {
    sockets.add(socket);
    socket.once("data", () => socket.end(Buffer.concat([WELCOME, READY, SENT_AWAY])));
  });
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  return `postgres://pawl:x@127.0.0.1:${(listening.address() as AddressInfo).port}/pawl?sslmode=disable`;
}

test("a connection that ends in the moment it is handed over fails its work, not the process", async () => {
  const pool = await connect(await rudeServer());
  await expect(withClient(pool, (client) => client.query("select 1"))).rejects.toThrow(/queryable|terminat/i);
  await pool.end();
});

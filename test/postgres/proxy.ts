import { connect, createServer, type Socket } from "node:net";
import { isRequestForTls, messageReader, queryOf } from "./wire.ts";

/** What becomes of a connection after one message of its client. */
export type Fate =
  /** The message is passed on, as usual. */
  | "pass"
  /** The message goes to the server; then the connection is cut, before the client hears an answer. */
  | "cut-after"
  /** The connection is cut, and the server never sees the message. */
  | "cut-before"
  /** From here on nothing passes in either direction, and neither side notices. */
  | "swallow";

export interface Proxy {
  readonly port: number;
  /** The same URL by way of the proxy. */
  readonly through: (url: string) => string;
  readonly close: () => Promise<void>;
}

/** Stands between clients and a server, reads what the clients ask, and decides what arrives. */
export async function startProxy(
  target: number,
  decide: (query: { readonly name: string; readonly text: string }, connection: number) => Fate = () =>
    "pass",
): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((client) => {
    const number = (connections += 1);
    const upstream = connect(target, "127.0.0.1");
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    client.on("close", () => upstream.end());
    upstream.on("close", () => client.end());
    relay(client, upstream, (query) => decide(query, number));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { port: number };
  return {
    port,
    through: (url) => url.replace(/:\d+\//, `:${port}/`),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function relay(
  client: Socket,
  upstream: Socket,
  decide: (query: { name: string; text: string }) => Fate,
): void {
  const read = messageReader(true);
  let open = true;
  upstream.on("data", (chunk) => {
    if (open) client.write(chunk);
  });
  client.on("data", (chunk) => {
    if (!open) return;
    for (const message of read(chunk)) {
      // Encrypted bytes are none of our business; tests of encryption use no proxy.
      if (message.type === "" && isRequestForTls(message.bytes)) client.write("N");
      else {
        const query = queryOf(message);
        const fate = query ? decide(query) : "pass";
        if (fate === "pass" || fate === "cut-after") upstream.write(message.bytes);
        if (fate === "pass") continue;
        open = false;
        if (fate === "swallow") return;
        // The server must get what was written before the connection ends.
        if (fate === "cut-after") upstream.end();
        else upstream.destroy();
        client.destroy();
        return;
      }
    }
  });
}

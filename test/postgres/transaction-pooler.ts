import { createServer, type Socket } from "node:net";
import { Client } from "pg";
import { isRequestForTls, message, type Message, messageReader, queryOf } from "./wire.ts";

/**
 * A transaction pooler, as small as one can be: each transaction of a client goes to another connection of the server
 * than the one before it, and nothing of a client stays behind.
 */
export interface Pooler {
  readonly url: string;
  /** Everything that clients asked, in order. */
  readonly queries: readonly { readonly name: string; readonly text: string }[];
  /** How many transactions ran on each connection of the server. */
  readonly used: readonly number[];
  readonly close: () => Promise<void>;
}

interface Backend {
  readonly client: Client;
  readonly socket: Socket;
  used: number;
  busy: boolean;
}

export async function startPooler(serverUrl: string, size: number): Promise<Pooler> {
  const backends = await Promise.all(Array.from({ length: size }, () => connectBackend(serverUrl)));
  const queries: { name: string; text: string }[] = [];
  const waiting: ((backend: Backend) => void)[] = [];
  const clients = new Set<Socket>();
  let next = 0;
  /** In turn, never the same twice in a row while another is free. */
  const take = async (): Promise<Backend> => {
    for (let tried = 0; tried < size; tried += 1) {
      next = (next + 1) % size;
      const backend = backends[next]!;
      if (!backend.busy) {
        backend.busy = true;
        backend.used += 1;
        return backend;
      }
    }
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  };
  const giveBack = (backend: Backend): void => {
    backend.socket.removeAllListeners("data");
    const first = waiting.shift();
    if (first) {
      backend.used += 1;
      first(backend);
    } else backend.busy = false;
  };
  const server = createServer((client) => {
    clients.add(client);
    client.on("error", () => undefined).on("close", () => clients.delete(client));
    serve(client, { take, giveBack, saw: (query) => queries.push(query) });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { port: number };
  return {
    url: serverUrl.replace(/@[^/]*\//, `@127.0.0.1:${port}/`),
    queries,
    get used() {
      return backends.map((backend) => backend.used);
    },
    async close() {
      for (const client of clients) client.destroy();
      for (const { socket } of backends) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

/** The driver proves the password; afterwards only its socket is used. */
async function connectBackend(url: string): Promise<Backend> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  const { stream: socket } = (client as unknown as { connection: { stream: Socket } }).connection;
  for (const event of ["data", "end", "close"]) socket.removeAllListeners(event);
  socket.on("error", () => undefined);
  return { client, socket, used: 0, busy: false };
}

interface House {
  readonly take: () => Promise<Backend>;
  readonly giveBack: (backend: Backend) => void;
  readonly saw: (query: { name: string; text: string }) => void;
}

/** Messages wait while a backend is looked for; the backend is given back when the server says "idle" to the last. */
function serve(client: Socket, { take, giveBack, saw }: House): void {
  const read = messageReader(true);
  const queue: Message[] = [];
  let backend: Backend | undefined;
  let looking = false;
  let unanswered = 0;
  const listen = (taken: Backend): void => {
    const readAnswer = messageReader(false);
    taken.socket.on("data", (chunk) => {
      client.write(chunk);
      for (const answer of readAnswer(chunk)) {
        if (answer.type !== "Z") continue;
        unanswered -= 1;
        const idle = String.fromCharCode(answer.bytes[5]!) === "I";
        if (!idle || unanswered > 0 || backend !== taken) continue;
        backend = undefined;
        giveBack(taken);
      }
    });
  };
  const forward = (): void => {
    if (!backend) {
      if (!looking && queue.length > 0) {
        looking = true;
        // oxlint-disable-next-line promise/always-return -- the promise ends here
        void take().then((taken) => {
          looking = false;
          backend = taken;
          listen(taken);
          forward();
        });
      }
      return;
    }
    for (const { type, bytes } of queue.splice(0)) {
      if (type === "Q" || type === "S") unanswered += 1;
      backend.socket.write(bytes);
    }
  };
  client.on("data", (chunk) => {
    for (const one of read(chunk)) {
      if (one.type === "") welcome(client, one.bytes);
      else if (one.type === "X") client.end();
      else {
        const query = queryOf(one);
        if (query) saw(query);
        queue.push(one);
      }
    }
    forward();
  });
}

/** Lets everybody in. Keys and most settings of a real server are left out; the driver does not miss them. */
function welcome(client: Socket, bytes: Buffer): void {
  if (isRequestForTls(bytes)) {
    client.write("N");
    return;
  }
  client.write(
    Buffer.concat([
      message("R", Buffer.alloc(4)),
      message("S", Buffer.from("client_encoding\0UTF8\0")),
      message("Z", Buffer.from("I")),
    ]),
  );
}

import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { newKeys } from "./keys.ts";
import { servePage } from "./serve.ts";
import type { PageContext } from "./page-context.ts";

/** A server for which no time passes: what is used up stays so. */
async function server() {
  const keys = newKeys(() => 0);
  const context = { isReadOnly: false, newTicket: () => "one more" } as unknown as PageContext;
  const { port, close } = await servePage({ context, keys, page: new Map(), ports: [0], nowMs: () => 0 });
  onTestFinished(close);
  const origin = `http://127.0.0.1:${port}`;
  const post = async (path: string, body: object, token = ""): Promise<number> => {
    const headers = { "Content-Type": "application/json", Origin: origin, Authorization: `Bearer ${token}` };
    const answer = await fetch(`${origin}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    await answer.arrayBuffer();
    return answer.status;
  };
  return { keys, post, port };
}

it("never asks a client to continue before its request was checked", async () => {
  const { port } = await server();
  const answer = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () =>
      socket.write(
        `POST /api/act HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nExpect: 100-continue\r\nContent-Length: 9\r\nConnection: close\r\n\r\n`,
      ),
    );
    socket.on("data", (part) => {
      text += String(part);
      if (text.includes("\r\n\r\n")) socket.destroy();
    });
    socket.on("close", () => resolve(text));
  });
  expect(answer.split("\r\n")[0]).toBe("HTTP/1.1 403 Forbidden");
});

describe("connections that are only held open", () => {
  const hold = (port: number, text: string): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(text, () => resolve(socket)));
      socket.on("error", () => undefined);
      onTestFinished(() => void socket.destroy());
    });
  const answered = (socket: Socket) => new Promise((resolve) => socket.once("data", resolve));

  it("keep no other client out, however many there are", async () => {
    const { keys, post, port } = await server();
    const token = keys.exchange(keys.newTicket())!;
    for (let count = 0; count < 300; count += 1) await hold(port, "GET / HTTP/1.1\r\n");
    expect(await post("/api/ticket", {}, token)).toBe(200);
    expect(await post("/api/enter", { ticket: keys.newTicket() })).toBe(200);
  });

  it("keep no other client out after an answer either", async () => {
    const { keys, post, port } = await server();
    const token = keys.exchange(keys.newTicket())!;
    const ask = `GET /nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    for (let count = 0; count < 200; count += 1) await answered(await hold(port, ask));
    expect(await post("/api/ticket", {}, token)).toBe(200);
  });

  it("never cost those that are in their connection", async () => {
    const { keys, port } = await server();
    const token = keys.exchange(keys.newTicket())!;
    const ask = `GET /api/nothing HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
    const known = await hold(port, ask);
    await answered(known);
    for (let count = 0; count < 100; count += 1) await hold(port, "GET / HTTP/1.1\r\n");
    const again = answered(known);
    known.write(ask);
    expect(String(await again)).toMatch(/^HTTP\/1\.1 404 /);
  });
});

it("gives those that are in what is theirs, however many knock", async () => {
  const { keys, post } = await server();
  const token = keys.exchange(keys.newTicket())!;
  const answers = new Set<number>();
  for (let count = 0; count < 450; count += 1) answers.add(await post("/api/enter", { ticket: "wrong" }));
  expect(answers).toEqual(new Set([401, 429]));
  expect(await post("/api/ticket", {}, token)).toBe(200);
});

it("sets a limit for those that are in, too", async () => {
  const { keys, post } = await server();
  const token = keys.exchange(keys.newTicket())!;
  const answers: number[] = [];
  for (let count = 0; count < 401; count += 1) answers.push(await post("/api/ticket", {}, token));
  expect(answers.indexOf(429)).toBe(400);
});

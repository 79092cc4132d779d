import type { IncomingMessage } from "node:http";
import { Failure } from "../domain/index.ts";

/** A decision with its reason fits many times over. */
const MOST_BYTES = 64 * 1024;

/** The one JSON object that a call carries. A form of another page cannot send this type. */
export async function readJson(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const [type] = (request.headers["content-type"] ?? "").split(";");
  if (type?.trim().toLowerCase() !== "application/json")
    throw new Failure("ui/not-json", "This call takes only application/json.", {});
  if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return objectIn(Buffer.concat(chunks).toString("utf8"));
}

const tooLarge = (): Failure =>
  new Failure("ui/too-large", `A call can have at most ${MOST_BYTES} bytes.`, {});

function objectIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Failure("ui/not-json", "That is not JSON.", {});
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Failure("ui/not-json", "That is not a JSON object.", {});
  return value as Readonly<Record<string, unknown>>;
}

/** One message of PostgreSQL's protocol: its type, and the whole of it as it goes over the wire. */
export interface Message {
  /** Empty for the untyped messages that open a connection. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Cuts a stream of bytes into messages, however they arrive. */
export function messageReader(startsUntyped: boolean): (chunk: Buffer) => readonly Message[] {
  let rest = Buffer.alloc(0);
  let untyped = startsUntyped;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const messages: Message[] = [];
    for (;;) {
      const head = untyped ? 0 : 1;
      if (rest.length < head + 4) return messages;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return messages;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      messages.push({ type: untyped ? "" : String.fromCharCode(bytes[0]!), bytes });
      if (untyped && !isRequestForTls(bytes)) untyped = false;
    }
  };
}

const TLS_REQUEST = 80_877_103;

export const isRequestForTls = (bytes: Buffer): boolean =>
  bytes.length === 8 && bytes.readInt32BE(4) === TLS_REQUEST;

/** What a message of the client asks for: the text of a simple query, or name and text of a parsed one. */
export function queryOf({
  type,
  bytes,
}: Message): { readonly name: string; readonly text: string } | undefined {
  if (type === "Q") return { name: "", text: bytes.toString("utf8", 5, bytes.length - 1) };
  if (type !== "P") return undefined;
  const [name = "", text = ""] = bytes.toString("utf8", 5).split("\0");
  return { name, text };
}

export const message = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type, 0, "latin1");
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};

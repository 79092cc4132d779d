import { createHash, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

/** A self-signed certificate, for a server of the tests; made anew each time, so no key lies about. */
export interface SelfSigned {
  readonly certificate: string;
  readonly key: string;
}

/** X.509 version 3, by hand: Node can read certificates but not make them. */
export function selfSigned(address: readonly [number, number, number, number]): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const name = sequence(set(sequence(oid("550403"), der(0x0c, Buffer.from("pawl test")))));
  const day = (offset: number): Buffer =>
    der(
      0x17,
      Buffer.from(
        `${new Date(Date.now() + offset * 86_400_000).toISOString().slice(2, 19).replaceAll(/[-T:]/g, "")}Z`,
      ),
    );
  const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), der(0x04, value));
  const algorithm = sequence(oid("2a864886f70d01010b"), der(0x05, Buffer.alloc(0)));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))),
    integer(serialOf(publicKey)),
    algorithm,
    name,
    sequence(day(-1), day(30)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      sequence(
        extension("551d13", sequence(der(0x01, Buffer.from([0xff])))),
        extension("551d11", sequence(der(0x87, Buffer.from(address)))),
      ),
    ),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const bytes = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = bytes
    .toString("base64")
    .match(/.{1,64}/g)!
    .join("\n");
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

/** Begins with a 1, because a number must have neither a sign nor an idle zero in front. */
const serialOf = (key: KeyObject): Buffer => {
  const hash = createHash("sha256").update(key.export({ type: "spki", format: "der" }));
  return Buffer.concat([Buffer.from([1]), hash.digest().subarray(0, 7)]);
};

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => der(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => der(0x31, Buffer.concat(parts));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, "hex"));
const integer = (bytes: Buffer): Buffer => der(0x02, bytes);

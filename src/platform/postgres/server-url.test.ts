import { describe, expect, test } from "vitest";
import { Failure } from "../../domain/errors.ts";
import { readServerUrl } from "./server-url.ts";

const refusal = (url: string): Failure => {
  try {
    readServerUrl(url);
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("it was taken");
};

describe("a database URL", () => {
  test("names user, password, host, port and database, escaped where it must be", () => {
    const { config, where } = readServerUrl("postgresql://me:p%40%2Fss@db.example.com:6432/my%20state");
    expect(config).toMatchObject({
      user: "me",
      password: "p@/ss",
      host: "db.example.com",
      port: 6432,
      database: "my state",
      application_name: "pawl",
    });
    expect(where).toBe("postgres://db.example.com:6432/my state");
  });

  test("leaves to the driver what it does not say", () => {
    const { config, where } = readServerUrl("postgres://db.example.com");
    expect(config).toEqual({
      host: "db.example.com",
      user: expect.any(String) as string,
      enableChannelBinding: false,
      application_name: "pawl",
    });
    expect(where).toBe("postgres://db.example.com/");
  });

  test("may name a socket, or an address of version 6", () => {
    expect(readServerUrl("postgres:///state?host=/var/run/postgresql").config).toMatchObject({
      host: "/var/run/postgresql",
      database: "state",
    });
    expect(readServerUrl("postgres://[::1]:5433/state")).toMatchObject({
      where: "postgres://[::1]:5433/state",
      config: { host: "::1", port: 5433 },
    });
  });

  test.each([
    ["disable", false],
    ["require", { rejectUnauthorized: false }],
    ["verify-full", {}],
  ])("with sslmode=%s means what libpq takes it for", (mode, ssl) => {
    expect(readServerUrl(`postgres://db/x?sslmode=${mode}`).config.ssl).toEqual(ssl);
  });

  test("with sslmode=verify-ca takes a certificate of any name", () => {
    const { ssl } = readServerUrl("postgres://db/x?sslmode=verify-ca").config;
    expect(ssl).not.toHaveProperty("rejectUnauthorized");
    expect((ssl as { checkServerIdentity: () => unknown }).checkServerIdentity()).toBeUndefined();
  });

  const SECRET = "hush-s3cret";
  test.each([
    ["no URL at all", `just-${SECRET}`, "is not a postgres:// URL"],
    ["another protocol", `mysql://u:${SECRET}@127.0.0.1/x`, "is not a postgres:// URL"],
    ["a slash in the password", `postgres://u:${SECRET}/x@127.0.0.1/x`, "is not a postgres:// URL"],
    ["a slash behind digits in the password", `postgres://u:77/${SECRET}@127.0.0.1/x`, "must be escaped"],
    ["a hash in the password", `postgres://u:77#${SECRET}@127.0.0.1/x`, "must be escaped"],
    ["a question mark in the password", `postgres://u:77?${SECRET}@127.0.0.1/x`, "must be escaped"],
    ["a percent sign in the password", `postgres://u:%zz${SECRET}@127.0.0.1/x`, "holds a % that"],
    ["an unknown parameter", `postgres://u:${SECRET}@127.0.0.1/x?schema=a`, 'parameter "schema"'],
    ["an ampersand in the password", `postgres://h/x?user=u&password=77&${SECRET}`, "has a parameter that"],
    ["an sslmode that there is not", `postgres://u@h/x?sslmode=${SECRET}`, "an sslmode that there is not"],
    ["several hosts", `postgres://u:${SECRET}@one,two/x`, "several hosts"],
    ["a port that is none", `postgres://u:${SECRET}@127.0.0.1/x?port=${SECRET}`, "The port"],
    ["an sslmode that promises nothing", `postgres://u:${SECRET}@h/x?sslmode=prefer`, "sslmode=prefer"],
    ["a certificate that is not there", `postgres://u:${SECRET}@h/x?sslrootcert=/no/ca.pem`, "/no/ca.pem"],
  ])("is refused for %s, and nothing of it is repeated", (_what, url, said) => {
    const failure = refusal(url);
    expect(failure.problem).toBe("store/open-failed");
    expect(failure.message).toContain(said);
    const everything = JSON.stringify([failure.message, failure.hint, failure.details, failure.stack]);
    expect(everything).not.toContain(SECRET);
    expect(failure.message).not.toContain("77");
  });
});

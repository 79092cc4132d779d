import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { EXIT_CODES, Failure } from "../../domain/errors.ts";
import { postgresFailure, isAway, isCollision, isLost } from "./failures.ts";
import { retryTransient } from "./retry-transient.ts";
import { refuseOldServer } from "./refuse-old-server.ts";

const error = (code: string, message = "words of the server"): Error =>
  Object.assign(new Error(message), { code });
const told = (thrown: unknown): Failure =>
  postgresFailure(thrown, { where: "postgres://db/state" }) as Failure;

describe("what the server says", () => {
  test("loses the password, should a layer in between repeat it", () => {
    const hush = (text: string) => text.replaceAll("hush-s3cret", "***");
    for (const code of ["28000", "42P01", "08006"]) {
      const failure = postgresFailure(error(code, "hush-s3cret is wrong"), {
        where: "postgres://db/x",
        hush,
      });
      expect(inspect(failure, { depth: 5 })).not.toContain("hush-s3cret");
      expect((failure as Failure).details["code"]).toBe(code);
    }
  });

  test.each([
    ["28P01", "store/open-failed", "the password is wrong"],
    ["28000", "store/open-failed", "refuses this user (words of the server)"],
    ["3D000", "store/open-failed", "no such database (words of the server)"],
    ["42501", "store/open-failed", "lacks a right"],
    ["25006", "store/read-only", "only takes reads"],
    ["53300", "store/unreachable", "no room for more connections"],
    ["53100", "store/full", "disk is full"],
    ["57P03", "store/unreachable", "shutting down or starting"],
    ["08006", "store/unreachable", "the connection broke"],
    ["ECONNREFUSED", "store/unreachable", "nothing listens"],
    ["ENETUNREACH", "store/unreachable", "no way to that host"],
    ["CERT_HAS_EXPIRED", "store/open-failed", "certificate is not valid"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "store/open-failed", "not trusted"],
    ["XX002", "store/corrupt", "an index of the server is damaged"],
    ["42P01", "store/query-failed", "words of the server"],
  ])("with %s is %s", (code, problem, said) => {
    const failure = told(error(code));
    expect([failure.problem, failure.details["code"]]).toEqual([problem, code]);
    expect(failure.message).toContain(said);
    expect(EXIT_CODES[failure.kind]).toBe(3);
  });

  test.each([
    ["The server does not support SSL connections", "store/open-failed"],
    ["SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string", "store/open-failed"],
    ["Connection terminated due to connection timeout", "store/unreachable"],
    ["Connection terminated unexpectedly", "store/unreachable"],
    ["Client has encountered a connection error and is not queryable", "store/unreachable"],
    ["timeout exceeded when trying to connect", "store/busy"],
    ["Query read timeout", "store/unreachable"],
  ])("without a code, %s, is %s", (message, problem) => {
    expect(told(new Error(message)).problem).toBe(problem);
  });

  test("by its own guards is a bug of ours", () => {
    expect(told(error("P0001", "pawl:transition")).problem).toBe("internal/bug");
  });

  test("that Pawl does not know, and its own failures, pass as they are", () => {
    const mine = new Error("mine");
    expect(postgresFailure(mine, { where: "x" })).toBe(mine);
    const failure = new Failure("usage/wrong", "words");
    expect(postgresFailure(failure, { where: "x" })).toBe(failure);
  });
});

describe("a server", () => {
  test("older than 13 is refused, with its version", () => {
    expect(() => refuseOldServer({ number: 120_019, name: "12.19" }, "postgres://db/state")).toThrow(
      "postgres://db/state runs PostgreSQL 12.19; Pawl needs 13 or newer.",
    );
    expect(() => refuseOldServer({ number: 130_000, name: "13.0" }, "x")).not.toThrow();
  });
});

describe("trying again", () => {
  const failing = (times: number, thrown: Error) => {
    let calls = 0;
    return {
      calls: () => calls,
      attempt: async () => {
        calls += 1;
        if (calls <= times) throw thrown;
        return calls;
      },
    };
  };
  const patience = { awayMs: 200, wasThere: true, random: () => 0 };

  test("helps against collisions and broken connections", async () => {
    for (const code of ["40001", "40P01", "23505", "08006", "57P01", "25P03", "ECONNREFUSED", "53300"])
      expect(await retryTransient(failing(2, error(code)).attempt, patience), code).toBe(3);
  });

  test("ends when a key stays taken, and when everybody collides for ever", async () => {
    for (const [code, most] of [
      ["23505", 4],
      ["40001", 13],
    ] as const) {
      const { attempt, calls } = failing(1000, error(code));
      await expect(retryTransient(attempt, patience)).rejects.toMatchObject({ code });
      expect(calls(), code).toBe(most);
    }
  });

  test("does not wait for a server that was never there, but for one that starts or is full", async () => {
    const opening = { ...patience, wasThere: false };
    const { attempt, calls } = failing(1000, error("ECONNREFUSED"));
    await expect(retryTransient(attempt, opening)).rejects.toThrow();
    expect(calls()).toBe(1);
    for (const code of ["57P03", "53300"])
      expect(await retryTransient(failing(2, error(code)).attempt, opening)).toBe(3);
  });

  test("is for nothing else", async () => {
    const { attempt, calls } = failing(1, error("42P01"));
    await expect(retryTransient(attempt, patience)).rejects.toThrow();
    expect(calls()).toBe(1);
    expect([isLost(error("42P01")), isAway(error("42P01")), isCollision(error("42P01"))]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

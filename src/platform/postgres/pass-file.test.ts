import { describe, expect, test } from "vitest";
import { findPassword } from "./pass-file.ts";

const QUESTION = { host: "db", port: 5432, database: "state", user: "me" };

describe("a password file", () => {
  test("gives the password of the first line that fits", () => {
    const text = "other:5432:state:me:no\ndb:*:*:me:yes\n*:*:*:*:late\n";
    expect(findPassword(text, QUESTION)).toBe("yes");
  });

  test("has comments, and lines that are none of ours", () => {
    expect(findPassword("# db:5432:state:me:no\nshort:line\n\n*:*:*:*:yes\r\n", QUESTION)).toBe("yes");
  });

  test("writes colons and backslashes with a backslash before them", () => {
    expect(findPassword(String.raw`d\:b:5432:state:me:a\:b\\c:d`, { ...QUESTION, host: "d:b" })).toBe(
      "a:b\\c:d",
    );
    expect(findPassword(String.raw`d\\:5432:state:me:yes`, { ...QUESTION, host: "d\\" })).toBe("yes");
  });

  test("has none for another user", () => {
    expect(findPassword("db:5432:state:you:no\n", QUESTION)).toBeUndefined();
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOSTILE_CHARACTERS } from "../../test/fixtures/fake-host.ts";
import type { Issue } from "./envelope.ts";
import { envelope, plainJson } from "./envelope.ts";

const issue = (severity: Issue["severity"]): Issue => ({
  code: "E1",
  name: "a/b",
  severity,
  message: "m",
  hint: "h",
});

describe("envelope", () => {
  it("has its fields in the promised order, on one line", () => {
    expect(envelope("state claim", { claimed: true }, [])).toBe(
      '{"schema_version":"1","command":"state claim","status":"ok","data":{"claimed":true},"issues":[]}',
    );
  });

  it("is an error exactly when an issue is one", () => {
    expect(JSON.parse(envelope("x", {}, [issue("warning"), issue("info")]))).toMatchObject({ status: "ok" });
    expect(JSON.parse(envelope("x", {}, [issue("warning"), issue("error")]))).toMatchObject({
      status: "error",
    });
  });
});

describe("plainJson", () => {
  it.each(HOSTILE_CHARACTERS.map((character) => [character.codePointAt(0)?.toString(16), character]))(
    "escapes U+%s and reads back the same",
    (_, character) => {
      const json = plainJson({ [character]: character });
      expect(json).toMatch(/^[\x20-\x7e]*$/);
      expect(JSON.parse(json)).toEqual({ [character]: character });
    },
  );

  it("leaves what can be read as it is", () => {
    expect(plainJson("é 日本 👍 “x”")).toBe('"é 日本 👍 “x”"');
  });

  it("reads back the same, whatever it was", () => {
    const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...HOSTILE_CHARACTERS));
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: "medium" }), fc.array(text), (value, parts) => {
        const whole = { value, text: parts.join("") };
        const json = plainJson(whole);
        // JSON itself has no minus zero.
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(whole)));
        expect(json).not.toMatch(
          /[\0-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]/u,
        );
      }),
      { numRuns: 2000 },
    );
  });
});

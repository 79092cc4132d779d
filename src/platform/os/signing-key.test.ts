import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { signingKey } from "./signing-key.ts";

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), "pawl-key-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

it("has no signature before it has signed, and the same one ever after", () => {
  const path = join(folder(), "state");
  expect(signingKey(path).signatureOf("a")).toBeUndefined();
  const signature = signingKey(path).sign("a");
  expect(signature).toMatch(/^[0-9a-f]{64}$/);
  expect(signingKey(path).signatureOf("a")).toBe(signature);
  expect(signingKey(path).sign("a")).toBe(signature);
  expect(signingKey(path).sign("b")).not.toBe(signature);
});

it("keeps the key to its owner, and leaves nothing else behind", () => {
  const path = folder();
  signingKey(path).sign("a");
  expect(readdirSync(path)).toEqual(["signing-key"]);
  expect(statSync(join(path, "signing-key")).mode & 0o777).toBe(0o600);
});

it("refuses a damaged key and does not make another in its place", () => {
  const path = folder();
  const file = join(path, "signing-key");
  writeFileSync(file, "short");
  expect(() => signingKey(path).sign("a")).toThrow(/damaged/);
  expect(() => signingKey(path).signatureOf("a")).toThrow(/damaged/);
  expect(readFileSync(file, "utf8")).toBe("short");
});

it.skipIf(!existsSync("/dev/full"))("says that the disk is full when what was signed cannot be noted", () => {
  const path = folder();
  symlinkSync("/dev/full", join(path, "signed-work"));
  const key = signingKey(path);
  const signature = key.sign("a");
  expect(() => key.remember(signature, { commit: "0".repeat(40), change: "1".repeat(64) })).toThrow(
    expect.objectContaining({ problem: "store/full" }),
  );
});

it("is another one in another place", () => {
  expect(signingKey(folder()).sign("a")).not.toBe(signingKey(folder()).sign("a"));
});

const WORK = { commit: "0".repeat(40), change: "1".repeat(64) };

it("has key and notes in a second folder, and brings either folder back from the other", () => {
  const home = folder();
  const [state, copy] = [join(home, "state"), join(home, "copy")];
  const signer = signingKey(state, copy);
  const signature = signer.sign("a");
  signer.remember(signature, WORK);
  for (const lost of [state, copy, state]) {
    rmSync(lost, { recursive: true });
    const after = signingKey(state, copy);
    expect(after.signatureOf("a")).toBe(signature);
    expect(after.workOf(signature)).toEqual([WORK]);
    expect(after.sign("a")).toBe(signature);
    after.remember(after.sign("b"), WORK);
    expect(statSync(join(lost, "signing-key")).mode & 0o777).toBe(0o600);
    expect(signingKey(lost).workOf(signature)).toEqual([WORK]);
  }
});

it("copies a key from before there was a second folder, and never puts another in its place", () => {
  const home = folder();
  const [state, copy] = [join(home, "state"), join(home, "copy")];
  const signature = signingKey(state).sign("a");
  expect(signingKey(state, copy).sign("a")).toBe(signature);
  expect(signingKey(join(home, "elsewhere"), copy).sign("a")).toBe(signature);
  const other = join(home, "other");
  const theirs = signingKey(other).sign("a");
  expect(signingKey(other, copy).sign("a")).toBe(theirs);
  expect(signingKey(copy).sign("a")).toBe(signature);
});

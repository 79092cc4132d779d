import { describe, expect, it } from "vitest";
import { type IncomingCall, EXCHANGE, refuseRequest } from "./admit.ts";

const PORT = 4711;
const HOST = `127.0.0.1:${PORT}`;
const OWN = `http://${HOST}`;

/** What the page itself sends, with changes; headers that are undefined are left out. */
function problemOf(change: Partial<Omit<IncomingCall, "headers">> & { readonly headers?: object } = {}) {
  const { headers: more = {}, ...rest } = change;
  const all = { host: HOST, origin: OWN, authorization: "Bearer known", ...more };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  const asked: IncomingCall = {
    method: "GET",
    path: "/api/overview",
    headers,
    rawHeaders: Object.entries(headers).flat() as string[],
    ...rest,
  };
  return refuseRequest(asked, PORT, (token) => token === "known")?.problem;
}

describe("a call of the page is admitted", () => {
  it.each(["GET", "HEAD", "POST"])("with %s", (method) => expect(problemOf({ method })).toBeUndefined());

  it("by the address or by the name of this machine", () => {
    expect(problemOf({ headers: { host: `localhost:${PORT}` } })).toBeUndefined();
    expect(problemOf({ headers: { origin: `http://localhost:${PORT}` } })).toBeUndefined();
  });

  it("when it reads and says no origin, or says that it comes from the same one", () => {
    expect(problemOf({ headers: { origin: undefined } })).toBeUndefined();
    expect(problemOf({ headers: { "sec-fetch-site": "same-origin" } })).toBeUndefined();
  });

  it("without a token where files of the page are read or a ticket is exchanged", () => {
    const headers = { authorization: undefined };
    expect(problemOf({ path: "/", headers })).toBeUndefined();
    expect(
      problemOf({ path: "/page.js", headers: { ...headers, origin: "http://elsewhere" } }),
    ).toBeUndefined();
    expect(problemOf({ path: EXCHANGE, method: "POST", headers })).toBeUndefined();
  });
});

describe("a call is refused", () => {
  it.each([undefined, "", "127.0.0.1", `127.0.0.1:${PORT + 1}`, `elsewhere:${PORT}`, `${HOST}.elsewhere`])(
    "when it is meant for the host %s",
    (host) => expect(problemOf({ headers: { host } })).toBe("ui/wrong-host"),
  );

  it.each(["host", "origin", "authorization", "content-type", "content-length"])(
    "when it says %s twice, whatever it asks for and however the name is written",
    (name) => {
      const rawHeaders = ["Host", HOST, "Origin", OWN, "Authorization", "Bearer known"];
      const twice = [...rawHeaders, name.toUpperCase(), "a", name, "b"];
      for (const method of ["GET", "POST"])
        expect(problemOf({ method, rawHeaders: twice })).toBe("ui/wrong-host");
    },
  );

  it("but not when another header comes twice, or a value is the name of a header", () => {
    expect(problemOf({ rawHeaders: ["Host", HOST, "Accept", "a", "Accept", "b"] })).toBeUndefined();
    expect(problemOf({ rawHeaders: ["Host", "host", "Accept", "origin", "Origin", "host"] })).toBeUndefined();
  });

  it.each(["PUT", "DELETE", "OPTIONS", "get"])("when its method is %s", (method) => {
    expect(problemOf({ method })).toBe("ui/wrong-method");
    expect(problemOf({ method, path: "/" })).toBe("ui/wrong-method");
  });

  it("when it comes from another page", () => {
    const foreign = [
      "http://elsewhere",
      "null",
      `https://${HOST}`,
      `http://127.0.0.1:${PORT + 1}`,
      `${OWN}.elsewhere`,
    ];
    for (const origin of foreign) expect(problemOf({ headers: { origin } })).toBe("ui/wrong-origin");
    for (const site of ["cross-site", "same-site", "none"])
      expect(problemOf({ headers: { "sec-fetch-site": site } })).toBe("ui/wrong-origin");
    expect(problemOf({ path: EXCHANGE, method: "POST", headers: { origin: "http://elsewhere" } })).toBe(
      "ui/wrong-origin",
    );
  });

  it("when it writes and does not say whence it comes", () =>
    expect(problemOf({ method: "POST", headers: { origin: undefined } })).toBe("ui/wrong-origin"));

  it.each([undefined, "", "Bearer", "Bearer other", "Basic known", "known", "bearer known", "Bearer  known"])(
    "when its authorization is %s",
    (authorization) => expect(problemOf({ headers: { authorization } })).toBe("ui/no-token"),
  );
});

import { expect, it } from "vitest";
import { refuseWindows } from "./supported-platform.ts";

it("stops on native Windows with the way to WSL", () => {
  expect(() => refuseWindows("win32")).toThrow(
    expect.objectContaining({ code: "E525", message: expect.stringContaining("WSL 2") }),
  );
});

it.each(["linux", "darwin"])("lets %s through", (platform) => {
  expect(() => refuseWindows(platform)).not.toThrow();
});

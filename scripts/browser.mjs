// A real Chromium: the one that CHROMIUM_PATH names, else one that came inside a package.
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";

const options = async () => ({
  executablePath: process.env["CHROMIUM_PATH"] || (await chromium.executablePath()),
  args: chromium.args.filter(
    (arg) => !/web-security|single-process|no-zygote|site-per-process|isolation/i.test(arg),
  ),
  headless: true,
});

export const launch = async () => playwright.launch(await options());

/** One that several processes can use at once. */
export const launchServer = async () => playwright.launchServer(await options());

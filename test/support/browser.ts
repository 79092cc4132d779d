import { type Browser, chromium } from "playwright-core";
import { sharedBrowserEndpoint } from "./shared-processes.ts";

/** The browser that all files share; closing it closes only the windows of this file. */
export const browserForTests = async (): Promise<Browser> => chromium.connect(await sharedBrowserEndpoint());

// A client in a process of its own, so that it can be killed and stopped. Obeys lines of JSON on stdin:
// {"name", "arguments"} calls a tool; the result goes to stdout as one line.
import { createInterface } from "node:readline";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [pawl, cwd, ...args] = process.argv.slice(2);
const client = new Client({ name: "killed", version: "1" });
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [pawl, "mcp", ...args],
  cwd,
  env: process.env,
});
await client.connect(transport);
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
say({ server: transport.pid });
for await (const line of createInterface({ input: process.stdin })) {
  try {
    say(await client.callTool(JSON.parse(line)));
  } catch (error) {
    say({ thrown: String(error) });
  }
}

import { Failure } from "../../domain/index.ts";
import { type Command, defineCommand } from "../command.ts";
import { bashScript } from "../completion/bash-script.ts";
import { completionTable, SHELLS, type CompletionTable } from "../completion/completion-table.ts";
import { fishScript } from "../completion/fish-script.ts";
import { powershellScript } from "../completion/powershell-script.ts";
import { zshScript } from "../completion/zsh-script.ts";
import type { Registry } from "../registry.ts";

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (table: CompletionTable) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

/** Takes the registry it belongs to as an argument: importing it would be a cycle. */
export const makeCompletion = (registry: Registry): Command =>
  defineCommand({
    name: "completion",
    more: `For bash, add this line to ~/.bashrc:

  source <(pawl completion bash)

For zsh, add this line to ~/.zshrc, after compinit:

  source <(pawl completion zsh)

For fish, run this once:

  pawl completion fish > ~/.config/fish/completions/pawl.fish

For PowerShell, add this line to $PROFILE:

  pawl completion powershell | Out-String | Invoke-Expression`,
    operands: [{ name: "shell", about: SHELLS.join(", "), required: true }],
    options: {},
    examples: [
      "source <(pawl completion bash)",
      "pawl completion fish > ~/.config/fish/completions/pawl.fish",
    ],
    run: async (_context, _values, [asked = ""]) => {
      const shell = SHELLS.find((known) => known === asked);
      if (shell === undefined) {
        throw new Failure("usage/wrong", `pawl completion: there is no script for "${asked}"`, {
          word: asked,
          shells: SHELLS,
        });
      }
      const commands = await Promise.all(Object.values(registry).map(({ load }) => load()));
      const script = SCRIPTS[shell](completionTable(registry, commands));
      return { data: { shell, script }, text: () => script };
    },
  });

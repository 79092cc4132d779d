import { ACTIONS } from "./actions/index.ts";
import { ROUTES } from "./routes/index.ts";

/** `docs/ui.md`: what the page is, and every call and action from the tables. */
export const uiReference = (): string => `# The page

<!-- Printed from the tables in the source by \`npm run docs\`; edit those. -->

\`pawl ui\` serves a page for this machine: plans as board, graph and list, steps with their evidence and commits, sessions
with their live output, a timeline, worktrees, the journal, the doctor, and on top of everything what waits for a person.
It updates itself when any process or editor changes something. \`pawl run --ui\` and \`pawl resume --ui\` serve it beside their
work, in the same process: the address is the first line that they print, and the page stays after the run for as long as one of
its windows is open.

What an agent says and does is a transcript: words as text, each call of a tool as a line that unfolds to what it changed and what
came of it. Commits, kept work, uncommitted files and the whole branch of a plan are shown as changes by file, with colours and the
words that differ. A step that conflicts with what landed shows both sides.

![Overview](images/overview-light.png)

## Safety

- It listens on 127.0.0.1, on the repository's own port, or on another that is free where that one is taken, unless \`--port\` names
  one. So addresses keep working. Other machines cannot reach it.
- The printed link has a ticket behind its \`#\`, which browsers never send. It becomes a token once; the page keeps that
  in its own window, and sends it as a header. There are no cookies.
- A tab without a token asks the other tabs of the same address, and one that is in gets a ticket for it from the server. Where none is
  open, the tab says so.
- Calls are answered only for the exact names \`127.0.0.1:PORT\` and \`localhost:PORT\`, only to the page itself, and only with the
  token. What changes something is a POST of JSON.
- Texts of plans and agents are shown as text. The page may load nothing but its own files, and make no markup of strings.
- Agents run as the same user, and have the same power: what you can do at a keyboard, a determined agent can do as well, with
  a page or without. The page gives them no key: the environment that Pawl gives to agents holds no token, no process shows the
  ticket in its arguments, the file by which a browser is opened is removed once its ticket was used, and \`pawl ui\` does not
  start in an environment of a session.
- With \`--read-only\` the page offers no actions.

## Acting

Every action first says what would happen and what is kept, and carries the version it was decided on. When the step, session,
worktree or branch has changed by then, nothing is done (E240) and the page shows how it stands now. Commands that take long
(\`run\`, \`resume\`, \`verify\`, \`recover\`, \`doctor --fix\`) run as processes of their own, and keep running when the page is closed.

What [\`pawl recover\`](recovery-rules.md) finds is on the overview, with its choices as buttons under the keys of the terminal. A
click answers that one finding (\`pawl recover --only --answer\`) and nothing beside it; what needs no decision has a button of its
own. A finding that is gone or is another one by then is refused. Choices that leave things as they are put them out of the way in
that window only. Findings are looked for after the rest is shown, one look at a time, and again when a line of the journal, the file
of a plan or the age of a minute says that they may be others.

| action | on its button | what it does |
| --- | --- | --- |
${ACTIONS.map(({ name, label, about }) => `| \`${name}\` | ${label} | ${about} |`).join("\n")}

## Calls

Answers have the same form as those of the command line with \`--json\`: \`schema_version\`, \`command\`, \`status\`, \`data\`, \`issues\`.
Failures carry the same codes; the HTTP status follows from them: 400 for wrong calls, 401 without token, 403 for other
origins and read-only pages, 404, 409 for conflicts and decisions, 413, 415, 421 for other names, 429 for too many, 503 for what
the machine lacks. \`POST /api/enter\` with \`{"ticket": …}\` gives the token for \`Authorization: Bearer …\`.

| call | asks for | takes |
| --- | --- | --- |
${ROUTES.map(({ method, path, about, takes }) => `| \`${method} ${path}\` | ${about} | ${takes.map((one) => `\`${one}\``).join(", ")} |`).join("\n")}

\`POST /api/act\` takes \`action\`, the subject as in the preview (\`plan\`, \`step\`, \`session\`, \`worktree\`; \`rule\`, \`subject\`, \`key\`), \`version\`, \`request_id\` and,
where the preview says so, \`reason\`. Steps and the journal come in pages: ask again with \`after\` or \`before\` set to \`next\`.

\`GET /api/live\` is a stream of server-sent events. \`journal\` carries a line of the journal, with its number as the id; \`file\` says
that a plan's file was changed; \`job\` tells of commands started from the page; \`reset\` means that too much was missed, and everything
should be asked anew. A stream that comes back with \`Last-Event-ID\` continues after that line.

## Keys

\`/\` or Ctrl K goes to anything, \`g\` and a letter to a view, \`l\` turns light and dark, \`n\` opens another window, \`?\` lists them all.
`;

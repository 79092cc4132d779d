// The door of this room: other rooms import from here alone.
export { type Issue, envelope, issueOf, plainJson, snakeCase, toFailure } from "./envelope.ts";
export { type AgentWords, agentWordsIn, type ClosingMessage, closingMessages } from "./closing-message.ts";
export { type EventView, type EventsRequest, eventView } from "./events.ts";
export { journal } from "./journal.ts";
export { messagesTo, noteDelivered, sendMessage } from "./messages.ts";
export { noteIfPossible } from "./note-if-possible.ts";
export { openIfThere } from "./open-if-there.ts";
export { rehearse } from "./rehearse.ts";
export { type Repeatable, type VerbCall, forgetOldRequests, recall, remember } from "./requests.ts";
export { journalEnd } from "./sql/journal-end.ts";
export { lastPlanEvent } from "./sql/last-plan-event.ts";
export { lastSign } from "./sql/last-sign.ts";
export { lastStepSign } from "./sql/last-step-sign.ts";
export { listStepEvents } from "./sql/list-step-events.ts";
export { listWorktreeEvents } from "./sql/list-worktree-events.ts";
export { type JournalEnd, measureJournal } from "./sql/measure-journal.ts";
export { pageEvents } from "./sql/page-events.ts";
export { storedJson } from "./stored-json.ts";

// Loaded when first called: a short process pays for what it uses.
export const loadEvents = () => import("./events.ts");

import { agentSuite } from "../suite.ts";

agentSuite("codex");

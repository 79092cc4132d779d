import { agentSuite } from "../suite.ts";

agentSuite("gemini", { isAcp: true });

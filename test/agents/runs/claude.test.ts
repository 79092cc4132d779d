import { agentSuite } from "../suite.ts";

agentSuite("claude");

import { agentSuite } from "../suite.ts";

agentSuite("opencode");

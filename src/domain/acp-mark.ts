/** The variable that is set where a run starts `pawl acp`, and for no program that this starts. */
export const ACP_MARK = "PAWL_ACP";

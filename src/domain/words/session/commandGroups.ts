/**
 * All commands by their purpose, each once, in the order in which help lists them. `daily`: what the first page of help
 * has; `more`: what `leap help --all` lists besides.
 */
export const commandGroups = [
  {
    title: "Start and talk",
    daily: ["start", "attach", "send", "queue", "resume", "stop"],
    more: ["interrupt", "keys", "move", "edit", "forget", "exec", "chat"]
  },
  {
    title: "Look",
    daily: ["status", "monitor", "web", "why"],
    more: ["diff", "wait", "screen", "last", "notify", "dismiss", "mute", "unmute"]
  },
  { title: "Decide", daily: ["answer"], more: ["mode", "policy", "audit"] },
  {
    title: "Wire",
    daily: ["hooks", "doctor"],
    more: ["settings", "clis", "completions", "out", "mcp", "acp", "skill", "upgrade", "uninstall"]
  },
  { title: "Look back", daily: ["report"], more: ["log", "history", "prices", "record", "replay"] },
  { title: "Learn", daily: [], more: ["demo", "help"] }
] as const

type Group = (typeof commandGroups)[number]

/** The name of a command. */
export type CommandName = Group["daily" | "more"][number]

/** The commands of a group, as help lists them. */
export const commandsOf = ({ daily, more }: Group): ReadonlyArray<CommandName> => [...daily, ...more]

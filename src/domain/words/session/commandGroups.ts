/**
 * All commands by their purpose, each once, in the order of the help. `daily`: those on its first page; `more`: those
 * that `leap help --all` adds.
 */
export const commandGroups = [
  {
    title: "Start and talk",
    daily: ["start", "attach", "send", "queue", "resume", "stop"],
    more: ["interrupt", "keys", "hand", "move", "edit", "finish", "forget", "exec", "chat"]
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
    more: ["settings", "clis", "hosts", "completions", "out", "mcp", "acp", "skill", "upgrade", "uninstall"]
  },
  { title: "Look back", daily: ["report"], more: ["log", "history", "prices", "record", "replay"] },
  { title: "Learn", daily: [], more: ["demo", "help"] }
] as const

type Group = (typeof commandGroups)[number]

export type CommandName = Group["daily" | "more"][number]

export const commandsOf = ({ daily, more }: Group): ReadonlyArray<CommandName> => [...daily, ...more]

/** The name of a tool if its hook names none, because its data did not arrive completely. */
export const unnamedTool = "a tool"

export interface ToolUse {
  readonly tool: string | null
  readonly id: string | null
}

export type AskedTools = ReadonlyArray<ToolUse>

/** No CLI uses more tools while one is running. */
const mostAsked = 1_000

export const withAsked = (asked: AskedTools, { id, tool }: ToolUse): AskedTools => [
  ...asked.slice(1 - mostAsked),
  { id, tool }
]

/** Whether the hook that asked about `asked` has asked about `ran`. If either has no id, the tools are compared. */
export const isSameUse = (asked: ToolUse, ran: ToolUse): boolean =>
  asked.id === null || ran.id === null
    ? ran.tool === null || ran.tool === asked.tool || asked.tool === unnamedTool
    : asked.id === ran.id

/** The uses after a tool has run; null if no hook asked about it. A use found by its id stays, any other is removed. */
export const withoutRan = (asked: AskedTools, ran: ToolUse): AskedTools | null => {
  const named = asked.findIndex((one) => one.tool !== unnamedTool && isSameUse(one, ran))
  const at = named < 0 ? asked.findIndex((one) => isSameUse(one, ran)) : named
  return at < 0 ? null : asked[at]?.id === null || ran.id === null ? asked.filter((_, i) => i !== at) : asked
}

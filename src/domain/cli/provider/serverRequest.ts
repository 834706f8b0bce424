import type { ToolRequest } from "../../policy/ToolRequest.ts"
import { withRemainder } from "./PermissionAnswers.ts"
import { requestOf } from "./RequestReading.ts"
import { remainderOf } from "./RequestRemainder.ts"

/** The request of a call of a server's tool, for rules: any argument may be a file, an address or a command. */
export const serverRequest = (tool: string, input: Readonly<Record<string, unknown>>, cwd: string): ToolRequest => {
  const request = requestOf({ tool, kind: "mcp", cwd })
  const shape = { inputs: () => [input], envelope: () => Object.keys(input), inert: {}, bare: [] }
  return withRemainder(request, remainderOf("", input, request, shape))
}

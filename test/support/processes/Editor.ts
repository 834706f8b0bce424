import {
  client as makeClient,
  ndJsonStream,
  type PromptRequest,
  type RequestPermissionRequest,
  type SessionNotification
} from "@agentclientprotocol/sdk"
import { spawn } from "node:child_process"
import { Readable, Writable } from "node:stream"

export interface EditorProcess {
  readonly command: readonly [string, ...ReadonlyArray<string>]
  readonly env: Readonly<Record<string, string | undefined>>
  /** The id of the option that its user chooses. */
  readonly choose: (request: RequestPermissionRequest) => string
}

/** An editor: the protocol's own client on the pipes of a `leap acp` of its own. */
export const openEditor = async ({ choose, command: [program, ...args], env }: EditorProcess) => {
  const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"] })
  let warnings = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (warnings += text))
  const updates: Array<SessionNotification["update"]> = []
  const app = makeClient()
    .onNotification("session/update", ({ params }) => void updates.push(params.update))
    .onRequest("session/request_permission", ({ params }) => ({
      outcome: { outcome: "selected" as const, optionId: choose(params) }
    }))
  const input = Writable.toWeb(child.stdin) as WritableStream<Uint8Array>
  const output = Readable.toWeb(child.stdout) as unknown as ReadableStream<Uint8Array>
  const { agent } = app.connect(ndJsonStream(input, output))
  await agent.request("initialize", { protocolVersion: 1 })
  return {
    agent,
    updates,
    prompt: (sessionId: string, text: string) => {
      const params: PromptRequest = { sessionId, prompt: [{ type: "text", text }] }
      return agent.request("session/prompt", params)
    },
    load: (sessionId: string, cwd: string) => agent.request("session/load", { sessionId, cwd, mcpServers: [] }),
    /** What was said, by whom, as it was told. */
    lines: () =>
      updates.flatMap((update) =>
        (update.sessionUpdate === "agent_message_chunk" || update.sessionUpdate === "user_message_chunk") &&
        "text" in update.content
          ? [`${update.sessionUpdate === "user_message_chunk" ? "> " : ""}${update.content.text.trim()}`]
          : []
      ),
    /** Its tool calls: their titles, and how each ended. */
    tools: () =>
      updates.flatMap((update) =>
        update.sessionUpdate === "tool_call"
          ? [
              `${update.title}: ${
                updates.findLast(
                  (later) => later.sessionUpdate === "tool_call_update" && later.toolCallId === update.toolCallId
                )?.["status" as never] ?? "open"
              }`
            ]
          : []
      ),
    /** The editor is closed: the code with which `leap acp` ends. */
    close: () =>
      new Promise<number | null>((resolve) => {
        child.once("exit", resolve)
        child.stdin.end()
      }),
    kill: () => void child.kill("SIGKILL"),
    warnings: () => warnings
  }
}

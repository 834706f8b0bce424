import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { codexPermissions } from "../../../src/domain/providers/codex/Permissions.ts"
import { withWorkingDirectory } from "../../../src/services/policy/withWorkingDirectory.ts"
import { bash } from "../../domain/policy/support.ts"

const project = "/home/me/project"
const call = (id: string, given: object, more: object = {}) =>
  JSON.stringify({
    type: "response_item",
    payload: { type: "function_call", name: "exec_command", arguments: JSON.stringify(given), call_id: id, ...more }
  })
const output = JSON.stringify({ payload: { type: "function_call_output", call_id: "call_1", output: "x" } })
const payload = (of: object) => ({
  cwd: project,
  transcript_path: "/rollout.jsonl",
  tool_name: "Bash",
  tool_input: { command: "cat key.txt" },
  tool_use_id: "call_1",
  ...of
})
const unread = ["the directory in which it runs"]
const cat = { cmd: "cat key.txt" }

/** The request of one of Codex's hooks, as it is decided on; `records`: what its rollout has at each look. */
const placed = Effect.fnUntraced(function* (of: object, ...records: ReadonlyArray<ReadonlyArray<string>>) {
  let look = 0
  const lines = () => records[look++] ?? records.at(-1) ?? []
  // every second time as of a file that is too long to be read whole
  const tail = {
    document: () => Effect.sync(() => (look % 2 === 0 ? lines().join("\n") : null)),
    last: () => Effect.sync(lines)
  }
  const hook = { event: "PreToolUse", payload: payload(of) }
  const fiber = yield* Effect.forkChild(withWorkingDirectory(codexPermissions, hook, bash("cat key.txt"), tail))
  yield* TestClock.adjust("1 second")
  const request = yield* Fiber.join(fiber)
  return { cwd: request.cwd, ...(request.unread === undefined ? {} : { unread: request.unread }) }
})

// Versions up to 0.130 name the session's directory, 0.169 the command's own; both as recorded.
describe("where a command of Codex's runs", () => {
  it.effect.each<readonly [string, object, ReadonlyArray<ReadonlyArray<string>>, object]>([
    ["is the session's directory", {}, [[call("call_1", cat), output]], { cwd: project }],
    [
      "is what its call says",
      {},
      [[call("call_1", { ...cat, workdir: "/home/me/secret" })]],
      { cwd: "/home/me/secret" }
    ],
    ["is below the session's", {}, [[call("call_1", { ...cat, workdir: "sub" })]], { cwd: `${project}/sub` }],
    [
      "is told by the request itself",
      { cwd: `${project}/sub` },
      [[call("call_1", { ...cat, workdir: "sub" })]],
      { cwd: `${project}/sub` }
    ],
    [
      "is found when the call has been recorded",
      {},
      [[], [call("call_0", cat)], [call("call_0", cat), call("call_1", { ...cat, workdir: "/etc" })]],
      { cwd: "/etc" }
    ],
    ["is not read in time", {}, [[call("call_0", cat), output, "no JSON _call"]], { cwd: "/srv/app", unread }],
    [
      "is a shell's own",
      {},
      [[call("call_1", {}, { type: "local_shell_call", action: { working_directory: "/etc" } })]],
      { cwd: "/etc" }
    ],
    ["is told of what a script calls", { tool_use_id: "exec-1" }, [[]], { cwd: "/srv/app" }],
    [
      "is found by its line, where the request has no id",
      { tool_use_id: undefined },
      [[call("call_1", { ...cat, workdir: "/etc" }), call("call_2", { cmd: "ls" })]],
      { cwd: "/etc" }
    ],
    ["is taken as it is told, where no record has the line", { tool_use_id: undefined }, [[]], { cwd: "/srv/app" }]
  ])("%s", ([, of, records, wanted]) =>
    Effect.map(placed(of, ...records), (request) => assert.deepStrictEqual<object>(request, wanted))
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { parseLine, parseMarker } from "../../../src/domain/Cast.ts"
import { Verdict } from "../../../src/domain/policy/Decision.ts"
import { personal, ToolRequest } from "../../../src/domain/policy/ToolRequest.ts"
import { DialogKind } from "../../../src/domain/Screen.ts"
import { records } from "../../../src/layers/ProvidersBuiltin.ts"

const deciding = records.filter(({ permissions }) => permissions.decisions.length > 0)
const named = deciding.map((record) => [record.id, record] as const)
const isRequest = Schema.is(ToolRequest)

const names = [
  "tool_name", "toolName", "tool_input", "toolArgs", "toolInput", "permission", "patterns", "metadata", "input", "output", "args", "tool", "cwd",
  "command", "file_path", "path", "url", "agent_id", "agent_type", "questions"
] as const
const Leaf = Schema.Union([Schema.Null, Schema.Boolean, Schema.Finite, Schema.String, Schema.Literals(["Bash", "bash", "apply_patch", "{\"command\":1}", "*** Delete File: x"]), Schema.Array(Schema.String)])
const Inner = Schema.Union([Leaf, Schema.Record(Schema.Literals(names), Leaf), Schema.Array(Schema.Record(Schema.Literals(names), Leaf))])
const Payload = Schema.Union([Leaf, Schema.Record(Schema.Literals(names), Inner)])

const plain = ["Yes", "Allow once", "Yes, proceed (y)", "Yes, just this once (y)", "Run (once) (y)"] as const
const wide = [
  "Yes, and don't ask again for `ls` in this repo (~/project)", "Yes, and don't ask again for commands that start with `ls` (p)", "Allow always",
  "Allow for this session", "Yes, allow all edits during this session (shift+tab)", "Run Everything (shift+tab)", "Trust folder", "Confirm", "No"
] as const
const Shown = Schema.Struct({
  kind: DialogKind,
  title: Schema.Literals(["Do you want to run this command?", "Shell command: ls", "Do you want to proceed?"]),
  labels: Schema.Array(Schema.Literals([...plain, ...wide]))
})

/** The events with payloads that were recorded of a CLI. */
const recorded = (home: string): ReadonlyArray<readonly [event: string, payload: unknown]> =>
  fs.readdirSync(home).flatMap((file) =>
    fs.readFileSync(path.join(home, file), "utf8").split("\n").filter((line) => line.includes("\"hook:")).flatMap((line) => {
      const parsed = parseLine(line)
      const marker = parsed._tag === "Parsed" ? parseMarker(parsed.value[2]) : null
      return marker?._tag === "Hook" ? [[marker.event, marker.payload] as const] : []
    }))

describe.each(named)("%s's permissions", (id, { hooks, input, permissions }) => {
  it("wait at the hooks that are wired for a decision, and at no others", () => {
    const wired = hooks?.events.filter(({ decision }) => decision).map(({ event }) => event) ?? []
    // What is only heard of (an elicitation) takes no answer.
    assert.sameMembers(permissions.decisions.flatMap(({ event, verdicts }) => verdicts.length === 0 ? [] : [event]), wired)
  })

  it("are told in one line of JSON, for what the hook heeds and for nothing else", () => {
    for (const event of ["Stop", "constructor", ...permissions.decisions.map(({ event }) => event)]) {
      const heeded = permissions.decisions.find((decision) => decision.event === event)?.verdicts ?? []
      for (const verdict of Verdict.literals) {
        const line = permissions.reply(event, verdict, "two\nlines \"and\" quotes")
        assert.strictEqual(line !== null, heeded.includes(verdict), `${event} ${verdict}`)
        if (line === null) continue
        assert.notInclude(line, "\n")
        assert.isObject(JSON.parse(line))
        if (verdict === "deny") assert.include(line, JSON.stringify("two\nlines \"and\" quotes"))
      }
    }
  })

  it.prop("are read from any payload, or not", { event: Schema.Literals(["Stop", ...permissions.decisions.map(({ event }) => event)]), payload: Payload }, ({ event, payload }) => {
    const found = permissions.request(event, payload)
    if (found === null) return
    assert.isTrue(isRequest(found.request), JSON.stringify(found))
    const heeded = permissions.decisions.find((decision) => decision.event === event)?.verdicts ?? []
    assert.includeMembers([...heeded], [...found.decides])
    if (personal.has(found.request.kind)) assert.isEmpty(found.decides)
    if (found.request.kind === "command" && found.request.command === null) assert.notInclude(found.decides, "allow")
  }, { arbitrary: { runs: 150 } })

  const recordings = path.join(import.meta.dirname, "../../recordings", id)
  it.runIf(fs.existsSync(recordings))("are known of all that was recorded", () => {
    const events = new Set(permissions.decisions.map(({ event }) => event))
    const asked = recorded(recordings).filter(([event]) => events.has(event))
    assert.isAbove(asked.length, 10)
    for (const [event, payload] of asked) {
      const request = permissions.request(event, payload)?.request
      assert.isDefined(request, `${event} ${JSON.stringify(payload)}`)
      if (request?.kind === "command") assert.isNotNull(request.command)
      if (request?.kind === "edit") assert.isNotEmpty(request.paths)
      // An OpenCode before leap's additions said nothing of where it works.
      if (id !== "opencode") assert.strictEqual(request?.cwd, "/home/dev/project")
    }
  })

  it.prop("are granted by keys only where one option of a permission says no more than yes", { shown: Shown }, ({ shown: { kind, labels, title } }) => {
    const dialog = { kind, title, options: labels.map((label, at) => ({ number: at + 1, label, selected: at === 0 })) }
    const yes = permissions.plainYes(dialog)
    if (yes === null) return
    assert.strictEqual(kind, "permission")
    const chosen = labels[Number(yes) - 1]
    assert.include([...plain], chosen)
    assert.strictEqual(labels.filter((label) => label === chosen).length, 1)
    assert.strictEqual(input.answer(dialog, yes)._tag, "Keys")
  }, { arbitrary: { runs: 200 } })
})

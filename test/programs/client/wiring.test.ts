import { assert, describe, it } from "@effect/vitest"
import {
  type Gate,
  gateOf,
  unwiredNote,
  unwiredRefusal,
  verdictOf,
  wiringFinding
} from "../../../src/programs/client/wiring.ts"
import type { HookStatus } from "../../../src/services/HookInstaller.ts"

const provider = { id: "claude", displayName: "Claude Code" }
const status = (of: Partial<HookStatus>): HookStatus => ({
  state: "missing",
  receivesEvents: false,
  file: "/h/.claude/settings.json",
  files: ["/h/.claude/settings.json"],
  detail: "leap's hooks are not in it",
  ...of
})

const lineOf = (gate: Gate): string =>
  gate._tag === "Open" ? (gate.note ?? "") : gate._tag === "Shut" ? gate.why : unwiredNote(provider, gate)

describe("the gate of a start", () => {
  it("refuses by the rules that need the hooks, which it names, or by the user's wish", () => {
    const gate = gateOf(provider, status({}))
    assert.strictEqual(gate._tag, "Unwired")
    if (gate._tag !== "Unwired") return
    const why = "without leap's hooks (leap's hooks are not in it); 'leap hooks install --cli claude' adds them"
    for (const [rules, says] of [
      [["deny Bash(rm *)"], "is not started: 'deny Bash(rm *)' cannot hold"],
      [["deny Bash(rm *)", "ask *"], "is not started: 'deny Bash(rm *)' (and 1 more of your rules) cannot hold"],
      [[], "is not to be started"]
    ] as const)
      assert.strictEqual(unwiredRefusal(provider, gate, rules), `Claude Code ${says} ${why}`)
  })

  it.each<[string, Partial<HookStatus>, Gate["_tag"], RegExp]>([
    ["not wired", {}, "Unwired", /\(leap's hooks are not in it\).*; 'leap hooks install --cli claude' adds them$/],
    [
      "in a place that cannot be written",
      { writable: false },
      "Unwired",
      /cannot be written here.*hooks install --cli claude --print/
    ],
    ["of another installation there", { writable: false, state: "foreign" }, "Unwired", /cannot be written here/],
    [
      "of another installation",
      { state: "foreign", others: ["/o/leap-hook.sh"] },
      "Unwired",
      /\/o\/leap-hook\.sh\).*takes its entries over/
    ],
    [
      "with comments that the CLI does not take",
      { state: "unreadable", detail: "it has comments" },
      "Unwired",
      /mend the file/
    ],
    [
      "switched off by a project",
      { state: "disabled", receivesEvents: true, detail: "disableAllHooks in /p/.claude/settings.json" },
      "Open",
      /runs no hooks here \(disableAllHooks in \/p\/.*no deny or ask rule of yours holds/
    ]
  ])("of a CLI that is %s", (_, of, tag, says) => {
    const gate = gateOf(provider, status(of))
    assert.strictEqual(gate._tag, tag)
    assert.match(lineOf(gate), says)
  })

  it("names no command of leap's that writes where nothing can be written, but for printing", () => {
    for (const state of ["missing", "foreign", "partly", "outdated", "unreadable"] as const) {
      const gate = gateOf(provider, status({ state, writable: false }))
      assert.deepInclude(gate, { _tag: "Unwired", addable: false })
      assert.notMatch(lineOf(gate), /hooks install(?! --cli claude --print)/)
    }
  })

  it("is reported by doctor with what switches the hooks off, or whose they are", () => {
    assert.match(
      wiringFinding(provider, "/bin/claude", status({ state: "disabled", detail: "x in /p" })).detail,
      /no hooks here: x in \/p/
    )
    assert.match(
      wiringFinding(provider, "/bin/claude", status({ state: "foreign", others: ["/o/leap-hook.sh"] })).detail,
      /\/o\/leap-hook\.sh/
    )
  })
})

describe("the doctor's verdict", () => {
  const of = (state: "ok" | "warning" | "broken" | "absent", mend: string | null = null, subject = "claude") => ({
    subject,
    state,
    detail: "a detail",
    mend
  })
  it.each([
    [[of("ok")], ["Claude Code"], "ready: Claude Code"],
    // what nothing mends, or is only not there, is nothing to do while there is a CLI
    [[of("warning"), of("absent", "npm x", "codex")], ["Claude Code"], "ready: Claude Code"],
    [[of("absent", "npm x", "codex")], [], "1 thing to do: codex: npm x"],
    [[of("warning", "leap a", "one"), of("broken", null, "files")], ["A"], "2 things to do: files: a detail"]
  ] as const)("of %j with %j is %s", (findings, ready, says) => assert.strictEqual(verdictOf(findings, ready), says))
})

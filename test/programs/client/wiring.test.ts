import { assert, describe, it } from "@effect/vitest"
import { gateOf, wiringFinding } from "../../../src/programs/client/wiring.ts"
import type { HookStatus } from "../../../src/services/HookInstaller.ts"

const provider = { id: "claude", displayName: "Claude Code" }
const status = (of: Partial<HookStatus>): HookStatus => ({
  state: "missing",
  receivesEvents: false,
  file: "/h/.claude/settings.json",
  files: ["/h/.claude/settings.json"],
  detail: "no entry of leap's in it",
  ...of
})

describe("the gate of a start", () => {
  it.each<[string, Partial<HookStatus>, "Open" | "Shut", RegExp]>([
    ["not wired", {}, "Shut", /run 'leap hooks install --cli claude'$/],
    [
      "in a place that cannot be written",
      { writable: false },
      "Open",
      /cannot be written here.*hooks install --cli claude --print/
    ],
    ["of another installation there", { writable: false, state: "foreign" }, "Open", /cannot be written here/],
    [
      "of another installation",
      { state: "foreign", others: ["/o/leap-hook.sh"] },
      "Shut",
      /\(\/o\/leap-hook\.sh\).*takes its entries over/
    ],
    [
      "with comments that the CLI does not take",
      { state: "unreadable", detail: "it has comments" },
      "Shut",
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
    assert.match(gate._tag === "Open" ? (gate.note ?? "") : gate.why, says)
  })

  it("names no command of leap's that writes where nothing can be written, but for printing", () => {
    for (const state of ["missing", "foreign", "partly", "outdated", "unreadable"] as const) {
      const gate = gateOf(provider, status({ state, writable: false }))
      assert.strictEqual(gate._tag, "Open")
      assert.notMatch(gate._tag === "Open" ? (gate.note ?? "") : "", /hooks install(?! --cli claude --print)/)
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

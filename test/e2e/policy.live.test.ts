import { assert, describe } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { auditLine } from "../../src/domain/engine/approvals/AuditLines.ts"
import { auditEntry } from "../domain/policy/support.ts"
import { endsWell, makeRoom } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"
import { each } from "../support/data/fields.ts"

const settings =
  '{ // rules\n "policy": { "deny": [{ "tool": "Bash", "command": "rm -rf *", "reason": "use trash" }] } }'

describe("leap policy and leap audit", () => {
  live("read the settings file and the session's log", function* () {
    const room = yield* makeRoom()
    fs.writeFileSync(path.join(room.env["LEAP_HOME"]!, "settings.json"), settings)
    const told = yield* room.leap(["policy", "test", "--command", "cd x && sudo rm -fr /"])
    assert.strictEqual(told.code, 0, told.stderr)
    assert.strictEqual(
      told.stdout,
      "deny\nrule   deny Bash(rm -rf *)\nwhy    refused by a rule of the user's (deny Bash(rm -rf *)): use trash\nasked  Bash: cd x && sudo rm -fr /\n"
    )
    fs.writeFileSync(
      path.join(room.env["LEAP_HOME"]!, "settings.json"),
      '{"policy": {"deny": [{"tool": "Bash(rm *)"}, {"tol": "x"}]}}'
    )
    const { findings } = JSON.parse((yield* room.leap(["doctor", "--json"])).stdout) as {
      readonly findings: ReadonlyArray<{ readonly subject: string; readonly state: string; readonly detail: string }>
    }
    const policy = findings.filter(({ subject }) => subject === "policy")
    assert.deepStrictEqual(each(policy, "state"), ["warning", "warning"])
    assert.match(policy[0]!.detail, /"tol" is nothing that a rule knows.*everything is asked/)
    assert.match(policy[1]!.detail, /no tool is called 'Bash\(rm \*\)'/)

    // whoever meets the file on the way is told, beside what they asked for
    const modes = yield* room.leap(["mode", "--default", "--json"])
    assert.strictEqual(JSON.parse(modes.stdout).schema, 1)
    const started = yield* room.leap(["s", "--cli", "demo", "--detach"])
    for (const { code, stderr } of [modes, started]) {
      assert.strictEqual(code, 0, stderr)
      assert.match(
        stderr,
        /settings\.json: line 1, column \d+: rule 2 of "policy\.deny" was left out.*'leap doctor' tells what follows\n$/
      )
    }
    yield* endsWell(room.leap(["stop", "s"]))

    fs.mkdirSync(room.session("t"), { recursive: true, mode: 0o700 })
    fs.writeFileSync(path.join(room.session("t"), "audit.ndjson"), `${auditLine(auditEntry())}{"torn`)
    assert.deepStrictEqual(JSON.parse((yield* room.leap(["audit", "t", "--json"])).stdout), {
      schema: 1,
      tag: "t",
      entries: [auditEntry()]
    })

    // what the user was asked, as rules to choose from; and what is wrong with those that there are
    fs.writeFileSync(
      path.join(room.env["LEAP_HOME"]!, "settings.json"),
      '{"policy": {"deny": [{"tool": "Bash(rm *)"}], "allow": [{"command": "ls *"}]}}'
    )
    const asked = auditEntry({ tag: "t", verdict: "ask", by: "none", rule: null, told: "no" })
    fs.writeFileSync(path.join(room.session("t"), "audit.ndjson"), auditLine(asked) + auditLine(asked))
    const suggested = yield* room.leap(["policy", "suggest", "t"])
    assert.strictEqual(suggested.code, 0, suggested.stderr)
    assert.match(suggested.stdout, /^\{"command":"npm test"\}\n {4}would have spared 2 asks: Bash: npm test\n/)
    const checked = yield* room.leap(["policy", "check", "--json"])
    assert.strictEqual(checked.code, 1)
    assert.match(checked.stderr, /^leap: 1 finding in .*: see above\n$/)
    assert.strictEqual(JSON.parse(checked.stdout).findings[0].kind, "mistake")
    const unknown = yield* room.leap(["policy", "preset", "nosuch"])
    assert.deepStrictEqual(
      [unknown.code, unknown.stdout, unknown.stderr],
      [2, "", "leap: no preset is called 'nosuch'; there are read-only, development, night-shift\n"]
    )
  })
})

import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { commandNames } from "../../src/domain/words/session/tagRules.ts"
import { endsWell, makeRoom, startDemo } from "../support/processes/Room.ts"
import { live } from "../support/run/effects.ts"

/** A room in which these CLIs are installed: programs that do nothing. */
const roomWith = Effect.fnUntraced(function* (...clis: ReadonlyArray<string>) {
  const room = yield* makeRoom("0.1")
  const bin = path.join(room.dir, "programs")
  fs.mkdirSync(bin)
  for (const cli of clis) fs.writeFileSync(path.join(bin, cli), "#!/bin/sh\n", { mode: 0o755 })
  const leap = (...args: ReadonlyArray<string>) =>
    room.leap(args, "", { PATH: `${bin}:${path.dirname(process.execPath)}`, CLAUDE_CONFIG_DIR: "" })
  return { room, leap }
})

live("prints its page, which has what every CLI asks of one", function* () {
  const { leap } = yield* roomWith()
  const { code, stdout } = yield* leap("skill")
  assert.strictEqual(code, 0)
  const [, front = "", body = ""] = /^---\n([^]*?)\n---\n\n([^]*)$/.exec(stdout) ?? []
  const fields = new Map(front.split("\n").map((line) => [/^(\w[\w-]*):/.exec(line)?.[1], line]))
  assert.strictEqual(fields.get("name"), "name: leap")
  const description = (fields.get("description") ?? "").replace("description: ", "")
  assert.isAtMost(description.length, 1024)
  // more than a word of YAML: a colon with a blank, or a hash with one before it, would end it
  assert.notMatch(description, /: | #|^["'[{>|*&!%@`]/)
  // the open standard's fields and no others
  assert.sameMembers(
    [...fields.keys()].filter((name) => name !== undefined),
    ["name", "description", "license", "compatibility", "metadata"]
  )
  assert.match(body, /^# leap/)
  assert.isAtMost(stdout.split("\n").length, 80)
})

live("teaches command lines that leap takes", function* () {
  const { leap, room } = yield* roomWith()
  yield* startDemo(room, "my-feature")
  yield* endsWell(room.leap(["send", "my-feature", "hello", "--wait"]))
  const { stdout } = yield* leap("skill")
  const lines = [...stdout.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = ""]) => block.trim().split("\n"))
  assert.isAbove(lines.length, 10)
  for (const line of lines) {
    const own = /(?:^|\| )leap (.*?)(?: +#.*)?$/.exec(line)?.[1] ?? ""
    const words = [...own.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "")
    const { code, stderr } = yield* room.leap(words, "a change")
    // nothing is asked on the screen, so that there is nothing to answer
    assert.include(words[0] === "answer" ? [5] : [0], code, `${line}: ${stderr}`)
  }
  // and names no other command of leap's that is not there
  const named = [...stdout.matchAll(/`leap ([a-z]+)`/g)].map(([, name = ""]) => name)
  assert.isAbove(named.length, 2)
  for (const name of named) assert.include(commandNames, name)
})

live("is written where each CLI looks, once for those that share a folder, and again without a change", function* () {
  const { leap, room } = yield* roomWith("claude", "codex", "gemini", "copilot", "opencode")
  const own = path.join(room.dir, ".claude/skills/leap/SKILL.md")
  const shared = path.join(room.dir, ".agents/skills/leap/SKILL.md")
  const { stdout: page } = yield* leap("skill")
  const states = function* () {
    const { stdout } = yield* leap("skill", "--install", "--json")
    const { files } = JSON.parse(stdout) as {
      files: ReadonlyArray<{ file: string; clis: ReadonlyArray<string>; state: string }>
    }
    return files.map(({ clis, file, state }) => [file, [...clis].toSorted().join(" "), state])
  }
  const others = "codex copilot gemini opencode"
  assert.sameDeepMembers(yield* states(), [
    [own, "claude", "written"],
    [shared, others, "written"]
  ])
  for (const file of [own, shared]) assert.strictEqual(`${fs.readFileSync(file, "utf8").trimEnd()}\n`, page)
  const { ino } = fs.statSync(own)
  fs.appendFileSync(shared, "of an earlier leap\n")
  assert.sameDeepMembers(yield* states(), [
    [own, "claude", "there already"],
    [shared, others, "written anew"]
  ])
  assert.strictEqual(fs.statSync(own).ino, ino)

  // a page that somebody else wrote stays, also when leap goes
  fs.writeFileSync(own, "---\nname: leap\n---\nmine\n")
  const told = yield* leap("skill", "--install", "claude")
  assert.include(told.stdout, `not leap's, and left alone  ${own}  claude`)
  fs.writeFileSync(path.join(shared, "../notes.md"), "mine")
  const gone = yield* leap("uninstall")
  assert.match(gone.stdout, /^removed +(\S+) +the page for agents$/m)
  assert.include(gone.stdout, shared)
  assert.notInclude(gone.stdout, own)
  assert.isFalse(fs.existsSync(shared))
  assert.strictEqual(fs.readFileSync(own, "utf8"), "---\nname: leap\n---\nmine\n")
  assert.deepStrictEqual(fs.readdirSync(path.dirname(shared)), ["notes.md"])

  fs.rmSync(own)
  yield* endsWell(leap("skill", "--install", "claude"))
  yield* endsWell(leap("uninstall"))
  assert.deepStrictEqual(fs.readdirSync(path.join(room.dir, ".claude/skills")), [])
})

live("says where there is no folder for it, or none that can be written", function* () {
  const { leap, room } = yield* roomWith()
  const none = yield* leap("skill", "--install")
  assert.deepStrictEqual(
    [none.code, none.stderr],
    [5, "leap: no CLI that has a folder for such pages is installed; 'leap skill' prints it\n"]
  )
  const demo = yield* leap("skill", "--install", "demo")
  assert.match(demo.stderr, /^leap: leap knows no folder for such pages of 'demo'; 'leap skill' prints it\n$/)
  fs.writeFileSync(path.join(room.dir, ".claude"), "")
  const file = yield* leap("skill", "--install", "claude")
  assert.deepStrictEqual(
    [file.code, file.stderr],
    [1, `leap: cannot write ${path.join(room.dir, ".claude/skills/leap/SKILL.md")}: there is no such directory\n`]
  )
})

import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import type { Policy } from "../../src/domain/store/settings/Settings.ts"
import type { ToolRequest } from "../../src/domain/policy/ToolRequest.ts"
import * as SystemNode from "../../src/layers/system/SystemNode.ts"
import { asksDisk } from "../../src/domain/engine/approvals/decideUncertain.ts"
import * as HookRules from "../../src/domain/engine/approvals/HookRules.ts"
import { decider } from "../../src/domain/policy/decide.ts"
import { presets } from "../../src/domain/policy/presets.ts"
import { followed } from "../../src/services/policy/followLinks.ts"
import { judgeRequest } from "../../src/services/policy/judgeRequest.ts"
import { System } from "../../src/services/System.ts"
import { everyday } from "../domain/policy/everyday.ts"
import { others } from "../domain/policy/everydayOthers.ts"
import { testPatience } from "../support/run/patience.ts"
import { seedNumber } from "../support/run/seed.ts"
import { isThorough } from "../support/run/thorough.ts"
import { bash, policyOf } from "../domain/policy/support.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "leap-globs-")))
const project = join(home, "project")
const secret = join(home, ".ssh")
const many = join(home, "many")
const few = join(home, "few")

beforeAll(() => {
  for (const name of ["src/lib/deep", "src/.hidden", "docs", "dash", "lists", "many", "node_modules/@a"])
    mkdirSync(join(project, name), { recursive: true })
  for (const place of [join(secret, "old"), many, few]) mkdirSync(place, { recursive: true })
  for (const name of ["id_rsa", "old/id_rsa", "config"]) writeFileSync(join(secret, name), "key")
  for (const name of [
    "src/a.ts",
    "src/lib/b.ts",
    "src/lib/deep/c.ts",
    "docs/id_rsa",
    "docs/keys.md",
    "dash/-r",
    "lists/@x"
  ])
    writeFileSync(join(project, name), "text")
  symlinkSync(secret, join(project, "src/keys"))
  symlinkSync(secret, join(project, "src/lib/k2"))
  symlinkSync(join(secret, "id_rsa"), join(project, "src/key.txt"))
  symlinkSync(secret, join(project, "src/.hidden/k"))
  symlinkSync(join(project, "docs"), join(project, "src/docs"))
  symlinkSync(secret, join(home, "keys"))
  symlinkSync(join(secret, "id_rsa"), join(few, "beside"))
  for (const name of ["main.js", "@a/other.js"])
    symlinkSync(join(secret, "id_rsa"), join(project, "node_modules", name))
  for (let n = 0; n < 4_100; n++) writeFileSync(join(many, `f${n}`), "")
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

const machine = SystemNode.layerWith({ version: "0", self: [], cwd: project, env: { HOME: home } })
const line = (command: string): ToolRequest => ({ ...bash(command), cwd: project })

/** As a hook's request is decided, and as `policy test` does. */
const verdictOf = Effect.fnUntraced(function* (command: string, rules: Partial<Policy>) {
  const policy = policyOf(rules)
  const options = {
    policy,
    home,
    tag: "t",
    cli: "claude",
    directory: project,
    mode: policy.deny.length > 0 ? "always" : "pause"
  } as const
  return (yield* judgeRequest(yield* System, options, line(command))).decision.verdict
})

describe("a denied place behind a link", () => {
  it.effect.each([
    ["cat src/keys/id_rsa", "deny"],
    ["cd src && cat keys/id_rsa", "deny"],
    ["cat src/k*/id_rsa", "deny"],
    ["cat src/k*", "deny"],
    ["cat src/[j-l]eys/id_rsa", "deny"],
    ["cat src/[[:alpha:]]eys/id_rsa", "deny"],
    ["cat src/?eys/id_rsa", "deny"],
    ["cat src/{a,keys}/id_rsa", "deny"],
    ["cat src/{lib,x}/k*/id_rsa", "deny"],
    ["cat */keys/id_rsa", "deny"],
    ["cd src && cat */k2/id_rsa", "deny"],
    ["shopt -s globstar; cat **/keys/id_rsa", "deny"],
    ["shopt -s dotglob; cat src/*/k/id_rsa", "deny"],
    ["cat src/.h*/k/id_rsa", "deny"],
    ["cat ~/keys/id_rsa", "deny"],
    ["cat ~/k*/id_rsa", "deny"],
    ['cat "$HOME"/keys/id_rsa', "deny"],
    ["for d in src; do cat $d/keys/id_rsa; done", "deny"],
    ["D=src; cat $D/k*/id_rsa", "deny"],
    ["bash -c 'cd src && cat keys/id_rsa'", "deny"],
    ["git -C src diff --no-index keys/id_rsa /dev/null", "deny"],
    ["head --lines=1 < src/k*/id_rsa", "deny"],
    // through what links below a directory lead to
    ["grep -R key .", "deny"],
    ["grep --dereference-recursive key src", "deny"],
    ["rg -L key", "deny"],
    ["rg --follow key src", "deny"],
    ["find -L src -name id_rsa", "deny"],
    ["find src -follow -type f", "deny"],
    ["cp -rL src /tmp/x", "deny"],
    ["tar chf x.tar src", "deny"],
    ["tar -czhf x.tgz src", "deny"],
    ["rsync -aL src/ /tmp/x", "deny"],
    ["du -L src", "deny"],
    ["ls -RL src", "deny"],
    ["tree -l src", "deny"],
    ["zip -r x.zip src", "deny"],
    ["scp -r src host:", "deny"],
    ["diff -r src /tmp", "deny"],
    ["7z a x.7z src", "deny"],
    ["chmod -RL 700 src", "deny"],
    ["cd src && grep -R key", "deny"],
    ["sh -c 'cd src; rg -L key'", "deny"],
    ["for d in src; do grep -R key $d; done", "deny"],
    ["grep -R key s*", "deny"],
    ["grep -R key ../many", "ask"],
    ["find src | xargs cat", "deny"],
    ["find src -type l | xargs cat", "deny"],
    ["find src -name '*.txt' -exec cat {} +", "deny"],
    ["ls src | xargs -I{} cat src/{}", "deny"],
    ["for d in */; do (cd $d && cat keys/id_rsa); done", "deny"],
    ["find src -type f -exec cat {} +", "allow"],
    ["find . -name 'c.ts' | xargs cat", "allow"],
    // where packages stand links lead elsewhere, too
    ["find . -name main.js | xargs cat", "deny"],
    ["find . -name 'oth*.js' -exec cat {} +", "deny"],
    // find's own options, in all its versions, and what narrows nothing that is run before it
    ["find -P ../few -name beside -exec cat {} +", "deny"],
    ["find -O2 -D tree ../few -name beside -exec cat {} +", "deny"],
    ["find -x -f ../few -name beside -exec cat {} +", "deny"],
    ["find -P src -type f -exec cat {} +", "allow"],
    ["find src -exec cat {} + -type f", "deny"],
    ["find src ! -type f -exec cat {} +", "deny"],
    ["find src -type d -o -exec cat {} +", "deny"],
    ["find src -exec echo -type f \\; -exec cat {} +", "deny"],
    ["find src -exec echo {} + -exec cat {} +", "deny"],
    ["find src -exec cat {} + -name a.ts", "deny"],
    ["find src -name 'key*' -name '*.txt' -exec cat {} +", "deny"],
    ["find src -name 'key\\.txt' -exec cat {} +", "deny"],
    ["find src -name a.ts -exec cat {} +", "allow"],
    ["find . -name 'key*' -exec cat {} +", "deny"],
    ["find src -exec rm {} +", "allow"],
    ["find src -type f -name '*.ts' | xargs cat", "allow"],
    ["grep -r key src", "allow"],
    ["cp -a src /tmp/x", "allow"],
    ["tar -czf x.tgz src", "allow"],
    ["ls -R src", "allow"],
    ["grep -R key docs", "allow"],
    // what a file lists may be anything
    ["xargs -a docs/keys.md cat", "ask"],
    ["xargs cat < docs/keys.md", "ask"],
    ["cat docs/keys.md | xargs cat", "ask"],
    ["sort docs/keys.md | uniq | xargs -n 1 cat", "ask"],
    ["find docs | xargs cat | xargs cat", "ask"],
    ["git show HEAD:list | xargs cat", "ask"],
    ["cat $(<docs/keys.md)", "ask"],
    ["tar cT docs/keys.md", "ask"],
    ["rsync --files-from=docs/keys.md / /tmp/x", "ask"],
    ["wc --files0-from=docs/keys.md", "ask"],
    ["cd lists && strings *", "ask"],
    ["cd lists && cat *", "allow"],
    ["strings lists/*", "allow"],
    ["cat docs/keys.md | nice xargs cat", "ask"],
    ["cat docs/keys.md | sh -c 'xargs cat'", "ask"],
    ["time xargs cat < docs/keys.md", "ask"],
    ["file -f docs/keys.md", "ask"],
    ["zip x.zip -@ < docs/keys.md", "ask"],
    ["cpio -o < docs/keys.md", "ask"],
    ["parallel -a docs/keys.md cat", "ask"],
    ["grep -f docs/keys.md docs/id_rsa", "allow"],
    ["find docs -type f -name '*.md' | grep keys | sort | head -n 5 | xargs cat", "allow"],
    ["git ls-files docs | xargs cat", "allow"],
    // what the variable is nobody knows, and a link out of the project is among what it may be
    ["cat src/$X/id_rsa", "ask"],
    ["cat ../many/*", "ask"],
    ["cat src/*.ts", "allow"],
    ["cat src/d*/id_rsa", "allow"],
    ["cat docs/k*", "allow"],
    ["cat docs/$X", "allow"],
    ["cat '$X'/id_rsa", "allow"],
    ["ls src/*/b.ts", "allow"],
    ["cat 'src/k*/id_rsa'", "allow"]
  ] as const)("%s: %s", ([command, wanted]) =>
    Effect.map(verdictOf(command, { deny: [{ path: "~/.ssh/**" }] }), (verdict) =>
      assert.strictEqual(verdict, wanted)
    ).pipe(Effect.provide(machine))
  )
})

describe("what is written below the project only", () => {
  it.effect.each([
    ["chmod 600 src/a*", "allow"],
    ["chmod 600 src/k*", "ask"],
    ["chmod 600 src/do*", "allow"],
    ["cd src && chmod 600 k*", "ask"],
    ["rm docs/k*", "allow"],
    ["rm src/k*/id_rsa", "ask"],
    ["cd docs && rm *.md", "allow"],
    ["cd dash && rm *", "ask"],
    ["rm -f docs/*.md", "allow"],
    ["rm -f src/*", "ask"]
  ] as const)("%s: %s", ([command, wanted]) => {
    const allow = ["chmod *", "rm *", "cd *"].map((command) => ({ command }))
    return Effect.map(verdictOf(command, { allow: [...allow, { kind: "edit", path: "./**" }] }), (verdict) =>
      assert.strictEqual(verdict === "allow" ? "allow" : "ask", wanted)
    ).pipe(Effect.provide(machine))
  })
})

const pieces = [
  "src",
  "keys",
  "lib",
  "k2",
  "docs",
  "id_rsa",
  "*",
  "**",
  "?eys",
  "k*",
  "[a-l]*",
  "[!k]*",
  ".*",
  "{src,docs}"
]
const Words = Schema.Array(
  Schema.Array(Schema.Literals(pieces)).check(Schema.isMinLength(1), Schema.isMaxLength(4))
).check(Schema.isMinLength(15), Schema.isMaxLength(15))

/** What bash makes of words, links followed. */
const expandedByBash = (options: string, words: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const script = words.map((word) => `printf '%s\\0' ${word} | xargs -0 realpath -qe --; echo --`).join("\n")
  const { stdout } = spawnSync("bash", ["-c", `${options}${script}`], { cwd: project, encoding: "utf8" })
  return stdout.split("--\n").map((found) => found.split("\n"))
}

describe("where words lead", () => {
  it.effect.prop(
    "no word passes that bash leads to a denied place, whatever it is told of dots and stars",
    { drawn: Words },
    ({ drawn }) =>
      Effect.gen(function* () {
        const words = drawn.map((parts) => parts.join("/"))
        for (const options of ["", "shopt -s dotglob globstar nocaseglob; "]) {
          const found = expandedByBash(options, words)
          assert.isAbove(found.length, words.length)
          for (const [i, word] of words.entries()) {
            const reached = (found[i] ?? []).filter((path) => path.startsWith(secret))
            if (reached.length === 0) continue
            const verdict = yield* verdictOf(`${options}cat ${word}`, { deny: [{ path: "~/.ssh/**" }] })
            assert.notStrictEqual(verdict, "allow", `${options}${word}: ${reached.join()}`)
          }
        }
      }).pipe(Effect.provide(machine)),
    { arbitrary: { runs: isThorough ? 100 : 4 }, timeout: isThorough ? 900_000 : 60_000 }
  )
})

describe("what policy test says", () => {
  const lines = [...everyday, ...others].filter((_, i) => i % (isThorough ? 3 : 12) === seedNumber % 3)
  const policies = [...presets.map(({ policy }) => policy), policyOf({ deny: [{ command: "rm -r /" }] })]
  it.effect.each(policies.map((policy, i) => ({ policy, i })))(
    "is what a session's host decides: $i",
    ({ policy }) =>
      Effect.gen(function* () {
        const system = yield* System
        const options = { policy, home, tag: "t", cli: "claude", directory: project, mode: "pause" } as const
        const rules = { auditable: true, hooks: { ...HookRules.noRules, policy, judge: decider(options) } }
        for (const one of [...lines, "rm docs/*.md", "rm *", "cat src/keys/id_rsa", "grep -R key src"]) {
          const { request, certain } = asksDisk(policy)
            ? yield* followed(system, line(one), home)
            : { request: line(one), certain: true }
          const said = (yield* judgeRequest(system, options, line(one))).decision
          assert.deepStrictEqual(said, HookRules.decide(rules, "pause", request, certain), one)
        }
      }).pipe(Effect.provide(machine)),
    testPatience
  )
})

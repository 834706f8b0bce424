import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as Arbitrary from "effect/Arbitrary"
import { decide } from "../../../src/domain/policy/decide.ts"
import type { Verdict } from "../../../src/domain/policy/Decision.ts"
import { policyProblems } from "../../../src/domain/policy/problems.ts"
import { readCommandLine } from "../../../src/domain/policy/ShellInner.ts"
import { summary } from "../../../src/domain/policy/summary.ts"
import type { ToolRequest } from "../../../src/domain/policy/ToolRequest.ts"
import { maskSecrets } from "../../../src/domain/words/text/Secrets.ts"
import type { Policy, PolicyRule } from "../../../src/domain/store/settings/Settings.ts"
import { runsOf } from "../../support/recordings/scenes.ts"
import { bash, policyOf, request } from "./support.ts"

const pick = <const A extends ReadonlyArray<string>>(...of: A) => Schema.Literals(of)
const list = <A>(item: Arbitrary.Arbitrary<A>, maxLength: number) => Arbitrary.array(item, { minLength: 0, maxLength })

/** Pieces of command lines, the dangerous and the harmless. */
const piece = Arbitrary.schema(
  pick(
    "rm",
    "-rf",
    "/",
    "git",
    "push",
    "status",
    "ls",
    "echo",
    "x",
    "'",
    '"',
    "\\",
    "$",
    "$(",
    "${",
    ")",
    "}",
    "`",
    ";",
    "&&",
    "||",
    "|",
    "&",
    "\n",
    "(",
    "{",
    "<",
    ">",
    "<<E",
    "\nE\n",
    "<<<",
    " ",
    "  ",
    "\t",
    "#",
    "*",
    "?",
    "[",
    "]",
    "~",
    "=",
    "X=1",
    "if",
    "then",
    "fi",
    "for",
    "do",
    "done",
    "case",
    "in",
    "esac",
    "[[",
    "]]",
    "((",
    "))",
    "!",
    "sudo",
    "env",
    "sh -c",
    "eval",
    "xargs",
    "\u0000",
    "\r",
    "é",
    "\ud800",
    "$'\\x72m'",
    "-u",
    "2>&1",
    "/bin/",
    "a"
  )
)
const line = Arbitrary.map(list(piece, 14), (pieces) => pieces.join(""))
const spaced = Arbitrary.map(list(piece, 14), (pieces) => pieces.join(" "))

const rule: Arbitrary.Arbitrary<PolicyRule> = Arbitrary.schema(
  Schema.Struct({
    tool: Schema.optionalKey(pick("Bash", "Edit", "B*", "", "\\")),
    kind: Schema.optionalKey(pick("command", "edit", "read")),
    command: Schema.optionalKey(
      pick("rm *", "rm -rf *", "git push*", "ls*", "echo *", "*", "* x", "", "a | b", "git *", "?", "$*")
    ),
    path: Schema.optionalKey(pick("/etc/**", "~/x", "./**", "**", "*/../x", "[", "{a", "/(", "!(x)", "")),
    agent: Schema.optionalKey(pick("main", "Explore", "*"))
  })
)
const rules = list(rule, 3)
const policy: Arbitrary.Arbitrary<Policy> = Arbitrary.flatMap(rules, (deny) =>
  Arbitrary.flatMap(rules, (ask) => Arbitrary.map(rules, (allow) => ({ deny, ask, allow })))
)
const mode = Arbitrary.schema(pick("pause", "always"))

const file = Arbitrary.schema(pick("/etc/x", "~/x", "a", "../../etc/y", "", "/", "b\u0000", "/srv/app/c"))
const wanted: Arbitrary.Arbitrary<ToolRequest> = Arbitrary.flatMap(
  Arbitrary.schema(pick("command", "edit", "read", "fetch", "other", "question")),
  (kind) =>
    Arbitrary.flatMap(list(file, 2), (paths) =>
      Arbitrary.map(line, (command) =>
        request({
          tool: kind === "command" ? "Bash" : "Edit",
          kind,
          paths,
          command: kind === "command" ? command : null
        })
      )
    )
)

const width: Readonly<Record<Verdict, number>> = { deny: 0, ask: 1, allow: 2 }
const say = (policy: Policy, mode: "pause" | "always", wanted: ToolRequest) =>
  decide({ policy, mode, home: "/home/me", tag: "t", cli: "c", directory: "/srv/app" }, wanted)
const verdict = (policy: Policy, mode: "pause" | "always", wanted: ToolRequest) =>
  width[say(policy, mode, wanted).verdict]

describe("laws of decisions", () => {
  it.prop(
    "another deny or ask rule never widens",
    { policy, rule, mode, wanted },
    ({ mode, policy, rule, wanted }) => {
      const before = verdict(policy, mode, wanted)
      for (const deny of [
        [rule, ...policy.deny],
        [...policy.deny, rule]
      ])
        assert.isAtMost(verdict({ ...policy, deny }, mode, wanted), before)
      const asked = verdict({ ...policy, ask: [...policy.ask, rule] }, mode, wanted)
      assert.isAtMost(asked, Math.max(before, width.ask))
      if (before === width.deny) assert.strictEqual(asked, before)
    },
    runsOf(200)
  )

  it.prop(
    "another allow rule changes nothing that a deny or ask rule has decided, and never narrows",
    { policy, rule, mode, wanted },
    ({ mode, policy, rule, wanted }) => {
      const before = say(policy, mode, wanted)
      const after = say({ ...policy, allow: [...policy.allow, rule] }, mode, wanted)
      if (before.verdict === "deny" || (before.rule !== null && before.verdict === "ask"))
        assert.deepStrictEqual(after, before)
      assert.isAtLeast(width[after.verdict], width[before.verdict])
    },
    runsOf(200)
  )

  it.prop(
    "a rule that denies for certain wins over all others",
    { policy, mode, wanted },
    ({ mode, policy, wanted }) => {
      const alone = say(policyOf({ deny: policy.deny }), mode, wanted)
      if (alone.verdict === "deny") assert.deepStrictEqual(say(policy, mode, wanted), alone)
      // a rule without conditions denies everything but questions
      assert.strictEqual(
        say({ ...policy, deny: [...policy.deny, {}] }, mode, wanted).verdict,
        wanted.kind === "question" ? "ask" : "deny"
      )
    },
    runsOf(200)
  )

  it.prop(
    "the mode always is never narrower than pause, and no mode touches what a rule has decided",
    { policy, wanted },
    ({ policy, wanted }) => {
      const [pause, always] = [say(policy, "pause", wanted), say(policy, "always", wanted)]
      assert.isAtLeast(width[always.verdict], width[pause.verdict])
      if (pause.rule !== null) assert.deepStrictEqual(always, pause)
    },
    runsOf(200)
  )

  it.prop(
    "a line that holds a denied command in plain sight is never allowed",
    { before: spaced, after: spaced, mode },
    ({ after, before, mode }) => {
      const denied = policyOf({ deny: [{ command: "rm -rf *" }], allow: [{}] })
      // a quote, a comment or a heredoc before it may make a text of it: then it is one for the shell, too
      const held = readCommandLine(before)
      if (held.unclear !== null || /['"\\`#$<]|\[\[|\(\(|case|for|in\b/.test(before) || /['"\\`<]/.test(after)) return
      assert.notStrictEqual(say(denied, mode, bash(`${before}\nrm -rf /\n${after}`)).verdict, "allow")
    },
    runsOf(300)
  )

  it.prop(
    "total: any texts in any field",
    { a: Schema.String, b: Schema.String, c: Schema.String, line },
    ({ a, b, c, line }) => {
      const every = { tool: a, command: b, path: c, url: a, agent: b, cli: c, tag: a, reason: b }
      for (const one of [
        every,
        { command: a },
        { path: b },
        { url: c },
        { path: line },
        { command: line },
        { url: line }
      ]) {
        const policy = { deny: [one], ask: [one], allow: [one] }
        for (const command of [a, line, null]) {
          const wanted = request({
            tool: a,
            kind: "command",
            command,
            paths: [b, line],
            realPaths: [c],
            url: a,
            agent: c,
            cwd: b
          })
          const { verdict, why } = decide({ policy, mode: "always", home: a, tag: b, cli: c }, wanted)
          assert.isTrue(verdict in width && why !== "")
          assert.notInclude(summary(wanted), "\n")
        }
        assert.isArray(policyProblems(policy))
      }
      assert.strictEqual(maskSecrets(maskSecrets(line + a)), maskSecrets(line + a))
    },
    runsOf(60)
  )
})

/** The same words, spelled in other ways. */
const spellings: ReadonlyArray<(word: string) => string> = [
  (word) => word,
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => [...word].map((char) => `\\${char}`).join(""),
  (word) => [...word].map((char) => `'${char}'`).join(""),
  (word) => `${word.slice(0, 1)}""${word.slice(1)}`,
  (word) => `${word.slice(0, 1)}\\\n${word.slice(1)}`,
  (word) => `''${word}`
]
const word = Arbitrary.schema(pick("rm", "-rf", "/", "git", "push", "status", "ls", "a b", "x;y", "$z", "#", "*"))
const Spelled = Arbitrary.array(
  Arbitrary.flatMap(word, (text) =>
    Arbitrary.map(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 7 }))), (how) => ({
      text,
      how
    }))
  ),
  { minLength: 1, maxLength: 5 }
)

describe("spelling", () => {
  it.prop(
    "does not matter",
    { words: Spelled, policy, mode, gap: pick(" ", "  ", "\t", " \\\n ") },
    ({ gap, mode, policy, words }) => {
      const plain = words.map(({ text }) => `'${text}'`).join(" ")
      const fancy = words
        .map(({ how, text }) =>
          /[\s;$#*]/.test(text) && how > 4
            ? `"${text.replaceAll("$", "\\$")}"`
            : how === 2
              ? `"${text.replaceAll("$", "\\$")}"`
              : spellings[how]!(text)
        )
        .join(gap)
      // a word that goes on in the next line is read by suspicion, and then never more is allowed
      if (words.some(({ how }) => how === 6))
        assert.isAtMost(verdict(policy, mode, bash(fancy)), verdict(policy, mode, bash(plain)), fancy)
      else assert.deepStrictEqual(say(policy, mode, bash(fancy)), say(policy, mode, bash(plain)), fancy)
    },
    runsOf(200)
  )
})

describe("work", () => {
  const long = (text: string, length = 60_000) => text.repeat(Math.ceil(length / text.length))
  it("a line that is nested beyond any use is not allowed, and nothing fails", () => {
    for (const unit of ["$(", "${", "$((", '"$(', "`", "`\\`", "(", "{ ", "<(", "if ", "! ", "[[ ( ", "<<E\n", "a=("])
      for (const text of [unit.repeat(2_000), long(unit)]) {
        const policy = { ...policyOf({ deny: [{ command: "rm -rf *" }] }), allow: [{ command: "*" }] }
        assert.notStrictEqual(say(policy, "always", bash(`${text}rm -rf /`)).verdict, "allow", `${unit} ${text.length}`)
        assert.isAbove(say(policy, "always", bash(text)).why.length, 0)
      }
  })

  it("a long line is judged like a short one", () => {
    const policy = policyOf({ deny: [{ command: "rm -rf *" }, { command: "*x*y*z*" }], allow: [{ command: "echo *" }] })
    assert.strictEqual(say(policy, "always", bash(`echo ${long("a ")}; rm -rf /`)).verdict, "deny")
    assert.strictEqual(say(policy, "always", bash(`${long("ls;")} rm -rf /`)).verdict, "deny")
    assert.strictEqual(say(policy, "pause", bash(`echo ${long("a ")}`)).verdict, "allow")
  })
})

import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type Candidate, type CompletionSource, wanted } from "../../../../src/domain/words/arguments/Completion.ts"
import { completionShells } from "../../../../src/domain/words/arguments/completionShells.ts"
import { completionAnswer } from "../../../../src/domain/words/arguments/completionAnswer.ts"
import tree from "#generated/completionTree.mts"

const Shell = Schema.Literals(completionShells)

/** What a message, a tag or a setting may hold. */
const Nasty = Schema.Union([
  Schema.String,
  Schema.Literals([
    "$(touch x)",
    "`x`",
    "a b",
    "a\nb",
    "a\tb",
    "\u001b]0;x\u0007",
    "a;b",
    "'",
    '"',
    "*",
    "~",
    "!1",
    "\\",
    "a"
  ])
])

interface Named {
  readonly name: string
  readonly operands: ReadonlyArray<string>
  readonly flags: ReadonlyArray<{ readonly names: ReadonlyArray<string> }>
  readonly commands: ReadonlyArray<Named>
}
const namesIn = ({ commands, flags, name, operands }: Named): ReadonlyArray<string> => [
  name,
  ...operands,
  ...flags.flatMap(({ names }) => names),
  ...commands.flatMap(namesIn)
]
const Word = Schema.Literals([...namesIn(tree.root), "", "--", "=", "-", "a,b", "--x=y"])

const sourcesOf = (line: string, shell: "bash" | "zsh" = "zsh") => wanted(tree.root, shell, line.split(" ")).sources

/** What is offered when each source gives what its name says. */
const offered = (line: string, shell: "bash" | "zsh" = "zsh"): ReadonlyArray<string> => {
  const live = (source: CompletionSource): ReadonlyArray<Candidate> => {
    const words = (...values: ReadonlyArray<string>) => values.map((value) => ({ value, text: `about ${value}` }))
    switch (source._tag) {
      case "Words":
        return source.words
      case "Tags":
        return words(`${source.of}-1`, `${source.of}-2`)
      case "Clis":
        return words("one-cli", "other-cli")
      case "Hosts":
        return words("box", "far")
      case "Messages":
        return words(`of-${source.tag}`)
      case "Settings":
        return tree.settings
      case "SettingValues":
        return words(...(tree.settings.find(({ value }) => value === source.name)?.takes ?? []))
      case "Options":
        return words("1", "2")
      default:
        return []
    }
  }
  const [kind = "", ...lines] = completionAnswer(shell, wanted(tree.root, shell, line.split(" ")), live).split("\n")
  return kind === "words" ? lines.map((text) => text.split("\t")[0]!) : [kind]
}

describe("what a shell completes", () => {
  it("is a command or a session first", () => {
    assert.deepStrictEqual(offered("sto"), ["stop"])
    assert.includeMembers([...offered("")], ["send", "queue", "all-1"])
    assert.deepStrictEqual(offered("help que"), ["queue"])
    assert.deepStrictEqual(offered("hooks in"), ["install"])
  })

  it("is a session that the command can do something with", () => {
    assert.deepStrictEqual(offered("stop "), ["running-1", "running-2"])
    assert.deepStrictEqual(offered("forget "), ["ended-1", "ended-2"])
    assert.deepStrictEqual(offered("why "), ["all-1", "all-2"])
    assert.deepStrictEqual(offered("move "), ["all-1", "all-2"])
    assert.deepStrictEqual(offered("hand "), ["all-1", "all-2"])
    assert.deepStrictEqual(offered("queue move "), ["running-1", "running-2"])
    assert.deepStrictEqual(offered("queue retry "), ["running-1", "running-2"])
    assert.deepStrictEqual(offered("stop running-1 "), ["running-2"], "not once more")
    assert.deepStrictEqual(offered("attach running-1 "), [], "only one")
    assert.deepStrictEqual(offered("stop --force r"), ["running-1", "running-2"], "behind a flag")
    assert.includeMembers([...offered("queue ")], ["hold", "all-1"])
  })

  it("is a message, an option, a key or nothing behind the session", () => {
    assert.deepStrictEqual(sourcesOf("queue edit feature "), [{ _tag: "Messages", tag: "feature" }])
    assert.deepStrictEqual(offered("queue hold feature "), ["of-feature"])
    assert.deepStrictEqual(offered("queue retry feature "), ["of-feature"])
    assert.deepStrictEqual(offered("answer feature "), ["1", "2"])
    assert.deepStrictEqual(offered("keys feature E"), ["Esc", "Enter"])
    assert.deepStrictEqual(offered("send feature "), [], "a text is the user's")
    assert.deepStrictEqual(offered("send --all "), [])
    assert.deepStrictEqual(offered("send --tags a,b "), [])
  })

  it("is another machine, and behind it what is the same on all of them", () => {
    assert.deepStrictEqual(offered("--host b"), ["box"])
    assert.deepStrictEqual(offered("hosts remove "), ["box", "far"])
    assert.deepStrictEqual(offered("hosts test box "), ["far"])
    assert.deepStrictEqual(offered("hosts add "), [])
    assert.deepStrictEqual(offered("--host box sto"), ["stop"])
    assert.deepStrictEqual(offered("--host box stop "), [], "sessions of this machine")
    assert.deepStrictEqual(offered("--host box keys feature E"), ["Esc", "Enter"])
  })

  it("is a setting, and what that can be", () => {
    assert.deepStrictEqual(offered("settings s"), ["set", "schema"])
    assert.deepStrictEqual(offered("settings set notify.q"), ["notify.quietHours"])
    assert.deepStrictEqual(offered("settings get record"), ["record", "recordDays", "recordMegabytes"])
    assert.deepStrictEqual(offered("settings unset post.a"), ["post.answer"])
    assert.deepStrictEqual(offered("settings set modes.autoSend "), ["pause", "always"])
    assert.deepStrictEqual(offered("settings set notify.desktop "), ["true", "false", "auto"])
    assert.deepStrictEqual(offered("settings set prices "), ["null"])
    assert.deepStrictEqual(offered("settings set night.message "), [])
    assert.deepStrictEqual(offered("settings set nonsense "), [])
  })

  it("is a flag, once, and what may follow it", () => {
    assert.deepStrictEqual(offered("mode feature --a"), ["--all", "--auto-send"])
    assert.deepStrictEqual(offered("mode feature --all --a"), ["--auto-send"])
    assert.deepStrictEqual(offered("mode feature --churn "), ["wait", "send"])
    assert.deepStrictEqual(offered("mode feature --churn=s"), ["--churn=send"])
    assert.deepStrictEqual(offered("feature --cli "), ["one-cli", "other-cli"])
    assert.deepStrictEqual(offered("start --cli=ot"), ["--cli=other-cli"])
    assert.deepStrictEqual(offered("hand feature --to "), ["one-cli", "other-cli"])
    assert.deepStrictEqual(offered("wait feature --until idle,r"), ["idle,running"])
    assert.deepStrictEqual(offered("wait feature --until idle,i"), ["idle,interrupted"])
    assert.deepStrictEqual(offered("send --tags running-1,"), ["running-1,running-2"])
    assert.deepStrictEqual(offered("send --image "), ["files"])
    assert.deepStrictEqual(offered("start --cwd "), ["directories"])
    assert.deepStrictEqual(offered("move feature "), ["directories"])
    assert.deepStrictEqual(offered("feature -- "), ["files"], "the CLI's own words")
    assert.deepStrictEqual(offered("status --json=x"), [])
  })

  it("is the same where bash has cut a flag from its value", () => {
    assert.deepStrictEqual(offered("mode feature --churn = s", "bash"), ["send"])
    assert.deepStrictEqual(offered("mode feature --churn =", "bash"), ["wait", "send"])
    assert.deepStrictEqual(offered("mode --churn = send feature --a", "bash"), ["--all", "--auto-send"])
  })

  it.prop(
    "is nothing that a shell or a terminal obeys, whatever sessions hold",
    { found: Schema.Array(Schema.Struct({ value: Nasty, text: Nasty })), prefix: Nasty, shell: Shell },
    ({ found, prefix, shell }) => {
      const sources = [{ _tag: "Clis" as const }]
      const answer = completionAnswer(shell, { sources, prefix, before: prefix, exclude: [] }, () => [
        ...found,
        { value: `${prefix}ok`, text: "fine" }
      ])
      const [kind, ...lines] = answer.split("\n")
      assert.strictEqual(kind, "words")
      for (const line of lines) {
        const [value = "", text = "", ...more] = line.split("\t")
        assert.match(value, /^[A-Za-z0-9_.,=@+:-]+$/)
        assert.notMatch(text, /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e]/)
        assert.deepStrictEqual(more, [])
      }
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "is something for any line at all, and behind what was typed",
    { line: Schema.Array(Schema.Union([Word, Schema.String])), shell: Shell },
    ({ line, shell }) => {
      const { before, prefix } = wanted(tree.root, shell, line)
      const typed = shell === "bash" && line.at(-1) === "=" ? "" : (line.at(-1) ?? "")
      assert.isTrue(typed.endsWith(before + prefix) || line.at(-1) === "=", JSON.stringify([line, before, prefix]))
    },
    { arbitrary: { runs: 1000 } }
  )
})

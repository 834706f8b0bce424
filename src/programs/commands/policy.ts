import { Effect, Option, Schema } from "effect"
import { fromTilde } from "../../domain/surfaces/picker/Rows.ts"
import { Argument, Command } from "effect/cli"
import { type Preset, presets } from "../../domain/policy/presets.ts"
import { policyProblems, ruleProblems } from "../../domain/policy/problems.ts"
import { ruleText } from "../../domain/policy/RuleText.ts"
import { summary } from "../../domain/policy/summary.ts"
import type { ToolRequest } from "../../domain/policy/ToolRequest.ts"
import { PolicyRule } from "../../domain/store/settings/Settings.ts"
import { oneLine } from "../../domain/words/text/printable.ts"
import { paint, table } from "../../domain/words/wording/StateLine.ts"
import { Tag } from "../../domain/words/session/Tag.ts"
import { System } from "../../services/System.ts"
import { ModesStore } from "../../services/ModesStore.ts"
import { Output } from "../../services/Output.ts"
import { Paths } from "../../services/Paths.ts"
import { Providers } from "../../services/Providers.ts"
import { StatusStore } from "../../services/StatusStore.ts"
import { UserSettings } from "../../services/UserSettings.ts"
import { judgeRequest } from "../../services/policy/judgeRequest.ts"
import { verdictColours } from "../../domain/engine/approvals/auditPage.ts"
import { fail } from "../exit.ts"
import { choiceFlag, jsonFlag, print, textFlag, toggle, wordArgument } from "./shared/common.ts"
import { suggest } from "./policySuggest.ts"
import { absolutePath } from "../../domain/words/text/paths.ts"
import { lintPolicy } from "../../domain/policy/lint.ts"

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

const check = Command.make(
  "check",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const { colour } = yield* Output
    const system = yield* System
    const { file, read } = yield* UserSettings
    const {
      settings: { policy },
      warnings
    } = yield* read
    const clis = (yield* Providers).all.map(({ id }) => id)
    const findings = lintPolicy(policy, { home: system.env["HOME"] ?? "", directory: system.cwd, clis })
    const rules = policy.deny.length + policy.ask.length + policy.allow.length
    const wrong = findings.length + warnings.length
    yield* print(json, { schema: 1, file, rules, findings, warnings }, () =>
      [
        ...findings.flatMap(({ advice, example, kind, says, text, verdict }) => [
          `${paint(verdict, verdictColours[verdict], colour)}${text.slice(verdict.length)}`,
          `    ${kind}: ${oneLine(says, 300)}`,
          `    example: ${oneLine(example, 300)}`,
          `    advice: ${oneLine(advice, 300)}`
        ]),
        ...warnings.map((warning) => `${file}: ${oneLine(warning, 300)}`),
        ...(wrong > 0
          ? []
          : [rules === 0 ? `no rules: ${file} has none` : `${counted(rules, "rule")}, and nothing wrong`])
      ].join("\n")
    )
    if (wrong > 0) return yield* fail("failed", `${counted(wrong, "finding")} in ${file}: see above`)
  })
).pipe(
  Command.withDescription(
    "What is wrong with the rules: mistakes, rules that others shadow, that match nothing, or allow too much"
  )
)

const kindFlag = choiceFlag(
  "kind",
  PolicyRule.fields.kind.schema.literals,
  "What kind of request it is (default: as the other flags say)"
)

export const test = Command.make(
  "test",
  {
    tag: textFlag("tag", "The session that asks (default: a session of no name)"),
    cli: textFlag("cli", "Its CLI (default: that of the session, else the first of 'leap clis')"),
    cwd: textFlag("cwd", "Its directory (default: that of the session, else this one)"),
    tool: textFlag(
      "tool",
      "The tool by the CLI's own name (default: Bash, Edit, Read or WebFetch, as the other flags say)"
    ),
    kind: kindFlag,
    command: textFlag("command", "The command line it would run"),
    path: textFlag("path", "The file it would read or change"),
    url: textFlag("url", "The address it would fetch"),
    agent: textFlag("agent", "The kind of subagent that asks (default: the main conversation)"),
    always: toggle(
      "always",
      "In a session whose mode is 'always' (default: the mode of that session, else of new ones)"
    ),
    json: jsonFlag
  },
  Effect.fn(function* (flags) {
    const output = yield* Output
    const system = yield* System
    const { settings } = yield* (yield* UserSettings).read
    const valueOf = <A>(flag: Option.Option<A>): A | null => Option.getOrNull(flag)
    const tag = valueOf(flags.tag)
    const isTag = Schema.is(Tag)(tag)
    if (tag !== null && !isTag) return yield* fail("usage", `no session can be called ${JSON.stringify(tag)}`)
    const session = isTag ? yield* (yield* StatusStore).read((yield* Paths).session(tag).status) : Option.none()
    const directory = valueOf(flags.cwd) ?? Option.getOrUndefined(session)?.cwd ?? system.cwd
    const cwd = absolutePath(system.cwd, directory)
    const path = valueOf(flags.path)
    const home = system.env["HOME"] ?? ""
    if ([flags.tool, flags.kind, flags.command, flags.path, flags.url].every(Option.isNone))
      return yield* fail("usage", "what would it ask for? --command, --path, --url, --tool or --kind says it")
    const defaults: readonly [ToolRequest["kind"], string] = Option.isSome(flags.command)
      ? ["command", "Bash"]
      : Option.isSome(flags.url)
        ? ["fetch", "WebFetch"]
        : path === null
          ? ["other", "Tool"]
          : Option.contains(flags.kind, "read")
            ? ["read", "Read"]
            : ["edit", "Edit"]
    const asked: ToolRequest = {
      tool: valueOf(flags.tool) ?? defaults[1],
      kind: valueOf(flags.kind) ?? defaults[0],
      command: valueOf(flags.command),
      paths: path === null ? [] : [fromTilde(path, home)],
      url: valueOf(flags.url),
      agent: valueOf(flags.agent),
      cwd
    }
    const stored = isTag ? yield* (yield* ModesStore).read(tag) : null
    const mode = flags.always ? "always" : (stored?.autoSend ?? settings.modes.autoSend)
    const cliName = valueOf(flags.cli) ?? Option.getOrUndefined(session)?.cli ?? null
    const provider = (yield* Providers).all.find(({ bundled, id }) => (cliName === null ? !bundled : id === cliName))
    const { decision, request } = yield* judgeRequest(
      system,
      {
        policy: settings.policy,
        mode,
        home,
        tag: tag ?? "",
        cli: provider?.id ?? cliName ?? "",
        ...(provider === undefined ? {} : { base: provider.base }),
        directory: cwd
      },
      asked
    )
    yield* print(
      flags.json,
      { schema: 1, ...decision, mode, request },
      () =>
        `${paint(decision.verdict, verdictColours[decision.verdict], output.colour)}\n${table([
          ["rule", decision.rule ?? `none; the session's mode is ${mode}`],
          ["why", oneLine(decision.why, 300)],
          ["asked", summary(request)]
        ])}`
    )
  })
).pipe(Command.withDescription("What leap would say to a request, and by which rule. Nothing is run"))

const settingsText = ({ policy }: Preset): string =>
  [
    `{ "policy": {`,
    (["deny", "ask", "allow"] as const)
      .map((verdict) => {
        const rules = policy[verdict].map((rule) => `    ${JSON.stringify(rule)}`).join(",\n")
        return rules === "" ? `  "${verdict}": []` : `  "${verdict}": [\n${rules}\n  ]`
      })
      .join(",\n"),
    "} }"
  ].join("\n")

const preset = Command.make(
  "preset",
  {
    name: wordArgument("name", "Which one (default: lists them)").pipe(Argument.optional),
    json: jsonFlag
  },
  Effect.fn(function* ({ json, name }) {
    if (Option.isNone(name)) {
      const rows = presets.map(({ name, says }) => ({ name, says }))
      return yield* print(json, { schema: 1, presets: rows }, () => table(rows.map(({ name, says }) => [name, says])))
    }
    const found = presets.find((one) => one.name === name.value)
    if (found === undefined) {
      return yield* fail(
        "usage",
        `no preset is called '${oneLine(name.value, 40)}'; there are ${presets.map((one) => one.name).join(", ")}`
      )
    }
    yield* print(json, { schema: 1, ...found }, () => settingsText(found))
  })
).pipe(Command.withDescription("Rules to start from, for settings.json. Nothing is changed"))

export const policy = Command.make(
  "policy",
  { json: jsonFlag },
  Effect.fn(function* ({ json }) {
    const output = yield* Output
    const { file, read } = yield* UserSettings
    const { settings, warnings } = yield* read
    const { policy } = settings
    const clis = (yield* Providers).all.map(({ id }) => id)
    const rules = (["deny", "ask", "allow"] as const).flatMap((verdict) =>
      policy[verdict].map((rule) => ({
        verdict,
        text: ruleText(verdict, rule),
        rule,
        problems: ruleProblems(verdict, rule, clis)
      }))
    )
    const autoSend = settings.modes.autoSend
    const rows = table(
      rules.map(({ rule, text, verdict }) => [
        paint(verdict, verdictColours[verdict], output.colour),
        text.slice(verdict.length + 1),
        rule.reason === undefined ? "" : oneLine(rule.reason, 80)
      ])
    ).split("\n")
    const problems = policyProblems(policy, clis)
    yield* print(json, { schema: 1, file, autoSend, rules, problems, warnings }, () =>
      [
        ...(rules.length === 0
          ? [`no rules: ${file} has none`]
          : rows.flatMap((row, i) => [row, ...(rules[i]?.problems ?? []).map((problem) => `       ! ${problem}`)])),
        ...warnings.map((warning) => `! ${oneLine(warning, 300)}`),
        autoSend === "always"
          ? "what no rule is about is allowed in new sessions (their mode is 'always')"
          : "what no rule is about is asked in new sessions (their mode is 'pause')"
      ].join("\n")
    )
    if (problems.length + warnings.length > 0)
      return yield* fail("failed", `some rules are not what they seem to be: see above, and mend ${file}`)
  })
).pipe(
  Command.withDescription("The rules in force: what is allowed, asked and refused, and what is wrong with them"),
  Command.withSubcommands([test, check, preset, suggest])
)

import { assert } from "@effect/vitest"
import type { AgentCall } from "../../src/domain/cli/agents/AgentCli.ts"
import { freshId } from "../support/headless/headless.ts"
import type { ScenarioRow } from "./support/scenarioTable.ts"
import { argv, clis, type Cli, commandOf, names, refusal, told } from "./agentsShared.ts"

const stdin = "the prompt goes through standard input, where its length, its look and who reads it do not matter"
const streamed = `${stdin}; pieces of the text are asked for`
const open = "models are the CLI's to know: aliases and names change from month to month"

const c = "-p --output-format stream-json --verbose --include-partial-messages"
const claude = (id: string, says: string, call: Partial<AgentCall>, expected: string): ScenarioRow => ({
  id,
  says,
  differs: streamed,
  check: () => {
    assert.strictEqual(argv("claude", call), expected)
    assert.strictEqual(commandOf("claude", { ...call, prompt: "P" }).stdin, "P")
  }
})
const odd = "q\"'&`$VAR; rm -rf /\n🙂"

const x = "exec --json --skip-git-repo-check"
const codex = (id: string, says: string, call: Partial<AgentCall>, expected: string): ScenarioRow => ({
  id,
  says,
  differs: `${stdin}; it runs outside of a repository too, in the sandbox that it has by default`,
  check: () => assert.strictEqual(argv("codex", call), expected)
})
const fresh = `--session-id=${freshId} --output-format=json --silent`
const copilot = (id: string, says: string, call: Partial<AgentCall>, expected: string): ScenarioRow => ({
  id,
  says,
  differs: `${stdin}; a fresh session gets its id from leap, which else would be told only at the very end`,
  check: () => assert.strictEqual(argv("copilot", call), expected)
})
const o = "run --format json --thinking"
const opencode = (id: string, says: string, call: Partial<AgentCall>, expected: string): ScenarioRow => ({
  id,
  says,
  differs: `${stdin}; thoughts are asked for`,
  check: () => assert.strictEqual(argv("opencode", call), expected)
})
const g = "--output-format stream-json"
const gemini = (id: string, says: string, call: Partial<AgentCall>, expected: string): ScenarioRow => ({
  id,
  says,
  differs: stdin,
  check: () => assert.strictEqual(argv("gemini", call), expected)
})

const anyModel = (id: string, cli: Cli, models: ReadonlyArray<string>, differs?: string): ScenarioRow => ({
  id,
  says: "models",
  ...(differs === undefined ? {} : { differs }),
  check: () => {
    for (const model of models) {
      if (model === "") assert.strictEqual(refusal(cli, { options: { model } }), "model: it is empty")
      else assert.include(argv(cli, { options: { model } }), model)
    }
  }
})
const sysFirst = (cli: Cli) => () => {
  assert.strictEqual(commandOf(cli, { prompt: "P", options: { systemPrompt: "SYS" } }).stdin, "SYS\n\nP")
  assert.notInclude(argv(cli, { options: { systemPrompt: "SYS" } }), "SYS")
}
const sysOnce = (cli: Cli) => () =>
  assert.strictEqual(commandOf(cli, { prompt: "P", sessionId: "ID", options: { systemPrompt: "SYS" } }).stdin, "P")

/** Command lines, and what is refused before anything is started. */
export const rows: ReadonlyArray<ScenarioRow> = [
  claude("C1", "no options", {}, c),
  claude("C2", "a model", { options: { model: "sonnet" } }, c.replace("-p", "-p --model sonnet")),
  claude("C3", "the format of the answer changes nothing", { options: { outputFormat: "json" } }, c),
  claude("C4", "tools", { options: { allowedTools: "bash,read" } }, `${c} --allowedTools bash,read`),
  claude("C5", "every tool", { options: { skipPermissions: true } }, `${c} --dangerously-skip-permissions`),
  {
    id: "C6",
    says: "a prompt with all that a shell knows",
    differs: stdin,
    check: () => assert.strictEqual(commandOf("claude", { prompt: odd }).stdin, odd)
  },
  claude("C7", "a first turn", { sessionId: null }, c),
  claude("C8", "a later turn", { sessionId: "ID" }, `${c} -r ID`),
  claude("C9", "a model in a conversation", { options: { model: "opus" } }, c.replace("-p", "-p --model opus")),
  claude(
    "C10",
    "a later turn with tools",
    { sessionId: "ID", options: { allowedTools: ["bash"] } },
    `${c} -r ID --allowedTools bash`
  ),
  claude("C11", "a system prompt", { options: { systemPrompt: "SYS" } }, `${c} --system-prompt SYS`),
  claude("C12", "not again later", { sessionId: "ID", options: { systemPrompt: "SYS" } }, `${c} -r ID`),
  claude(
    "C13",
    "no session, no resume",
    { options: { systemPrompt: "SYS" }, sessionId: null },
    `${c} --system-prompt SYS`
  ),
  anyModel("C20", "claude", ["sonnet", "opus", "claude-3-opus", "claude-3-sonnet-20240229"]),
  anyModel("C21", "claude", ["gpt-4", "invalid-model"], open),
  {
    id: "C22",
    says: "unknown keys",
    check: () =>
      assert.strictEqual(
        argv("claude", { options: JSON.parse('{"unknown":1,"mcp_proxy_config_path":"x"}') as object }),
        c
      )
  },

  gemini("M1", "no options", {}, g),
  gemini("M2", "a later turn", { sessionId: "test" }, `${g} --resume test`),
  {
    id: "M3",
    says: "the format is always there",
    check: () => {
      for (const options of [{ outputFormat: "json" }, { model: "m" }, { skipPermissions: true }] as const)
        assert.include(argv("gemini", { options }), g)
    }
  },
  {
    id: "M4",
    says: "any id; none without one",
    check: () => {
      for (const sessionId of ["b63e9db7-0000-4000-8000-000000000000", "12345"])
        assert.include(argv("gemini", { sessionId }), `--resume ${sessionId}`)
      assert.notInclude(argv("gemini"), "--resume")
    }
  },
  anyModel("M10", "gemini", [
    "gemini-pro",
    "gemini-1.5-pro-latest",
    "gemini-2.0-flash",
    "gemini-3.0",
    "gemini-custom-x",
    "gemini-"
  ]),
  anyModel("M11", "gemini", ["gpt-4", "", "gemini", "GEMINI-pro", "o1"], open),
  {
    id: "M12",
    says: "options of others",
    differs: "numbers out of range are refused when options are read",
    check: () => assert.strictEqual(argv("gemini", { options: { temperature: 1, maxTokens: 5 } }), g)
  },

  codex("K1", "no options", {}, `${x} -`),
  codex("K2", "a model", { options: { model: "gpt-4o" } }, `${x} --model gpt-4o -`),
  codex("K3", "options of others", { options: { maxTokens: 1, temperature: 1 } }, `${x} -`),
  codex(
    "K4",
    "everything allowed",
    { options: { skipPermissions: true } },
    `${x} --dangerously-bypass-approvals-and-sandbox -`
  ),
  codex("K5", "a first turn", { sessionId: null }, `${x} -`),
  codex("K6", "a later turn", { sessionId: "codex-1" }, `${x} resume codex-1 -`),
  codex(
    "K7",
    "a later turn with options",
    { sessionId: "ID", options: { model: "m", skipPermissions: true } },
    `${x} --model m --dangerously-bypass-approvals-and-sandbox resume ID -`
  ),
  { id: "K8", says: "a system prompt goes before the first prompt", differs: stdin, check: sysFirst("codex") },
  { id: "K9", says: "and not again", differs: stdin, check: sysOnce("codex") },
  anyModel("K20", "codex", ["gpt-4", "gpt-4o", "codex-mini", "o1", "o4-mini"]),
  anyModel("K21", "codex", ["claude-3-opus", "", "o", "GPT-4", "codex"], open),

  copilot("P1", "no options", {}, fresh),
  {
    id: "P2",
    says: "model and effort",
    differs: "an interactive mode is no matter of a run without a terminal",
    check: () =>
      assert.strictEqual(argv("copilot", { options: { model: "m", effort: "low" } }), `${fresh} --model=m --effort=low`)
  },
  copilot("P3", "tools", { options: { allowedTools: ["a", "b"] } }, `${fresh} --allow-tool=a --allow-tool=b`),
  copilot(
    "P4",
    "no tools",
    { options: { deniedTools: ["bash", "python"] } },
    `${fresh} --deny-tool=bash --deny-tool=python`
  ),
  copilot("P5", "everything allowed", { options: { skipPermissions: true } }, `${fresh} --allow-all`),
  copilot("P6", "or not", { options: { skipPermissions: false } }, fresh),
  copilot("P7", "options of others", { options: { temperature: 1 } }, fresh),
  { id: "P8", says: "a first turn resumes nothing", check: () => assert.notInclude(argv("copilot"), "--resume") },
  copilot("P9", "a later turn", { sessionId: "ID" }, "--resume=ID --output-format=json --silent"),
  { id: "P10", says: "a system prompt goes before the first prompt", differs: stdin, check: sysFirst("copilot") },
  { id: "P11", says: "and not again", differs: stdin, check: sysOnce("copilot") },
  {
    id: "P20",
    says: "levels of effort",
    check: () => {
      for (const effort of ["low", "medium", "high"])
        assert.include(argv("copilot", { options: { effort } }), `--effort=${effort}`)
    }
  },
  {
    id: "P22",
    says: "more levels",
    differs: "the CLI knows more levels than the original",
    check: () => assert.include(argv("copilot", { options: { effort: "ultra" } }), "--effort=ultra")
  },

  opencode("N1", "no options", {}, o),
  {
    id: "N2",
    says: "options that are no more",
    differs: "today's CLI ends with its usage when it gets them",
    check: () =>
      assert.notMatch(
        argv("opencode", { options: JSON.parse('{"framework":"gin","verbose":true,"output_dir":"D"}') as object }),
        /framework|verbose|--output/
      )
  },
  opencode("N4", "the format of the answer changes nothing", { options: { outputFormat: "json" } }, o),
  opencode("N5", "a model", { options: { model: "a/b" } }, `${o} --model a/b`),
  {
    id: "N6",
    says: "everything allowed",
    check: () => {
      for (const sessionId of [null, "ID"])
        assert.include(
          argv("opencode", { sessionId, options: { skipPermissions: true, model: "m" } }),
          "--dangerously-skip-permissions"
        )
      for (const options of [{}, { skipPermissions: false }])
        assert.notInclude(argv("opencode", { options }), "--dangerously")
    }
  },
  opencode("N7", "a first turn", {}, o),
  opencode("N8", "a later turn", { sessionId: "ID" }, `${o} -s ID`),
  {
    id: "N9",
    says: "turns without an id",
    differs: "whatever session ran last is not gone on with: a fresh one is told what was said",
    check: () => assert.notMatch(argv("opencode"), / -c| -s/)
  },
  { id: "N10", says: "a system prompt goes before the first prompt", differs: stdin, check: sysFirst("opencode") },
  {
    id: "N20",
    says: "an option with a wrong type",
    differs: "that option is no more",
    check: () => assert.strictEqual(argv("opencode", { options: JSON.parse('{"output_dir":123}') as object }), o)
  },
  {
    id: "N21",
    says: "another one",
    differs: "that option is no more",
    check: () => assert.strictEqual(argv("opencode", { options: JSON.parse('{"verbose":"yes"}') as object }), o)
  },

  {
    id: "S1",
    says: "Gemini goes on with the id of its first line",
    check: () => {
      const { sessionId } = told("gemini", [{ type: "init", session_id: "U" }])
      assert.include(argv("gemini", { sessionId }), "--resume U")
    }
  },
  {
    id: "S2",
    says: "Codex with its thread",
    check: () =>
      assert.include(
        argv("codex", { sessionId: told("codex", [{ type: "thread.started", thread_id: "T" }]).sessionId }),
        "resume T -"
      )
  },
  {
    id: "S3",
    says: "OpenCode with its session",
    check: () =>
      assert.include(
        argv("opencode", { sessionId: told("opencode", [{ type: "step_start", sessionID: "S", part: {} }]).sessionId }),
        "-s S"
      )
  },
  {
    id: "S4",
    says: "OpenCode without one",
    differs: "the last session of the directory may be anybody's",
    check: () => assert.notMatch(argv("opencode", { sessionId: null }), / -c/)
  },
  {
    id: "S5",
    says: "no id, none",
    check: () => {
      for (const cli of ["gemini", "codex"] as const)
        assert.isNull(told(cli, ['{"type":"init"', { type: "init" }, { type: "thread.started" }]).sessionId)
    }
  },
  {
    id: "S6",
    says: "an id of elsewhere",
    check: () => {
      for (const cli of names) assert.include(argv(cli, { sessionId: "from-elsewhere" }), "from-elsewhere")
    }
  },
  {
    id: "U7",
    says: "long prompts, dashes, NUL",
    check: () => {
      for (const cli of names) {
        for (const prompt of ["x".repeat(200 << 10), "-p", "-", "--help"])
          assert.isTrue(commandOf(cli, { prompt }).stdin?.endsWith(prompt))
        assert.match(refusal(cli, { prompt: "a\0b" }), /^prompt: .*NUL/)
      }
    }
  },
  {
    id: "U9",
    says: "a system prompt is heard in a single turn",
    check: () => {
      for (const cli of names) {
        const { args, stdin } = commandOf(cli, { options: { systemPrompt: "SYS" } })
        assert.include([...args, stdin].join("\n"), "SYS")
      }
      assert.isTrue(clis.opencode.bound)
    }
  }
]

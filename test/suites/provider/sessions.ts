import { assert } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { isSafeName } from "../../../src/domain/store/relocation/safeName.ts"
import { unknownUsage, Usage } from "../../../src/domain/cli/usage/Usage.ts"
import { CLIProvider } from "../../../src/services/CLIProvider.ts"
import { account } from "../../support/data/account.ts"
import { examined, type It } from "./examined.ts"
import { Json } from "./values.ts"

const env = { HOME: "/home/me" }
const isUsage = Schema.is(Usage)

const SessionId = Schema.Union([
  Schema.Literals([
    "0b9f1c1e-5d0c-4b7e-9f43-1d2c3b4a5968",
    "ses_e00902318ffeyRbJ4dQfZzg6Bv",
    "a",
    "7",
    "-rf",
    "--help",
    "a b",
    ""
  ]),
  Schema.String
])
const Path = Schema.Union([
  Schema.Null,
  Schema.Literals(["/home/me/.claude/projects/-w/s.jsonl", "/t/rollout-x.jsonl", "/"]),
  Schema.String
])

/** The CLI has no such part. */
const absent = (part: null): void => assert.isNull(part)

/** Ids that leap keeps; it resumes no session of another name. */
const KeptId = Schema.Union([
  Schema.Literals(["0b9f1c1e-5d0c-4b7e-9f43-1d2c3b4a5968", "ses_e00902318ffeyRbJ4dQfZzg6Bv", "a", "7"]),
  Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$/))
])

/** How it goes on with a session: by its id and nothing that could be taken for an option. */
export const resuming = (it: It) => {
  it.effect.prop(
    "resumes a session by arguments that name it",
    { sessionId: KeptId, cwd: Schema.String },
    ({ cwd, sessionId }) =>
      examined(({ resume }) => {
        if (resume === null) return absent(resume)
        assert.isTrue(isSafeName(sessionId), sessionId)
        const args = resume.args(sessionId, `/${cwd}`)
        const naming = args.filter((arg) => arg === sessionId || arg.endsWith(`=${sessionId}`))
        assert.lengthOf(naming, 1, JSON.stringify(args))
        // by itself it is a word that no CLI takes for an option
        for (const arg of naming) assert.match(arg, /^(?:--?[a-z][a-z-]*=)?[A-Za-z0-9]/)
        for (const arg of args) assert.match(arg, /^(?!--?$)./)
      })
  )

  it.effect("lets no id by that could be taken for an option", () =>
    Effect.sync(() => {
      for (const id of ["-rf", "--help", "", "a b", "../x", "a/b", "a\n"]) assert.isFalse(isSafeName(id), id)
    })
  )

  it.effect.prop(
    "finds a session's id and place from whatever it is told",
    { payload: Json, transcriptPath: Path, head: Schema.String, sessionId: SessionId, cwd: Schema.String },
    ({ cwd, head, payload, sessionId, transcriptPath }) =>
      examined(({ resume }) => {
        if (resume === null) return absent(resume)
        const id = resume.sessionIdOf({ payload, transcriptPath, head })
        if (id !== null) assert.isNotEmpty(id.trim())
        const session = { sessionId, cwd, transcriptPath }
        const { places, root } = resume.evidence(env, session)
        assert.match(root, /^\//)
        for (const place of places) {
          if (place.kind === "path") assert.isString(place.path)
          else assert.match(place.directory, /^\//)
        }
        const { healing } = resume
        if (healing === null) return
        const reads = healing.reads(env, session)
        assert.isTrue(reads === null || typeof reads === "string")
        for (const text of ["", "{", "[]\n", head, JSON.stringify(payload)]) {
          const healed = healing.healCwd(text, session)
          assert.isString(healed)
          if (text === "") assert.strictEqual(healed, cwd)
        }
      })
  )
}

/** What it tells of usage, and what was typed into it: whatever was told, the figures make sense. */
export const accounts = (it: It) => {
  it.effect("nothing told is nothing known", () =>
    examined(({ usage }) => assert.deepStrictEqual(account(usage, {}), unknownUsage))
  )

  it.effect.prop(
    "accounts for whatever it is told, with figures that make sense",
    { records: Arbitrary.array(Json), payloads: Arbitrary.array(Json), aside: Json, n: Schema.Int },
    ({ aside, n, payloads, records }) =>
      Effect.gen(function* () {
        const { hooks, usage } = yield* CLIProvider
        const events = [...(hooks?.events.map(({ event }) => event) ?? []), "StatusLine"]
        const heard = payloads.map((payload, at) => [events[Math.abs(n + at) % events.length] ?? "", payload] as const)
        const known = account(usage, { records, hooks: heard, aside })
        assert.isTrue(isUsage(known), JSON.stringify(known))
        const figures = [
          known.contextTokens,
          known.cost?.usd,
          ...Object.values(known.session ?? {}),
          ...Object.values(known.lastTurn ?? {})
        ]
        for (const figure of figures)
          assert.isFalse(typeof figure === "number" && !(figure >= 0), JSON.stringify(known))
        assert.isTrue(known.window === null || known.window > 0, JSON.stringify(known))
        if (usage.aside !== null) assert.match(usage.aside(env), /^\//)
      })
  )

  it.effect.prop(
    "reads what was typed off any file, or nothing",
    { text: Schema.String, value: Json, cwd: Schema.String },
    ({ cwd, text, value }) =>
      examined(({ history }) => {
        if (history === null) return absent(history)
        for (const content of [text, JSON.stringify(value), `${JSON.stringify(value)}\n${text}`, "", "{", "\ufeff"]) {
          for (const prompt of history.prompts(content, cwd))
            assert.isTrue(typeof prompt === "string" && prompt.trim() !== "")
          const file = history.file(env, cwd, history.index === null ? null : content)
          if (file !== null) assert.match(file, /^\/home\/me\//)
        }
        if (history.index !== null) assert.match(history.index(env), /^\/home\/me\//)
      })
  )
}

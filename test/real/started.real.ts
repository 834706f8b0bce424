import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import * as ScreenXterm from "../../src/layers/terminal/ScreenXterm.ts"
import { openSlowTerminal } from "../support/processes/SlowTerminal.ts"
import { builtin } from "../support/providers.ts"
import * as PtyNode from "../support/ptyNode.ts"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { hosted } from "./hosted.ts"
import { bundle } from "./leap.ts"
import { say } from "./model/FakeModel.ts"

const size = { cols: 120, rows: 40 }

describe.each([claude, codex, copilot, gemini, opencode].map((cli) => [cli.id, cli] as const))("%s", (id, cli) => {
  for (const delay of [0, 300])
    it(
      `started at a terminal that answers after ${delay} ms comes up as ever: its queries, its hooks, a message`,
      { timeout: 240_000 },
      () =>
        Effect.gen(function* () {
          const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
          const services = yield* Layer.build(Layer.merge(ScreenXterm.layer, PtyNode.layer))
          const open = (words: ReadonlyArray<string>, cwd: string, env: Readonly<Record<string, string>>) =>
            openSlowTerminal([process.execPath, bundle, ...words], { cwd, env, delay }, size).pipe(
              Effect.provideContext(services),
              Scope.provide(scope),
              Effect.runPromise
            )
          const provider = builtin.find((one) => one.id === id) ?? assert.fail(`no provider ${id}`)
          let terminal: Awaited<ReturnType<typeof open>> | null = null
          const starts = async (
            words: ReadonlyArray<string>,
            at: { readonly project: string; readonly env: object }
          ) => {
            const opened = await open(words, at.project, at.env as Readonly<Record<string, string>>)
            const box = () => provider.detection.readScreen(opened.view()).box?.draft ?? null
            await Effect.runPromise(opened.eventually(() => opened.view().whole && box() === "", "an empty box"))
            terminal = opened
          }
          yield* Effect.promise(() =>
            hosted({ ...cli, starts }, `${id}-started-${delay}`, async ({ api, leap, tag, until }) => {
              const shown = terminal ?? assert.fail("it was not started")
              api.script(say("It is four."))
              await leap(["send", tag, "two and two"])
              await until("its answer", ({ lastResponse, ready }) => ready && lastResponse === "It is four.")
              await Effect.runPromise(shown.shows("It is four."))
            })
          )
        }).pipe(Effect.scoped, Effect.runPromise)
    )
})

import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { fault, isSameMove } from "../../src/domain/store/relocation/Plan.ts"
import type { SessionRecord } from "../../src/domain/store/conversations/SessionRecord.ts"
import * as RelocationFilesNode from "../../src/layers/relocator/RelocationFilesNode.ts"
import * as OpenFilesNode from "../../src/layers/system/OpenFilesNode.ts"
import type { Registration } from "../../src/layers/providers/registry.ts"
import { CLIProvider } from "../../src/services/CLIProvider.ts"
import { type Home, inHome } from "../support/relocation/moverHome.ts"
import { placesIn } from "../support/relocation/registries.ts"

/** All there is: databases as their rows; what they are made of on the disk changes with each look. */
const stateOf = (home: Home) => ({
  ...placesIn(home),
  files: [...home.shoot()].filter(([name]) => !/\.(?:sqlite|db)(?:-wal|-shm)?$/.test(name))
})

/** What every provider promises whose sessions can move; `plant` puts one of them into a home, in its directory `a`. */
export const suite = ({ identity, layer: provider }: Registration, plant: (home: Home) => SessionRecord) =>
  layer(Layer.mergeAll(provider, RelocationFilesNode.layer, OpenFilesNode.layer), { excludeTestServices: true })(
    `moves of ${identity.displayName}'s sessions`,
    (it) => {
      const protocol = Effect.flatMap(CLIProvider, ({ relocation }) =>
        relocation === null ? Effect.die(new Error("its sessions do not move")) : Effect.succeed(relocation)
      )
      const planned = Effect.fnUntraced(function* (home: Home, session: SessionRecord, from: string, to: string) {
        const { plan } = yield* protocol
        return yield* plan({ session, from, to, env: { ...home.env, PATH: process.env["PATH"] ?? "" } })
      })

      it.effect("a plan changes nothing, and touches what is the CLI's alone", () =>
        inHome(function* (home) {
          const session = plant(home)
          const before = stateOf(home)
          const { plan, transcriptPath } = yield* planned(home, session, home.a, home.b)
          assert.deepStrictEqual(stateOf(home), before)
          assert.isNull(fault(plan))
          assert.deepStrictEqual([plan.cli, plan.sessionId], [identity.base, session.sessionId])
          assert.isAbove(plan.pieces.length + plan.edits.length, 0)
          const paths = [...plan.pieces.flatMap(({ from, to }) => [from, to]), ...plan.tidy]
          // a directory of the CLI's in the home, and neither of the two that the session lives in
          for (const path of paths) assert.match(path.slice(home.root.length), /^\/\./, path)
          for (const { kind } of plan.edits) assert.isTrue(kind.startsWith(`${identity.base}.`), kind)
          if (transcriptPath !== null) assert.isTrue(transcriptPath.startsWith(`${home.root}/.`), transcriptPath)
          assert.isTrue(isSameMove((yield* planned(home, session, home.a, home.b)).plan, plan))
        })
      )

      it.effect("to where the session lives already there is nothing to move", () =>
        inHome(function* (home) {
          const session = plant(home)
          const before = stateOf(home)
          const plan = yield* Effect.result(planned(home, session, home.a, home.a))
          assert.deepStrictEqual(stateOf(home), before)
          if (plan._tag === "Failure") return
          for (const { from, to } of plan.success.plan.pieces) assert.strictEqual(to, from)
          const { apply } = yield* protocol
          for (const edit of plan.success.plan.edits) yield* apply(edit)
          assert.deepStrictEqual(stateOf(home), before)
        })
      )

      it.effect("an edit may be made twice, and taking it back twice leaves what there was", () =>
        inHome(function* (home) {
          const session = plant(home)
          const before = stateOf(home)
          const { apply, revert } = yield* protocol
          const { plan } = yield* planned(home, session, home.a, home.b)
          for (const edit of plan.edits) yield* apply(edit)
          const after = stateOf(home)
          if (plan.edits.length > 0) assert.notDeepEqual(after, before)
          for (const edit of plan.edits) yield* apply(edit)
          assert.deepStrictEqual(stateOf(home), after)
          for (let twice = 0; twice < 2; twice++) {
            for (const edit of plan.edits.toReversed()) yield* revert(edit)
            assert.deepStrictEqual(stateOf(home), before)
          }
        })
      )

      it.effect("an edit of another CLI's is refused", () =>
        Effect.gen(function* () {
          const { apply, revert } = yield* protocol
          const foreign = { kind: "nobody.thing", detail: {} }
          for (const change of [apply, revert]) {
            const error = yield* Effect.flip(change(foreign))
            assert.match(error.message, /nobody\.thing/)
          }
        })
      )

      it.effect("the way back is the way there, the other way round", () =>
        inHome(function* (home) {
          const session = plant(home)
          home.record("one", session)
          const there = yield* planned(home, session, home.a, home.b)
          const { session: moved } = yield* home.move(session, home.b)
          const back = yield* planned(home, moved, home.b, home.a)
          const ways = (pieces: ReadonlyArray<{ readonly from: string; readonly to: string }>) =>
            pieces.map(({ from, to }) => `${from} ${to}`).sort()
          const meant = there.plan.pieces.filter(({ from }) => !home.exists(from.slice(home.root.length)))
          assert.includeMembers(ways(meant.map(({ from, to }) => ({ from: to, to: from }))), ways(back.plan.pieces))
          const { session: again } = yield* home.move(moved, home.a)
          assert.deepStrictEqual([again.cwd, again.transcriptPath], [session.cwd, session.transcriptPath])
        })
      )
    }
  )

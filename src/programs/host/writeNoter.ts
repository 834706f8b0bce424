import { Clock, Effect, SubscriptionRef } from "effect"
import { type NotedWrite, withWrites } from "../../domain/words/session/RecentWrites.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import type { HookDelivery } from "../../services/HookInbox.ts"
import { System } from "../../services/System.ts"
import { StatusPublisher } from "./StatusPublisher.ts"
import { absoluteIn } from "../../domain/words/text/normalPath.ts"

/** How long links are followed, and in how many paths of one hook. */
const patience = "200 millis"
const pathsMost = 20

/** Publishes which files the CLI says it is about to write, by its hooks: other sessions may be at the same ones. */
export const makeWriteNoter = Effect.gen(function* () {
  const { permissions } = yield* CLIProvider
  const publisher = yield* StatusPublisher
  const { realPath } = yield* System
  let noted: ReadonlyArray<NotedWrite> = []
  return Effect.fn("noteWrites")(function* ({ event, nested, payload }: HookDelivery) {
    const request = nested ? undefined : permissions.request(event, payload)?.request
    if (request?.kind !== "edit" || request.paths.length === 0) return
    const cwd = request.cwd === "" ? (yield* SubscriptionRef.get(publisher.status)).cwd : request.cwd
    const named = request.paths.slice(0, pathsMost).map((path) => absoluteIn(cwd, path))
    // two names of one file are one file
    const real = yield* Effect.forEach(named, realPath, { concurrency: 8 }).pipe(
      Effect.timeoutOrElse({ duration: patience, orElse: () => Effect.succeed([]) })
    )
    noted = withWrites(
      noted,
      named.map((path, i) => real[i] ?? path),
      yield* Clock.currentTimeMillis
    )
    yield* publisher.update({ writes: noted })
  })
})

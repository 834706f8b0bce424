import { Context, Effect, Layer, Semaphore, SubscriptionRef } from "effect"
import * as Recall from "../../domain/surfaces/overlay/Recall.ts"
import { turnOver } from "../../domain/words/session/states.ts"
import { CLIProvider } from "../../services/CLIProvider.ts"
import { typedHistory } from "../starting/typedHistory.ts"
import { BoxDraft } from "./BoxDraft.ts"
import { SessionRuntime } from "./SessionRuntime.ts"
import { StatusPublisher } from "./StatusPublisher.ts"

/** Recalls earlier prompts into the CLI's box, from the CLI's history. */
export class BoxRecall extends Context.Service<
  BoxRecall,
  {
    /** The capabilities in `Hello`. */
    readonly can: ReadonlyArray<string>
    /** Handles an arrow key: recalls an entry, or passes the key. Returns the box's text if it could not be kept. */
    readonly press: (older: boolean, pass: Effect.Effect<void>) => Effect.Effect<string | null>
  }
>()("leap/programs/host/BoxRecall") {}

const most = 500
const limit = 4 << 20

const make = Effect.gen(function* () {
  const provider = yield* CLIProvider
  const { history } = provider
  const runtime = yield* SessionRuntime
  const box = yield* BoxDraft
  const entries = Effect.provideContext(
    Effect.flatMap(SubscriptionRef.get((yield* StatusPublisher).status), ({ cwd }) =>
      Effect.map(typedHistory(provider, cwd, limit), (all) => all.slice(-most))
    ),
    yield* Effect.context<Effect.Services<ReturnType<typeof typedHistory>>>()
  )
  const mutex = yield* Semaphore.make(1)
  let recalled: Recall.Recalled | null = null
  /** The number of the user's keys at the last passed arrow. While it is unchanged, no text has been typed. */
  let passedAt = -1

  const keys = () => runtime.memory().delivery.evidence.userKeys
  const prompt = (): Recall.Prompt => {
    const { evidence } = runtime.memory().delivery
    const { screen, view } = evidence
    const isThere = turnOver.has(view.state) && !view.dialog && screen?.working !== true && screen?.unknown !== true
    return { draft: isThere ? box.now() : null, keys: keys() }
  }
  const show = Effect.fnUntraced(function* (recall: Recall.Recall, draft: string) {
    const text = Recall.textOf(recall)
    const outcome = yield* box.replace(draft, text)
    const now = box.now()
    recalled =
      outcome === "taken" && now !== null && !Recall.isOver(recall) ? { recall, draft: now, keys: keys() } : null
    return outcome === "doubt" && recall.before !== "" && box.now() !== recall.before ? recall.before : null
  })

  const press = Effect.fnUntraced(function* (older: boolean, pass: Effect.Effect<void>) {
    const passes = Effect.gen(function* () {
      recalled = null
      yield* pass
      // the machine has not processed the key yet
      yield* runtime.between(() => Effect.succeed([]))
      passedAt = keys()
      return null
    })
    if (history === null) return yield* passes
    yield* runtime.between(() => Effect.succeed([]))
    let plan = Recall.planFor(recalled, prompt(), older)
    if (plan._tag === "Begin") {
      if (keys() !== passedAt) yield* box.echoed
      plan = Recall.planFor(recalled, prompt(), older)
    }
    switch (plan._tag) {
      case "Pass":
        return yield* passes
      case "Stay":
        return null
      case "Show":
        return yield* show(plan.recall, recalled?.draft ?? "")
      case "Begin": {
        const first = Recall.step(Recall.begin(yield* entries, plan.before), true)
        return first === null ? yield* passes : yield* show(first, plan.before)
      }
    }
  })
  return BoxRecall.of({
    can: history === null ? [] : history.recalls ? ["recall"] : ["recall", "recalls"],
    press: (older, pass) => mutex.withPermits(1)(press(older, pass))
  })
})

export const layer = Layer.effect(BoxRecall, make)

import { Effect } from "effect"
import type { ScreenView } from "../../../src/domain/words/session/Screen.ts"
import { decode, flushPending } from "../../../src/demoCli/keys.ts"
import { type DemoCommand, type ModelEvent, initial, type Model } from "../../../src/demoCli/model.ts"
import { update } from "../../../src/demoCli/update.ts"
import { encodeRow, frame, paint } from "../../../src/demoCli/view.ts"
import * as ScreenXterm from "../../../src/layers/terminal/ScreenXterm.ts"
import { Screen } from "../../../src/services/Screen.ts"

/** The demo CLI's core with a world that answers at once, or only when told to. */
export class DemoModel {
  model: Model
  now = 1000
  readonly commands: Array<DemoCommand> = []
  private readonly waiting: Array<ModelEvent> = []

  constructor(cols = 80, rows = 24) {
    this.model = initial({ cols, rows })
  }

  event(event: ModelEvent): this {
    const { commands, model } = update(this.model, event)
    this.model = model
    for (const command of commands) {
      this.commands.push(command)
      if (
        (command.type === "wait" || command.type === "hook" || command.type === "nested" || command.type === "flood") &&
        command.token !== null
      ) {
        this.waiting.push({ type: "commandEnded", token: command.token, at: this.now })
      }
    }
    return this
  }

  /** Bytes as the terminal sends them. */
  type(bytes: string): this {
    const { keys, pending } = decode("", bytes)
    for (const key of [...keys, ...flushPending(pending).keys]) this.event({ type: "key", key, at: this.now })
    return this
  }

  /** The world answers what was asked for, at most `steps` times. */
  run(steps = 10_000): this {
    for (let i = 0; i < steps; i++) {
      const event = this.waiting.shift()
      if (event === undefined) return this
      this.event(event)
    }
    return this
  }

  log(): ReadonlyArray<string> {
    return this.commands.flatMap((command) => (command.type === "log" ? [`${command.event}: ${command.text}`] : []))
  }

  hooks(): ReadonlyArray<string> {
    return this.commands.flatMap((command) =>
      command.type === "hook" ? [command.event] : command.type === "decide" ? ["PermissionRequest"] : []
    )
  }

  view(): Effect.Effect<ScreenView> {
    return drawnOn(this.model, this.now, 0)
  }
}

/** What a terminal shows that is `spare` columns and rows larger than the program believes. */
export const drawnOn = (model: Model, now: number, spare: number): Effect.Effect<ScreenView> =>
  Effect.gen(function* () {
    const screen = yield* (yield* Screen).make({
      cols: model.size.cols + spare,
      rows: model.size.rows + spare,
      scrollback: 10
    })
    screen.feed(Buffer.from(paint(null, frame(model, now).map(encodeRow))))
    return screen.view()
  }).pipe(Effect.scoped, Effect.provide(ScreenXterm.layer))

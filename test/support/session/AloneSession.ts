import type { View } from "../../../src/domain/words/session/Session.ts"
import { find } from "../../../src/domain/engine/queue/Queue.ts"
import { DrivenSession, toldSender } from "../DrivenSession.ts"
import { draft, frame, type Step } from "./trace.ts"

/** The sender alone at a CLI whose every frame, hook and classification the test says. It begins at rest. */
export class AloneSession extends DrivenSession {
  private readonly say: (view: Partial<View>) => void

  constructor() {
    const { brain, say } = toldSender()
    super(brain)
    this.say = say
    this.sees("idle", frame())
    this.run(5_000)
  }

  /** The session is classified so, from these events on. */
  sees(state: View["state"], ...steps: ReadonlyArray<Step>): void {
    this.say({ state, ready: state === "idle" })
    this.tell(...steps)
  }

  /** The session shows from now on what is wrong. */
  shows(problem: View["problem"]): void {
    this.say({ problem })
    this.tell(frame())
  }

  /** A message is queued, typed, and Enter pressed for it. */
  enters(id: string, text: string, force = false): void {
    this.add(id, text, force)
    this.run(600)
    this.tell(draft(text))
    this.run(150)
  }

  /** The same, and the CLI takes it out of its box. */
  sends(id: string, text: string, force = false): void {
    this.enters(id, text, force)
    this.tell(frame())
  }

  /** What was written, by purpose. */
  get purposes(): ReadonlyArray<string> {
    return this.written.map(({ purpose }) => purpose)
  }

  /** Its outcome, or its status while there is none. */
  outcome(id: string): string {
    const message = find(this.queue, id)?.message
    return message?.outcome ?? message?.status ?? "lost"
  }

  reason(id: string): string | null {
    return find(this.queue, id)?.message.why ?? null
  }
}

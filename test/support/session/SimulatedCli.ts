import type { InputProtocol } from "../../../src/domain/cli/provider/InputProtocol.ts"
import type { StatusReport } from "../../../src/domain/words/session/ProgramStatus.ts"
import type { ScreenFacts } from "../../../src/domain/words/session/Screen.ts"
import type { SessionEvent } from "../../../src/domain/words/session/SessionEvent.ts"
import type { Signal } from "../../../src/domain/words/session/Signal.ts"
import { Timeline } from "./Timeline.ts"

/** How leap types into the simulated CLI. */
export const input: InputProtocol = {
  bracketedPaste: true,
  typed: (text) => text.startsWith("/own"),
  submit: "\r",
  interrupt: "\u001b",
  clear: "\u0015",
  quit: ["\u0004"],
  showsPasted: (draft, text) => draft.trim() === text.trim() || (draft.startsWith("[Pasted ") && draft === fold(text)),
  answer: () => ({ _tag: "Refused", why: "not simulated" })
}

const isLastWord = (failure: Signal): Signal => (failure._tag === "TurnFailed" ? { ...failure, ends: true } : failure)

/** What is left on the screen has made the box unreadable. */
export const boxless = "boxless"

const fold = (text: string) => `[Pasted ${text.length} characters]`

/** A prompt as the CLI took it. `by`: whose Enter it was. `busy`: a turn was running. */
export interface Prompt {
  readonly at: number
  readonly text: string
  readonly by: "user" | "leap"
  readonly busy: boolean
}

/** Bytes of leap's that an overlay got, and when they had been written. */
export interface Swallowed {
  readonly writtenAt: number
  readonly data: string
}

/**
 * A panel leaves the box to be seen, and takes the keys all the same; a suggestion is closed by Escape; of an unknown one
 * nothing can be read.
 */
type Overlay = "dialog" | "picker" | "panel" | "suggestion" | "unknown"

/**
 * A coding CLI as a terminal sees it: a box, turns, dialogs and pickers that come when they like, frames that are drawn
 * some time after the state they show, input that may be read late or lost. It has one clock, which the test moves.
 */
export class SimulatedCli extends Timeline {
  readonly prompts: Array<Prompt> = []
  readonly swallowed: Array<Swallowed> = []
  /** Since when the terminal has been showing an overlay; null while it shows none. */
  overlayDrawnAt: number | null = null
  /** What the box shows once its text is sent. */
  nextDraft = ""
  /** How it draws a text in its box, and what stays on the screen of one that leaves it: columns are not all counted alike. */
  draws: (text: string) => string = (text) => text
  leaves: (text: string) => string = () => ""
  exited = false

  /**
   * Milliseconds: from a state to its frame, from a frame to the host's look at it, from Enter to the hook and the
   * indicator.
   */
  static readonly paint = 15
  static readonly look = 10
  startDelay = 120
  turnLength = 2_000
  /** The next writes of leap's that get lost, and whether the next paste is folded. */
  lose = 0
  foldNext = false
  /** No hooks, no program status: the screen alone tells. */
  hooks = true
  /** It reports its status with its output: that it works at once, how its turn ended a moment behind the hook. */
  reports = false
  /** How its session began, as its hook tells. */
  source = "startup"
  /** Its hooks tell of the prompts that it takes. */
  tellsPrompts = true
  /** A text that begins with a slash opens a menu, from which Enter chooses, until a blank ends the word. */
  menus = false
  /** What such a menu offers first, which Enter runs. */
  offers: string | null = null
  /** Such a menu takes Enter before it is drawn. */
  lateMenus = false
  /** The one command that it knows, and whether one that it does not know stays in its box; null where it knows all. */
  knows: { readonly name: string; readonly keeps: boolean } | null = null
  /** A hook of the user's refuses prompts that have this word, whose text then stands in the box again, or does not. */
  refuses: { readonly word: string; readonly keeps: boolean } | null = null
  /** What becomes of a turn that ends now: null where the model answers it, else what the CLI tells of its failure. */
  weather: (now: number, prompt: string) => Signal | null = () => null
  /** The model calls a tool in this prompt's turn, half a second into it. */
  works: (prompt: string) => boolean = () => false
  /** What it says below its box of how it goes on by itself after a limit. */
  continues: string | null = null
  /** Its hooks come so late, in their order; those of a turn's end come twice. */
  hookDelay = 0
  tellsTwice = false
  /**
   * Its transcript tells that a turn failed, and no hook: so much later, and in no order with what hooks tell; null where
   * hooks tell it.
   */
  transcriptDelay: number | null = null
  /** So much of its transcript nobody has read yet. */
  unread = 0
  /** A turn that nothing was before fails as soon as it has begun. */
  failsAtOnce = false
  /** Its hooks tell of a prompt that was typed ahead when its turn begins; else as it is typed. */
  tellsAheadLate = false
  /** What is never told of a prompt's turn: a hook that was lost, a record that is not read. */
  loses: (signal: Signal, prompt: string) => boolean = () => false
  /** So often it goes on by itself behind an end of its turn that it has told. */
  nudges = 0
  /** Its hooks tell the end of a turn that Escape has stopped; else its screen alone shows it. */
  tellsStops = true
  /** It closes a turn that failed by telling that it ended, too. */
  closes = false
  /** Prompts whose turns were answered, in order. */
  readonly answered: Array<{ readonly at: number; readonly text: string }> = []

  /** Prompts in whose turns the model called a tool, in order. */
  readonly worked: Array<{ readonly at: number; readonly text: string }> = []

  private box = ""
  private refused: ReadonlyArray<string> = []
  private blocked = 0
  private isLoggedOut = false
  private folded: string | null = null
  private left = ""
  private overlay: Overlay | null = null
  private working = false
  private isStopped = false
  private turn = 0
  private prompt = ""
  private inTurn = false
  private isNextDue = false
  private nudged = 0
  private readonly ahead: Array<string> = []
  private frozenUntil = 0
  private redrawnAt = 0
  private lastHookAt = 0
  private readonly emit: (event: SessionEvent) => void

  constructor(now: number, emit: (event: SessionEvent) => void) {
    super(now)
    this.emit = emit
    this.after(250, () =>
      this.signal({ _tag: "SessionStarted", source: this.source, sessionId: null, transcriptPath: null })
    )
    this.after(300, () => this.draw())
    this.after(300, () => this.report("idle"))
  }

  /** What is in the box, really. */
  get draft(): string {
    return this.folded ?? this.box
  }

  /** Bytes into its terminal. */
  write(data: string, by: "user" | "leap"): void {
    const writtenAt = this.now
    if (by === "leap" && this.lose > 0) {
      this.lose--
      return
    }
    this.after(Math.max(5, this.frozenUntil - this.now), () => this.read(data, by, writtenAt))
  }

  /** Reads nothing and draws nothing for a while. */
  freeze(span: number): void {
    this.frozenUntil = Math.max(this.frozenUntil, this.now + span)
  }

  /** Its terminal has another size: what it had drawn does not fit, and shows no box, until it draws anew. */
  resize(redrawnIn: number): void {
    if (this.exited) return
    this.redrawnAt = Math.max(this.now, this.frozenUntil) + redrawnIn
    const screen = { ...this.facts(), box: null }
    this.emit({ _tag: "Resize", at: this.now, cols: 90, rows: 28 })
    this.after(SimulatedCli.look, () => this.emit({ _tag: "Output", at: this.now, screen }))
    this.after(this.redrawnAt - this.now, () => this.draw())
  }

  /** All of its screen is drawn. */
  redraw(): void {
    if (this.exited) return
    this.emit({ _tag: "Resize", at: this.now, cols: 90, rows: 28 })
    this.after(Math.max(0, this.frozenUntil - this.now), () => (this.left = ""))
    this.draw()
  }

  /** Something comes over the box. */
  raise(overlay: Overlay): void {
    if (this.exited) return
    this.overlay = overlay
    this.draw()
  }

  /** What lies over the box goes away by itself. */
  lower(): void {
    this.overlay = null
    this.draw()
  }

  /**
   * It goes on by itself after a limit, as it said, in the order that was recorded: it works, and its row goes; 0.2 s
   * later its hook tells of a prompt of its own. `told`: how long after the row the hook is called; null for never.
   */
  goOn(told: number | null = 200): void {
    this.after(this.startDelay, () => (this.continues = null))
    this.beginTurn("continue")
    const prompt = { _tag: "TurnStarted", prompt: "continue", own: true, afterLimit: true } as const
    if (told !== null) this.signal(prompt, Math.max(0, this.startDelay + told))
  }

  /** Its rows below the box change. */
  say(continues: string | null): void {
    this.continues = continues
    this.draw()
  }

  /** It says that the user is to log in first, or says so no more. */
  logOut(isOut: boolean): void {
    this.isLoggedOut = isOut
    this.draw()
  }

  /** No turn runs. */
  get isIdle(): boolean {
    return !this.inTurn && !this.isNextDue && !this.exited
  }

  /** The box shows another text, which nobody has typed. */
  shows(draft: string): void {
    this.box = draft
    this.folded = null
    this.draw()
  }

  /** Background work begins a turn. */
  ownTurn(): void {
    if (!this.isIdle) return
    this.signal({ _tag: "TurnStarted", prompt: null, own: true })
    this.beginTurn()
  }

  exit(): void {
    if (this.exited) return
    this.exited = true
    this.emit({ _tag: "Exited", at: this.now, exit: { code: 0, signal: null } })
  }

  /** A frame that is cut off in the middle of its drawing. */
  tear(): void {
    this.emit({ _tag: "Output", at: this.now, screen: null })
  }

  /** A frame that was cut off is drawn to its end. */
  mend(): void {
    this.draw()
  }

  private get menu(): boolean {
    return this.menus && /^\/\S*$/.test(this.box)
  }

  protected override get over(): boolean {
    return this.exited
  }

  private after(span: number, run: () => void): void {
    this.at(this.now + span, run)
  }

  /** Tells it by a hook that is called so many milliseconds from now, in the order of what is told. */
  private signal(signal: Signal, after = 0, prompt = this.prompt): void {
    if (!this.hooks || this.loses(signal, prompt)) return
    const due = Math.max(this.now + after + this.hookDelay, this.lastHookAt)
    const tell = () => this.emit({ _tag: "Signal", at: this.now, source: "hook", signal })
    if (due <= this.now) return tell()
    this.lastHookAt = due
    this.after(due - this.now, tell)
  }

  /** Tells how a turn ended, in the way that tells that. */
  private tellEnd(signal: Signal): void {
    if (this.transcriptDelay === null || signal._tag !== "TurnFailed") return this.signal(signal)
    if (this.loses(signal, this.prompt)) return
    const told = { ...signal, at: this.now }
    this.unread++
    this.after(this.transcriptDelay, () => {
      this.unread--
      this.emit({ _tag: "Signal", at: this.now, source: "transcript", signal: told })
    })
  }

  private report(state: StatusReport["state"], message: string | null = null): void {
    if (!this.reports) return
    const report = { state, id: "", kind: null, progress: null, app: null, title: null, message }
    this.emit({ _tag: "Reported", at: this.now, report })
  }

  private read(data: string, by: "user" | "leap", writtenAt: number): void {
    if (this.overlay !== null) {
      if (by === "leap") this.swallowed.push({ writtenAt, data })
      if (data === "\r" || data === "\u001b") this.overlay = null
    } else if (data === "\r" && this.menu && this.offers !== null) {
      this.box = this.offers
      this.submit(by)
    } else if (data === "\r" && this.menu) this.box = "/chosen "
    else if (data === "\r") this.submit(by)
    else if (data === "\u0015") {
      this.left = this.leaves(this.box)
      this.box = ""
      this.folded = null
    } else if (data === "\u001b") {
      if (this.inTurn && this.tellsStops) this.endTurn(this.turn)
      else if (this.inTurn) this.stop()
    } else {
      const paste = /^\u001b\[200~([\s\S]*)\u001b\[201~$/.exec(data)
      const text = paste?.[1] ?? data
      if (paste !== null && this.foldNext && this.box === "") this.folded = fold(text)
      else if (this.folded !== null) this.folded += text
      if (paste !== null) this.foldNext = false
      this.box += text
    }
    this.draw()
  }

  private submit(by: "user" | "leap"): void {
    const text = this.box.trim()
    if (text === "") return
    const [name = ""] = text.split(" ")
    if (this.knows !== null && name.startsWith("/") && name !== this.knows.name) {
      this.refused = [...this.refused, name]
      if (this.knows.keeps) return
    }
    this.box = this.nextDraft
    this.left = this.leaves(text)
    this.folded = null
    this.prompts.push({ at: this.now, text, by, busy: this.inTurn })
    if (text.startsWith("/picker")) this.overlay = "picker"
    if (text.startsWith("/")) return
    const isAhead = this.inTurn || this.isNextDue
    if (!(isAhead && this.tellsAheadLate)) this.tellPrompt(text)
    if (this.refuses !== null && text.includes(this.refuses.word)) {
      this.blocked++
      if (this.refuses.keeps) this.box = text
      this.report("working")
      this.after(400, () => this.report("done"))
      return
    }
    if (isAhead) this.ahead.push(text)
    else this.beginTurn(text)
  }

  private tellPrompt(text: string): void {
    if (this.tellsPrompts) this.signal({ _tag: "TurnStarted", prompt: text, own: false }, 60, text)
  }

  private beginTurn(prompt = "", isAhead = false): void {
    if (isAhead && this.tellsAheadLate) this.tellPrompt(prompt)
    const turn = ++this.turn
    this.prompt = prompt
    this.nudged = 0
    this.isStopped = false
    this.inTurn = true
    this.isNextDue = false
    this.report("working")
    this.after(this.startDelay, () => {
      if (this.turn === turn && this.inTurn) this.working = true
      this.draw()
    })
    const tool = { _tag: "ToolStarted", tool: "Bash", id: null, agent: null } as const
    if (this.works(prompt))
      this.after(this.startDelay + 500, () => {
        if (turn !== this.turn || !this.inTurn) return
        this.worked.push({ at: this.now, text: prompt })
        this.signal(tool)
      })
    const isRefused = this.failsAtOnce && prompt !== "" && !isAhead && this.weather(this.now, prompt) !== null
    this.after(isRefused ? 140 : this.startDelay + this.turnLength, () => this.endTurn(turn))
  }

  private endTurn(turn: number): void {
    if (turn !== this.turn || !this.inTurn) return
    if (this.nudged < this.nudges && this.ahead.length === 0) return this.nudge(turn)
    this.inTurn = false
    this.working = false
    const failure = this.weather(this.now, this.prompt)
    const ended = { _tag: "TurnEnded", response: "done", background: null } as const
    const ends = failure === null ? [ended] : this.closes ? [failure, ended] : [isLastWord(failure)]
    // a transcript is read once
    const isTwice = (end: Signal) => this.tellsTwice && (this.transcriptDelay === null || end._tag !== "TurnFailed")
    for (const end of ends) for (const told of isTwice(end) ? [end, end] : [end]) this.tellEnd(told)
    if (failure === null) this.answered.push({ at: this.now, text: this.prompt })
    this.reportEnd(failure)
    const next = this.ahead.shift()
    if (next !== undefined) {
      this.isNextDue = true
      this.after(30, () => this.beginTurn(next, true))
    }
    this.draw()
  }

  /** It says how its turn ended, unless the next has begun by then. */
  private reportEnd(failure: Signal | null): void {
    const { turn } = this
    this.after(250, () => {
      if (turn !== this.turn) return
      if (failure === null) this.report("done")
      else this.report("error", failure._tag === "TurnFailed" ? failure.message : null)
    })
  }

  private stop(): void {
    this.inTurn = false
    this.working = false
    this.isStopped = true
  }

  /** It has told that its turn is over, and goes on all the same. */
  private nudge(turn: number): void {
    this.nudged++
    this.signal({ _tag: "TurnEnded", response: " ", background: null })
    this.signal({ _tag: "TurnStarted", prompt: null, own: true, goesOn: true }, 200)
    this.after(200 + this.turnLength, () => this.endTurn(turn))
  }

  /** A frame comes a moment after its state, and is looked at a moment after that. */
  private draw(): void {
    this.after(Math.max(SimulatedCli.paint, this.frozenUntil - this.now), () => {
      const screen = this.facts()
      this.overlayDrawnAt = this.overlay === null ? null : (this.overlayDrawnAt ?? this.now)
      this.after(SimulatedCli.look, () => this.emit({ _tag: "Output", at: this.now, screen }))
    })
  }

  private facts(): ScreenFacts {
    const isSuggestion = this.overlay === "suggestion"
    const covered = this.overlay === "dialog" || this.overlay === "picker" || this.overlay === "unknown" || isSuggestion
    return {
      box:
        covered || this.left === boxless || this.now < this.redrawnAt
          ? null
          : { draft: this.draws(this.draft) || this.left },
      dialog:
        this.overlay === "dialog"
          ? { kind: "permission", title: "Do you want to proceed?", options: [] }
          : isSuggestion
            ? { kind: "question", title: "Switch to a cheaper model?", options: [], suggests: true }
            : null,
      picker: this.overlay === "picker" || this.overlay === "panel" || (this.menu && !this.lateMenus),
      ...(this.menu && this.offers !== null ? { offered: this.offers } : {}),
      working: this.working && !covered,
      interrupted: this.isStopped,
      background: null,
      activity: null,
      title: null,
      blank: false,
      ...(this.isLoggedOut ? { loggedOut: true } : {}),
      ...(this.blocked === 0 ? {} : { blocked: this.blocked }),
      ...(this.refused.length === 0 ? {} : { refused: this.refused.at(-1)!, refusals: this.refused.length }),
      ...(this.continues === null ? {} : { continues: this.continues })
    }
  }
}

/**
 * How long one source may lag behind another, and how long a claim counts that no other source supports. Milliseconds,
 * from recordings on an idle and on an overloaded machine.
 */
export const limits = {
  /** From a submitted prompt to the CLI's first report of work. */
  submission: 3_000,
  /** Most CLIs report work for at most this long during a command that only shows something. */
  flash: 700,
  /** As `flash`, if hooks would report a turn: long enough for an overloaded machine. */
  command: 10_000,
  /** leap types a message for at most this long before it submits it. */
  sending: 5_000,
  /** As `sending`, while the screen states that nothing works and the box is empty. */
  sendingRest: 2_000,
  /** A hook's report that a turn or compaction began, against an authority at rest; for a compaction also a screen. */
  turnHook: 5_000,
  /** From the CLI's own report to the screen. */
  screenLag: 1_500,
  /** From the CLI's own report to the title. */
  titleLag: 1_000,
  /** A running indicator repaints at least this often; one that stands still is a quotation. */
  indicator: 10_000,
  /** If the CLI's own reader has recognized nothing for this long, the common reader's result counts. */
  unknown: 3_000,
  /** After the reported end of a turn, an apparent running indicator that has not moved for this long is text. */
  text: 5_000,
  /** The CLI's report that it works or waits, against an empty box and no output. */
  contradicted: 60_000,
  /** With background work and an empty box, the turn is over after this, although the CLI reports work. */
  backgroundQuiet: 500,
  /** A turn's start without a report of its end, against a screen at rest. */
  openTurnQuiet: 1_500,
  /** As `openTurnQuiet`, if the screen states that nothing works. */
  openTurnRest: 800,
  /** After a turn, a prompt that was typed ahead starts the next turn within this. */
  typedAhead: 500,
  /** After an interrupt key the CLI may draw a frame or two more. Work after this time means that the turn went on. */
  stopGrace: 1_500,
  /** The running indicator of a stopped turn may stay or return under the interrupt line for this long. */
  stopped: 3_000,
  /** From the CLI's rest to its end-of-turn hook; after that, a missing hook means an interrupt. */
  endHook: 1_000,
  /** Most dialogs that Enter answered disappear within this. */
  answered: 1_000,
  /** A dialog that is redrawn (after a resize, for example) is off the screen for at most this. */
  redraw: 1_000,
  /** How long a dialog must stand while leap's own policy may answer it. */
  policy: 1_500,
  /** How long a count of background work counts while no source shows whether it still runs. */
  background: 60_000,
  /** With no output for this long, a turn that only a hook or the title reports is over. */
  silence: 60_000,
  /** Most dialogs that a hook answers at once disappear within this. */
  dialog: 250,
  /** From the last frame with a running indicator to the frame in which typed text replaces it. */
  draft: 500,
  /** A slow stream never pauses for this long, so a turn of unknown end is over after a pause of it. */
  still: 20_000,
  /** While a reply is being written, output never pauses for this long. */
  moving: 2_000,
  /** Between two phases of a turn, the screen may show only the box for this long. */
  quiet: 300
} as const

/** Milliseconds that each condition of readiness must have lasted. */
export const settling = {
  /** The box on screen and empty, while the CLI itself reports rest. */
  reported: 400,
  /** As `reported`, by the screen alone. */
  observed: 1_000,
  /** After the first frame with a box: dialogs of the start may still come over it. */
  start: 2_000,
  key: 2_000,
  /** After a command, which may open a picker; and after a picker, which may lead to another. */
  command: 3_000,
  /** After a key that opens views: a view may show the same box with more above it. */
  view: 10_000,
  /** After a turn in which a request failed and was retried: the service may still be failing. */
  recovering: 3_000,
  /** After a prompt that had no effect yet: on an overloaded machine its turn may still begin. */
  unanswered: 10_000,
  /** After the last sign of a turn of unknown end. */
  endUnknown: limits.still,
  typedAhead: 3_000,
  /** After a hook reported a question, of background work for example: its dialog may not be drawn yet. */
  permission: 2_000,
  resize: 1_000
} as const

/**
 * How long one source may lag behind another, and how long a claim counts that no other source supports. Milliseconds,
 * from recordings on an idle and on an overloaded machine.
 */
export const limits = {
  /** A CLI may take this long from a submitted prompt to its first report of work. */
  submission: 3_000,
  /** During a command that only shows something, most CLIs report work for no longer than this. */
  flash: 700,
  /** The same on an overloaded machine. */
  command: 10_000,
  /** leap types a message no longer than this before it submits it. */
  sending: 5_000,
  /** The same, while the screen states that nothing works and the box is empty. */
  sendingRest: 2_000,
  /** A hook's report that a turn began, against an authority and a screen at rest. */
  turnHook: 5_000,
  /** The screen may lag this far behind the CLI's own report. */
  screenLag: 1_500,
  /** The title may lag this far behind the CLI's own report. */
  titleLag: 1_000,
  /** A running indicator repaints at least this often; one that stands still is a quotation. */
  indicator: 10_000,
  /** Where the CLI's own reader has recognized nothing for this long, the common reading speaks. */
  unknown: 3_000,
  /** After the reported end of a turn, what looks like a running indicator and has not moved for this long is text. */
  text: 5_000,
  /** The CLI's report that it works or waits, against an empty box and no output. */
  contradicted: 60_000,
  /** Background work and an empty box: after this the turn is over, although the CLI reports work. */
  backgroundQuiet: 500,
  /** A turn's start without a report of its end, against a screen at rest. */
  openTurnQuiet: 1_500,
  /** The same, where the screen states that nothing works. */
  openTurnRest: 800,
  /** A finished turn and a typed-ahead prompt: the next turn begins by itself within this. */
  typedAhead: 500,
  /** After an interrupt key the CLI may draw a frame or two more; work that is seen later than this went on. */
  stopGrace: 1_500,
  /**
   * The last running indicator of a stopped turn may stay, or come back, under the CLI's interrupt line for this long.
   */
  stopped: 3_000,
  /** An end-of-turn hook may come this long after the CLI's rest; after that, its absence means an interrupt. */
  endHook: 1_000,
  /** Most dialogs that Enter answered leave the screen within this. */
  answered: 1_000,
  /** A dialog that is drawn anew (after a resize, for instance) is off the screen for no longer than this. */
  redraw: 1_000,
  /** How long a dialog must stand while leap's own policy may answer it. */
  policy: 1_500,
  /** How long a count of background work stays in force while nothing shows whether it still runs. */
  background: 60_000,
  /** With no output for this long, a turn that only a hook or the title reports is over. */
  silence: 60_000,
  /** Most dialogs that a hook answers at once leave the screen within this. */
  dialog: 250,
  /** Between the last frame with a running indicator and the one in which typed text takes its place. */
  draft: 500,
  /**
   * A slow stream never pauses for this long. A turn whose end no source has told or shown is over when the text above
   * the box has stood still for it.
   */
  still: 20_000,
  /** While a reply is being written, output never pauses for this long. */
  moving: 2_000,
  /** Between two phases of a turn, the screen may show the box and nothing else for this long. */
  quiet: 300
} as const

/** How long each condition of readiness must have lasted. Milliseconds. */
export const settling = {
  /** The box on screen and empty, while the CLI itself reports rest. */
  reported: 400,
  /** The same by the screen alone. */
  observed: 1_000,
  /** After the first frame with a box, dialogs of the start may still come over it. */
  start: 2_000,
  /** After the user's last key. */
  key: 2_000,
  /** After a command, which may open a picker; and after a picker, which may lead to another. */
  command: 3_000,
  /** After a key that opens views: a view may show the same box with more above it. */
  view: 10_000,
  /** After a turn in which a request failed and was tried again: the service may still be failing. */
  recovering: 3_000,
  /** After a prompt that had no effect yet: on an overloaded machine its turn may still begin. */
  unanswered: 10_000,
  /** After the last sign of a turn whose end nothing has told or shown. */
  endUnknown: limits.still,
  /** After a turn in which a prompt was typed ahead. */
  typedAhead: 3_000,
  /** After background work asked for a permission: its dialog may not be drawn yet. */
  permission: 2_000,
  resize: 1_000
} as const

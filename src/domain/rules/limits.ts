/**
 * How long one source may lag behind another, and how long a claim holds that nothing supports. Milliseconds, from what
 * recordings on an idle and on an overloaded machine show.
 */
export const limits = {
  /** A CLI may take this long from a submitted prompt to its first word of work. */
  submission: 3_000,
  /** A command that only shows something says that it works for no longer than this, mostly. */
  flash: 700,
  /** The same on a machine that hardly moves. */
  command: 10_000,
  /** leap types a message no longer than this before it submits it. */
  sending: 5_000,
  /** The same, while the screen says in so many words that nothing works, with nothing in the box. */
  sendingRest: 2_000,
  /** A hook's word that a turn began, against a speaker and a screen at rest. */
  turnHook: 5_000,
  /** The screen may be this much later than the CLI's own word. */
  screenLag: 1_500,
  /** The title may be this much later than the CLI's own word. */
  titleLag: 1_000,
  /** A running indicator repaints at least this often; one that stands still is a quotation. */
  indicator: 10_000,
  /** The CLI's word that it works or waits, against an empty box and silence. */
  contradicted: 60_000,
  /** Background work and an empty box: the turn is over although the CLI says that it works. */
  backgroundQuiet: 500,
  /** A turn's start without its end, against a screen at rest. */
  openTurnQuiet: 1_500,
  /** The same, where the screen says in so many words that nothing works. */
  openTurnRest: 800,
  /** A finished turn and a typed-ahead prompt: the next turn begins by itself. */
  typedAhead: 500,
  /** The last running indicator of a turn that was stopped may stand, or come back, under the CLI's interrupt line. */
  stopped: 3_000,
  /** How long a CLI's end-of-turn hook may come after its rest, before its absence means an interrupt. */
  endHook: 1_000,
  /** A dialog that Enter answered is on screen no longer than this, mostly. */
  answered: 1_000,
  /** A dialog drawn anew, after a resize say, is gone no longer than this. */
  redraw: 1_000,
  /** The settling of a dialog while leap itself allows what is asked for. */
  policy: 1_500,
  /** Background work that the screen told of, while it says nothing of it. */
  background: 60_000,
  /** No sign of life at all: a turn that only a hook or the title speaks of is not believed any longer. */
  silence: 60_000,
  /** A dialog that a hook answers at once is on screen no longer than this, mostly. */
  dialog: 250,
  /** Between the last sign of work and the frame in which typed text hides it. */
  draft: 500,
  /** A reply that is being written never stops for this long. */
  moving: 2_000,
  /** Frames between two phases of a turn may show the box and nothing else. */
  quiet: 300
} as const

/** How long each condition of readiness must have held. Milliseconds. */
export const settling = {
  /** The box on screen and empty, with the CLI's own word that it rests. */
  told: 400,
  /** The same by the screen alone. */
  seen: 1_000,
  /** After the first frame with a box, dialogs of the start may still come over it. */
  start: 2_000,
  /** After the user's last key. */
  key: 2_000,
  /** After a command, which may open a picker; and after a picker, which may lead to another. */
  command: 3_000,
  /** After a key that opens views: what it shows may be the same box with more above it. */
  view: 10_000,
  /** After a turn in which a request failed and was tried again: what is behind it may still be failing. */
  recovering: 3_000,
  /** After a prompt of which nothing comes: a machine that hardly moves may still make a turn of it. */
  unanswered: 10_000,
  /** After a turn in which a prompt was typed ahead. */
  typedAhead: 3_000,
  /** After a permission was asked for by background work: its dialog is yet to be drawn. */
  asked: 2_000,
  resize: 1_000,
  /** After a failure that the next message would meet as well. */
  overloaded: 60_000
} as const

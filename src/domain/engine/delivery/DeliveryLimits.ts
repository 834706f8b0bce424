/** The bounds of all waits of a delivery, in milliseconds. */
export const timing = {
  /** A message must have been deliverable for this long before it is typed. */
  debounce: 300,
  /** The user's last key, and the last resize, must be this far back. */
  quiet: 500,
  /** A key of the user's for which the CLI draws nothing is waited for this long. */
  undrawn: 10_000,
  /** After a key of the user's, an empty box shows that the key is not on its way into it. */
  typed: 2_000,
  /** An answer that has not shown in the box for this long was taken. */
  answerLate: 30_000,
  /** The box must show an answer's keys for this long, and again after the user's keys have been held. */
  answerShown: 1_000,
  answerHeld: 100,
  /** After the attempt was recorded: events that came in the meantime are taken in before the first byte. */
  recorded: 20,
  /** For the text to show in the box; `mixedEcho`: the same after keys of the user's in between. */
  echo: 5_000,
  mixedEcho: 1_000,
  /** A box shows a text otherwise than it is for this long before that is taken for all that it will show. */
  unlike: 1_500,
  /** Between the text on screen and Enter: a suggestion menu opens in this time. */
  settle: 100,
  /** For a suggestion menu to close on a blank. */
  menu: 1_000,
  /** For the text to leave the box, after the last Enter. */
  submit: 3_000,
  /** The same, before Enter is pressed again: a CLI that is only slow to read the first would send the text twice. */
  resubmit: 8_000,
  maxEnters: 2,
  /** The user's keys are held for no longer than this in one go, however long each wait of a message may be. */
  held: 20_000,
  /** A box that is off the screen for this long, with nothing over it, holds the text no longer. */
  boxGone: 500,
  /**
   * What may be a trace on the screen stands at rest for this long before the CLI is made to draw anew; `typedTrace`:
   * where the user has typed since the last prompt.
   */
  trace: 2_000,
  typedTrace: 30_000,
  /** For the box to be empty after it was cleared, and to show a draft put back; `clearTrace`: for what stays in it. */
  clear: 2_000,
  clearTrace: 1_200,
  /** After a dialog: for the screen to show what became of the text; `boxBack`: for a box to come back. */
  afterDialog: 300,
  boxBack: 5_000,
  /** For a CLI to draw anew after the last resize; `redraws`: in all, however many more resizes come. */
  redraw: 5_000,
  redraws: 10_000,
  /** A session that has been classified as running for this long proves that a turn began. */
  viewStart: 3_500,
  /** After rest of this length with no sign of a turn, the message will have none; a command of the CLI sooner. */
  noTurnCommand: 1_500,
  noTurn: 10_000,
  /** A text that is back in the box for this long was not accepted. */
  givenBack: 1_000,
  /** A turn that began, but was never classified as running, is over after this. */
  unseenTurn: 1_500,
  /** After a turn that failed: a hook that says why may come later than the rest. */
  failureTold: 1_200,
  /** For a hook to tell the end of a turn that is seen to be over, where the CLI's hooks tell that. */
  endTold: 5_000,
  /** A CLI that shows something else in the place where it asked for a login does so for less. */
  loginGone: 10_000,
  /** A message that was typed while a turn ran: the CLI may need this long from one turn to the next. */
  aheadEnd: 3_000,
  /** Rest of this length is none between two turns, of which the second was typed ahead. */
  betweenTurns: 400,
  /** A suggestion of the CLI's that is in a message's way stands for this long before it is closed; tried so often. */
  suggestion: 5_000,
  maxDismissals: 2,
  maxAttempts: 3,
  backoff: [1_000, 5_000] as ReadonlyArray<number>,
  /** For a turn to show that a key of the user's, or an Enter that was read late, sent the text. */
  uncertain: 3_000,
  /** Before another attempt to write a log that could not be written. */
  logRetry: 10_000
} as const

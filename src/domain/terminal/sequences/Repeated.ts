/**
 * Repetitions of one or two alternating sequences that set something: the second time sets the same as the first.
 * Drawing needs them only twice, however often a flood repeats them: a thousand `ESC[?1049h ESC[?1049l` would make a
 * thousand screens. They are modes, pens, saved cursors, a full reset, colours and links. None of them writes or
 * scrolls, and what this terminal would answer is not used.
 */
const repeated = /((?:\x1b(?:\[[?\d;:]*[hlm]|[78c]|\](?:[48]|1[0-2]);[^\x07\x18\x1a\x1b]*(?:\x07|\x1b\\))){1,2})\1{2,}/g

/** Text and sequences that draw, erase and move. C1 controls are excluded: their first byte in UTF-8 is C2. */
const drawing = String.raw`(?:[^\x1b\x0e\x0f\xc2]|\x1b\[[\d;:]*[@-HJ-MPSTXdfm])`

/** An alternate screen that is left again: nothing drawn in it stays, and the former cursor and pen return. */
const screenLeft = new RegExp(String.raw`(\x1b\[\?1049h)${drawing}+(?=\x1b\[\?1049l)`, "g")

/** A second, empty alternate screen after only drawing: the cursor is saved, and no screen is made. */
const leftAgain = new RegExp(
  String.raw`\x1b\[\?(47|104[79])h\x1b\[\?\1l(?<=\x1b\[\?(?:47|104[79])l${drawing}*\x1b\[\?\1h\x1b\[\?\1l)`,
  "g"
)

/** A full reset: nothing on the screen remains. */
const reset = "\x1bc"

/** The bytes (latin1) without expensive parts that do not affect the final screen. */
export const shown = (bytes: string): string =>
  bytes
    .slice(Math.max(0, bytes.lastIndexOf(reset)))
    .replace(screenLeft, "$1")
    .replace(leftAgain, (_, mode) => (mode === "1049" ? "\x1b7" : ""))
    .replace(repeated, "$1$1")

/**
 * Sequences that set something, or two of them in turn, again and again: on the second time they set what the first has
 * set. What only draws the screen gets them twice, whatever a flood says: a thousand `ESC[?1049h ESC[?1049l` make a
 * thousand screens.
 *
 * Modes, pens, saved cursors, a full reset, colours and links: none of them moves by what was before, writes, scrolls
 * or is answered.
 */
const repeated = /((?:\x1b(?:\[[?\d;:]*[hlm]|[78c]|\](?:[48]|1[0-2]);[^\x07\x18\x1a\x1b]*(?:\x07|\x1b\\))){1,2})\1{2,}/g

/** Text and sequences that draw, erase and move. No C1 control is among them, whose first byte in UTF-8 is C2. */
const drawing = String.raw`(?:[^\x1b\x0e\x0f\xc2]|\x1b\[[\d;:]*[@-HJ-MPSTXdfm])`

/**
 * A screen of its own that is left again, with what is written, drawn, erased and moved in it: nothing of that stays,
 * since the cursor and its pen come back too.
 */
const screenLeft = new RegExp(String.raw`(\x1b\[\?1049h)${drawing}+(?=\x1b\[\?1049l)`, "g")

/** An empty one behind another, with nothing between them but what draws: the cursor is saved, and no screen made. */
const leftAgain = new RegExp(
  String.raw`\x1b\[\?(47|104[79])h\x1b\[\?\1l(?<=\x1b\[\?(?:47|104[79])l${drawing}*\x1b\[\?\1h\x1b\[\?\1l)`,
  "g"
)

/** A full reset, which nothing outlives that is on the screen, or is to be. */
const reset = "\x1bc"

/** The bytes (latin1) without what the end of them shows nothing of, as far as that costs much to draw. */
export const shown = (bytes: string): string =>
  bytes
    .slice(Math.max(0, bytes.lastIndexOf(reset)))
    .replace(screenLeft, "$1")
    .replace(leftAgain, (_, mode) => (mode === "1049" ? "\x1b7" : ""))
    .replace(repeated, "$1$1")

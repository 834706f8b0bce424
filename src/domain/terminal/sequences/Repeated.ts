/**
 * Sequences that set something, or two of them in turn, again and again: on the second time they set what the first has
 * set. What only draws the screen gets them twice, whatever a flood says: a thousand `ESC[?1049h ESC[?1049l` make a
 * thousand screens.
 *
 * Modes, pens, erasures, saved cursors, a full reset, colours and links: none of them moves by what was before, writes,
 * scrolls or is answered.
 */
const repeated =
  /((?:\x1b(?:\[[?\d;:]*[hlmJ]|[78c]|\](?:[48]|1[0-2]);[^\x07\x18\x1a\x1b]*(?:\x07|\x1b\\))){1,2})\1{2,}/g

/** The bytes (latin1) without what is set more than twice. */
export const twice = (bytes: string): string => bytes.replace(repeated, "$1$1")

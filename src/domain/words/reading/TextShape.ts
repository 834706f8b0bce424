/** Emoji joined into one glyph: terminals keep all of them, or the first. */
const joined = new RegExp(
  String.raw`(\p{Extended_Pictographic})(?:\ufe0f|\p{Emoji_Modifier})*` +
    String.raw`(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*)+`,
  "gu"
)
/** Vowels and final consonants of Hangul on their own: some programs leave them out. */
const jamo = String.raw`\u1160-\u11ff\ud7b0-\ud7ff`
/** Thai and Lao AM: one character that consists of a mark on the previous letter and of a letter. */
const am = String.raw`\u0e33\u0eb3`
/**
 * Characters without a cell of their own or drawn into the previous cell, their replacement in some programs (U+FFFD),
 * and all blanks, because boxes wrap and indent.
 */
const invisible = new RegExp(
  String.raw`[\s\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\ufffd${jamo}]+`,
  "gu"
)

/**
 * The part of a text that survives in a terminal's cells. Programs and terminals compose, join and measure characters
 * in different ways, and boxes break lines. Two texts with one shape look the same on a screen. If nothing would
 * survive, the shape is the text without blanks.
 */
export const textShape = (text: string): string => {
  const composed = text.normalize("NFC")
  const shape = composed.replaceAll(joined, "$1").replaceAll(invisible, "")
  return shape === "" ? composed.replaceAll(/[\s\p{Cc}]+/gu, "") : shape
}

/** Whether a draft shows this text and nothing else. */
export const showsText = (draft: string, text: string): boolean => {
  const shape = textShape(draft)
  return shape !== "" && shape === textShape(text)
}

/** As {@link showsText}, for a box that folds a long paste to a placeholder (of one or several rows). */
export const showsFolded =
  (folded: RegExp, fits: (placeholder: RegExpExecArray, text: string) => boolean) =>
  (draft: string, text: string): boolean => {
    const placeholder = folded.exec(draft.trim().replaceAll(/\s*\n\s*/g, " "))
    return placeholder === null ? showsText(draft, text) : fits(placeholder, text)
  }

/** Characters whose columns programs and terminals count in different ways. */
const unsettled = new RegExp(
  String.raw`[\p{M}\p{Cf}\p{Co}\p{Cn}\p{RI}\p{Default_Ignorable_Code_Point}\p{Extended_Pictographic}${jamo}${am}]`,
  "u"
)

/** Whether programs and terminals disagree on the columns of this text. */
export const isUnsettled = (text: string): boolean => unsettled.test(text.replaceAll(ascii, ""))

/**
 * Whether a box that was empty, and got nothing but this text, may show it like this: a program that counts its columns
 * differently from the terminal omits some of it, or draws one part over another.
 */
export const mayShow = (draft: string, text: string): boolean => {
  const rest = new Map<string, number>()
  const whole = textShape(text)
  for (const char of whole) rest.set(char, (rest.get(char) ?? 0) + 1)
  const shown = textShape(draft)
  for (const char of shown) {
    const left = rest.get(char) ?? 0
    if (left === 0) return false
    rest.set(char, left - 1)
  }
  return shown.length * 4 > whole.length
}

const ascii = /[\0-\x7f]+/g

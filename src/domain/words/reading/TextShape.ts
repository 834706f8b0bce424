/** Emoji joined into one glyph: terminals keep all of them, or the first. */
const joined = new RegExp(
  String.raw`(\p{Extended_Pictographic})(?:\ufe0f|\p{Emoji_Modifier})*` +
    String.raw`(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*)+`,
  "gu"
)
/**
 * Characters without a cell of their own or drawn into the cell before them, and all blanks, since boxes wrap and
 * indent.
 */
const invisible = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]+/gu

/**
 * The part of a text that survives in a terminal's cells: programs and terminals compose, join and measure characters
 * in different ways, and boxes break lines. Two texts of one shape look the same on a screen.
 */
export const textShape = (text: string): string =>
  text.normalize("NFC").replaceAll(joined, "$1").replaceAll(invisible, "")

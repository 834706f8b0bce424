/** Emoji joined into one glyph: terminals keep all of them, or the first. */
const joined = /(\p{Extended_Pictographic})(?:\ufe0f|\p{Emoji_Modifier})*(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})*)+/gu
/** What takes no cell of its own, or is drawn into the cell before it; and all blanks, since boxes wrap and indent. */
const unseen = /[\s\p{Cc}\p{Cf}\p{Cs}\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}]+/gu

/**
 * What of a text can be told from a terminal's cells: programs and terminals compose, join and measure characters in
 * different ways, and a box breaks lines. Two texts of one shape look the same there.
 */
export const textShape = (text: string): string => text.normalize("NFC").replaceAll(joined, "$1").replaceAll(unseen, "")

/** Control characters and invisible formatting that a CLI's text must not carry onto the user's terminal. */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g

/** A text of several lines without what a terminal would obey. */
// oxlint-disable-next-line no-control-regex
export const printable = (text: string): string => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g, "")

/** One printable line of at most `limit` characters. */
export const oneLine = (text: string, limit = 80): string => {
  const line = [...text.replace(unsafe, " ").replace(/\s+/g, " ").trim()]
  return line.length <= limit ? line.join("") : `${line.slice(0, limit - 1).join("")}…`
}

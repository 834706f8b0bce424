import { Option } from "effect"

/** What a text says in JSON; none where it is no JSON. */
export const parseJson = (text: string): Option.Option<unknown> => {
  try {
    return Option.some(JSON.parse(text) as unknown)
  } catch {
    return Option.none()
  }
}

/** The same where it does not matter whether a text says `null` or is no JSON: null is both. */
export const jsonOf = (text: string): unknown => Option.getOrNull(parseJson(text))
